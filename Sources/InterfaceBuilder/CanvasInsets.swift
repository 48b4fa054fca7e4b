import ConstraintLanguage
import LayoutValues

/// An edge of the root.
enum CanvasEdge: CaseIterable, Hashable {
    case top, leading, bottom, trailing

    init?(_ attribute: LayoutAttribute) {
        switch attribute {
        case .top: self = .top
        case .bottom: self = .bottom
        case .left, .leading: self = .leading
        case .right, .trailing: self = .trailing
        default: return nil
        }
    }
}

/// The safe area and the margins of a scene's root on the canvas, which files do not have: what is
/// pinned to them tells where they are.
struct CanvasInsets {
    private var safe: [CanvasEdge: Double] = [:]
    private var margins: [CanvasEdge: Double] = [:]
    /// Pairs of top and bottom that bars may cover, the likeliest first; empty where nothing
    /// follows them.
    private(set) var barChoices: [(top: Double, bottom: Double)] = []

    init(_ reading: SceneReading, _ geometry: SceneGeometry) {
        readPins(reading, geometry)
        chooseBars(reading, geometry)
    }

    /// The safe area with a pair of bars.
    func safeArea(_ bars: (top: Double, bottom: Double)?) -> EdgeInsets {
        EdgeInsets(
            top: safe[.top] ?? bars?.top ?? 0, leading: safe[.leading] ?? 0,
            bottom: safe[.bottom] ?? bars?.bottom ?? 0, trailing: safe[.trailing] ?? 0)
    }

    func margin(_ edge: CanvasEdge) -> Double? { margins[edge] }

    /// Both directions of a constraint: what is pinned, to what, and how the constant counts.
    private func pins(_ tie: SceneTie) -> [(inner: TieAnchor, outer: TieAnchor, sign: Double)] {
        guard let second = tie.second else { return [] }
        return [(tie.first, second, -1), (second, tie.first, 1)]
    }

    private mutating func readPins(_ reading: SceneReading, _ geometry: SceneGeometry) {
        struct Key: Hashable {
            var isSafeArea: Bool
            var edge: CanvasEdge
        }
        var found: [Key: [Double: Int]] = [:]
        let size = geometry.size
        for tie in reading.ties where tie.isPlainEquality {
            for (inner, outer, sign) in pins(tie) {
                guard let (isSafeArea, edge) = Self.inset(outer), let index = inner.item.view,
                    index != 0, !geometry.isInScroll[index], let position = geometry.edge(inner)
                else { continue }
                let place = position + sign * tie.constant
                let inset =
                    switch edge {
                    case .top, .leading: place
                    case .bottom: size.height - place
                    case .trailing: size.width - place
                    }
                let weight = tie.priority == 1000 ? 1000 : 1
                let key = Key(isSafeArea: isSafeArea, edge: edge)
                found[key, default: [:]][(inset * 100).rounded() / 100, default: 0] += weight
            }
        }
        let device = reading.file.device
        for (key, all) in found {
            // The canvas is as it is stored; elsewhere frames that are out of date do not count.
            let values = all.filter { value, _ in
                if reading.isResolved { return true }
                return key.isSafeArea
                    ? device.canCover(value, at: key.edge) : device.canBeMargin(value, at: key.edge)
            }
            let best = values.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key ?? -1
            let extent = key.edge == .top || key.edge == .bottom ? size.height : size.width
            guard best >= 0, best < extent / 2 else { continue }
            if key.isSafeArea { safe[key.edge] = best } else { margins[key.edge] = best }
        }
    }

    /// What an anchor of the root or of a controller's guide tells.
    private static func inset(_ anchor: TieAnchor) -> (isSafeArea: Bool, edge: CanvasEdge)? {
        switch anchor.item {
        case .topGuide: return anchor.attribute == .bottom ? (true, .top) : nil
        case .bottomGuide: return anchor.attribute == .top ? (true, .bottom) : nil
        // A keyboard that is not shown ends where the safe area does.
        case .view(0) where anchor.guide == .keyboard:
            return anchor.attribute == .top ? (true, .bottom) : nil
        case .view(0):
            guard anchor.guide == .safeArea || anchor.guide == .margins,
                let edge = CanvasEdge(anchor.attribute)
            else { return nil }
            return (anchor.guide == .safeArea, edge)
        case .view: return nil
        }
    }

    /// Finds the bars at the top and bottom from centres and from the device.
    private mutating func chooseBars(_ reading: SceneReading, _ geometry: SceneGeometry) {
        func follows(_ anchor: TieAnchor?) -> Bool {
            guard let anchor else { return false }
            return anchor.item.view == nil || anchor.guide == .safeArea || anchor.guide == .margins
        }
        guard reading.ties.contains(where: { follows($0.first) || follows($0.second) }) else {
            return
        }
        var (tops, bottoms) = reading.file.device.barChoices
        let isController = reading.scene.root["key"] == "view"
        if !isController || !reading.file.usesSafeAreas && !reading.usesControllerGuides {
            tops.insert(0, at: 0)
            bottoms.insert(0, at: 0)
        }
        if let top = safe[.top] { tops = [top] }
        if let bottom = safe[.bottom] { bottoms = [bottom] }
        var choices: [(top: Double, bottom: Double)] = []
        for top in tops { for bottom in bottoms { choices.append((top, bottom)) } }
        if let shift = shift(reading, geometry) {
            // Centres lie half the difference of the bars below the middle.
            func miss(_ pair: (top: Double, bottom: Double)) -> Double {
                (max(0, (pair.top - pair.bottom - shift).magnitude - 1.01) * 1000).rounded()
            }
            let best = choices.enumerated().min {
                (miss($0.element), $0.offset) < (miss($1.element), $1.offset)
            }
            choices = best.map { [$0.element] } ?? []
        }
        barChoices = choices
    }

    private func shift(_ reading: SceneReading, _ geometry: SceneGeometry) -> Double? {
        var shift: Double?
        for tie in reading.ties where tie.isPlainEquality {
            for (inner, outer, sign) in pins(tie) {
                guard outer.item == .view(0), outer.attribute == .centerY,
                    outer.guide == .safeArea || outer.guide == .margins,
                    let place = geometry.edge(inner)
                else { continue }
                shift = 2 * (place + sign * tie.constant) - geometry.size.height
            }
        }
        return shift
    }
}
