import AutoLayout
import CMalloc
import Foundation
import Measuring

/// One of Yoga's captured trees, laid out by constraints.
struct CaptureScene {
    let window: Window
    /// All views, the window first, in the order of the capture.
    private(set) var views: [View] = []
    /// Those with a content size, in that order too.
    private(set) var leaves: [View] = []

    init(_ file: CaptureFile) throws {
        window = Window(size: file.size)
        window.reserveCapacity(views: file.views.count, constraints: file.constraints.count)
        views.reserveCapacity(file.views.count)
        views.append(window)
        for item in file.views.dropFirst() {
            let view = View()
            if let content = item.content {
                view.intrinsicContentSizeOverride = content
                leaves.append(view)
            }
            try views[item.parent].addSubview(view)
            views.append(view)
        }
        for each in file.resistances {
            views[each.view].setContentHuggingPriority(each.hugging, for: each.axis)
            views[each.view].setContentCompressionResistancePriority(
                each.compression, for: each.axis)
        }
        let guides = file.guides.map { item in
            let guide = LayoutGuide()
            views[item.parent].addLayoutGuide(guide)
            return guide
        }
        func item(_ number: Int) -> LayoutItem { number < 0 ? guides[-1 - number] : views[number] }
        let constraints = file.constraints.map { each in
            let constraint = each.made(on: item(each.first), and: each.second.map(item))
            if each.priority != .required { constraint.priority = each.priority }
            return constraint
        }
        try LayoutConstraint.activate(constraints)
    }

    private static func made(_ file: CaptureFile) throws -> CaptureScene {
        let scene = try CaptureScene(file)
        try scene.window.runCycle()
        return scene
    }

    /// Seconds to build one and lay it out the first time.
    static func build(_ file: CaptureFile, rounds: Int) throws -> Double {
        // As for the other scenes; the driver lays a tree out before as well.
        try Scenes.tree(50).window.runCycle()
        // Kept, so that none is freed while the next is measured.
        var scenes: [CaptureScene] = []
        scenes.reserveCapacity(rounds)
        return try time(rounds) { _ in scenes.append(try made(file)) }
    }

    /// Bytes for each view, of so many scenes: a small one alone is a few pages.
    static func memory(_ file: CaptureFile, rounds: Int) throws -> Double {
        // What reading the file took and gave back is not there to be used again.
        giveFreeMemoryBack()
        let before = residentBytes()
        let scenes = try (0..<rounds).map { _ in try made(file) }
        return (residentBytes() - before) / Double(scenes.count * file.views.count)
    }

    /// Seconds for a round of a work, from the change to the changed frames, and the scene after
    /// it.
    static func change(
        _ file: CaptureFile, work: Substring, rounds: Int, leaf: Int
    ) throws -> (seconds: Double, scene: CaptureScene) {
        let scene = try made(file)
        let edited = scene.views[leaf]
        let height = file.views[leaf].content?.height ?? 0
        let heights = file.views.compactMap { $0.content?.height }
        let frames = FrameCounter(scene.window)
        var state: UInt64 = 42
        let seconds = try time(rounds) { round in
            switch work {
            case "edit":
                edited.intrinsicContentSizeOverride?.height = height + Double(1 + round % 23)
            case "resize":
                scene.window.viewportSize.width = file.size.width + Double(1 + round % 23)
            default:
                for _ in 0..<100 {
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    let index = Int(state >> 33) % scene.leaves.count
                    scene.leaves[index].intrinsicContentSizeOverride?.height =
                        heights[index] + Double(state >> 40 & 15)
                }
            }
            try scene.window.runCycle()
        }
        precondition(rounds < 2 || frames.count > rounds, "frames have to change")
        if ProcessInfo.processInfo.environment["VERBOSE"] != nil {
            FileHandle.standardError.write(Data("\(frames.count / rounds) frames a round\n".utf8))
        }
        return (seconds, scene)
    }

    /// All frames, to compare with Yoga's.
    var frames: String {
        views.map { view in
            let frame = view.frame
            return "\(frame.minX) \(frame.minY) \(frame.width) \(frame.height)"
        }.joined(separator: "\n")
    }

    /// Does what `captures/driver.cpp` does with the same words, and tells what that prints.
    static func run(_ path: String, work: String, rounds: Int, leaf: Int) throws -> String {
        let file = try CaptureFile(path: path)
        switch work {
        case "build": return "\(try build(file, rounds: rounds))"
        case "memory": return "\(try memory(file, rounds: rounds))"
        case "first-frames": return try made(file).frames
        default:
            let parts = work.split(separator: "-")
            let (seconds, scene) = try change(file, work: parts[0], rounds: rounds, leaf: leaf)
            return parts.count == 2 ? scene.frames : "\(seconds)"
        }
    }
}

extension CaptureFile.Constraint {
    /// The constraint, written with anchors as a program has it.
    func made(on first: LayoutItem, and second: LayoutItem?) -> LayoutConstraint {
        guard let second else { return made(first.dimension(firstAttribute)) }
        switch firstAttribute {
        case .left, .right, .centerX:
            return made(first.horizontal(firstAttribute), second.horizontal(secondAttribute))
        case .top, .bottom, .centerY:
            return made(first.vertical(firstAttribute), second.vertical(secondAttribute))
        case .width, .height:
            return made(first.dimension(firstAttribute), second.dimension(secondAttribute))
        }
    }

    private func made<Anchor: LayoutAnchor>(_ first: Anchor, _ second: Anchor) -> LayoutConstraint {
        switch relation {
        case .equal: first.constraint(equalTo: second, constant: constant)
        case .atMost: first.constraint(lessThanOrEqualTo: second, constant: constant)
        case .atLeast: first.constraint(greaterThanOrEqualTo: second, constant: constant)
        }
    }

    private func made(_ first: LayoutDimension, _ second: LayoutDimension) -> LayoutConstraint {
        switch relation {
        case .equal:
            first.constraint(equalTo: second, multiplier: multiplier, constant: constant)
        case .atMost:
            first.constraint(lessThanOrEqualTo: second, multiplier: multiplier, constant: constant)
        case .atLeast:
            first.constraint(
                greaterThanOrEqualTo: second, multiplier: multiplier, constant: constant)
        }
    }

    private func made(_ dimension: LayoutDimension) -> LayoutConstraint {
        switch relation {
        case .equal: dimension.constraint(equalToConstant: constant)
        case .atMost: dimension.constraint(lessThanOrEqualToConstant: constant)
        case .atLeast: dimension.constraint(greaterThanOrEqualToConstant: constant)
        }
    }
}

extension LayoutItem {
    fileprivate func horizontal(_ attribute: CaptureFile.Attribute) -> LayoutXAxisAnchor {
        attribute == .left ? leftAnchor : attribute == .right ? rightAnchor : centerXAnchor
    }

    fileprivate func vertical(_ attribute: CaptureFile.Attribute) -> LayoutYAxisAnchor {
        attribute == .top ? topAnchor : attribute == .bottom ? bottomAnchor : centerYAnchor
    }

    fileprivate func dimension(_ attribute: CaptureFile.Attribute) -> LayoutDimension {
        attribute == .width ? widthAnchor : heightAnchor
    }
}
