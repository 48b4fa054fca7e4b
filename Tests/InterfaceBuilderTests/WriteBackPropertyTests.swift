import ConstraintLanguage
import Foundation
import JSON
import SceneDocument
import SceneModel
import SeededRandom
import Testing

@testable import InterfaceBuilder

/// Random changes of scenes: what was accepted is in the file, and nothing else differs.
///
/// `SCENESYNC_INTERFACES` names a folder of further files; `SCENESYNC_WRITES` is how many changes
/// are made in all.
@Suite("Random changes, written back")
struct WriteBackPropertyTests {
    private static let count =
        ProcessInfo.processInfo.environment["SCENESYNC_WRITES"].flatMap(Int.init) ?? 400

    /// As `open --edit` has them.
    private static let options: ConversionOptions = {
        var options = ConversionOptions()
        options.hasContents = true
        return options
    }()

    private static func files() -> [(path: String, bytes: [UInt8])] {
        var files = [
            ("Form.storyboard", Array(SampleFiles.form().utf8)),
            ("Merge.xib", Array(InterfaceMergeTests.base.utf8)),
            // Line ends of another system stay.
            ("Lines.xib", Array(SampleFiles.form().replacing("\n", with: "\r\n").utf8)),
        ]
        guard let folder = ProcessInfo.processInfo.environment["SCENESYNC_INTERFACES"] else {
            return files
        }
        let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }
        for path in (paths ?? []).sorted()
        where path.hasSuffix(".storyboard") || path.hasSuffix(".xib") {
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(path)") else {
                continue
            }
            files.append((path, Array(data)))
        }
        return files
    }

    // MARK: Random ops

    private struct Maker {
        var random: SplitMix64
        let scene: WrittenScene

        /// An op, and the elements that it may change.
        mutating func op() throws -> (op: Op, touched: [String]) {
            let document = scene.model.document()
            let constraints = document.constraints.compactMap(\.id)
            let views = document.views.map(\.id)
            let view = random.pick(views)
            guard random.below(5) < 3, let id = constraints.isEmpty ? nil : random.pick(constraints)
            else { return (try viewOp(view, document), [view]) }
            switch random.below(6) {
            case 0: return (.removeConstraint(id: id), [id])
            case 1:
                let other = random.pick(views)
                let text = random.pick([
                    "\(view).width >= \(random.below(90)) @\(1 + random.below(999))",
                    "\(view).leading == \(other).leading + \(random.below(50)) @300",
                    "\(view).top >= \(other).bottom + 8 @700",
                    "\(view).centerX == \(other).margins.centerX @20",
                    "\(view).bottom <= \(other).safeArea.bottom - 3 @400",
                    "\(view).height == 0.5 * \(other).height @1",
                ])
                let name = random.chance(1, of: 2) ? "n\(random.below(1000))" : nil
                let spec = ConstraintSpec(id: name, body: .rule(try Rule.parse(text)))
                return (.addConstraint(spec), [view, other])
            case 2: return (.setConstraint(id: id, priority: Double(1 + random.below(1000))), [id])
            case 3: return (.setConstraint(id: id, active: random.chance(1, of: 2)), [id])
            case 4:
                return (.setConstraint(id: id, multiplier: Double(1 + random.below(4)) / 2), [id])
            default:
                return (.setConstraint(id: id, constant: Double(random.below(200)) / 2 - 20), [id])
            }
        }

        private mutating func viewOp(_ id: String, _ document: SceneDocument) throws -> Op {
            let kind = document.views.first { $0.id == id }?.properties.kind ?? .view
            var keys = [
                #""hidden":\#(random.chance(1, of: 2))"#, #""opacity":\#(random.below(5))e-1"#,
                #""background":"\#(random.pick(["#123456", "#ff000080", "systemBackground", "separator"]))""#,
                #""hugging":[\#(1 + random.below(999)),\#(1 + random.below(999))]"#,
                #""compression":[\#(1 + random.below(999)),750]"#,
                #""clips":\#(random.chance(1, of: 2))"#,
                #""cornerRadius":\#(random.below(9))"#, #""label":"\#(text())""#,
                #""margins":[\#(random.below(9)),1,2.5,3]"#,
                #""installed":\#(random.chance(1, of: 2))"#,
                #""enabled":\#(random.chance(1, of: 2))"#, #""contentMode":"center""#,
            ]
            switch kind {
            case .label:
                keys += [
                    #""text":"\#(text())""#, #""lines":\#(random.below(4))"#,
                    #""align":"\#(random.pick(["left", "center", "natural"]))""#,
                    #""foreground":"\#(random.pick(["#00ff00", "label"]))""#,
                    #""fontSize":\#(1 + random.below(20))"#, #""lineBreakMode":"byWordWrapping""#,
                    #""minimumScaleFactor":0.5"#, #""dynamicType":\#(random.chance(1, of: 2))"#,
                ]
            case .button: keys += [#""text":"\#(text())""#, ##""foreground":"#0000ff""##]
            case .stack:
                keys += [
                    #""spacing":\#(random.below(30))"#,
                    #""axis":"\#(random.pick(["horizontal", "vertical"]))""#,
                    #""alignment":"\#(random.pick(["fill", "center", "leading"]))""#,
                    #""distribution":"\#(random.pick(["fill", "equalSpacing", "fillEqually"]))""#,
                ]
            case .textField: keys += [#""placeholder":"\#(text())""#]
            default: break
            }
            let json = #"[{"op":"setView","id":"\#(id)",\#(random.pick(keys))}]"#
            return try #require(try Op.parseList(Array(json.utf8)).first)
        }

        private mutating func text() -> String {
            random.pick([
                "", "A", "Größe", "<b> & 'c'", #"\"q\""#, #"two\nlines"#, "日本", #"tab\t"#,
                #"\u0002"#, #"a\r\nb"#, "\u{2028}", "]]>",
            ])
        }
    }

    // MARK: The property

    /// Lines of the original that no touched element has: all of them must be in the written file,
    /// in their order.
    private func keptLines(
        _ scene: WrittenScene, touched: Set<String>
    ) throws -> [ArraySlice<UInt8>] {
        let lines = scene.original.split(separator: 10, omittingEmptySubsequences: false)
        var open = Set<Int>()
        let conversion = scene.writer.conversion
        func mark(_ range: Range<Int>) {
            let first = scene.original[..<range.lowerBound].count { $0 == 10 }
            let last = scene.original[..<range.upperBound].count { $0 == 10 }
            open.formUnion(first...last)
        }
        for name in touched {
            guard let element = (conversion.views[name] ?? conversion.constraints[name])?.element
            else { continue }
            mark(element.name == "constraint" ? element.bytes : element.tag)
            for child in element.children where child.name != "subviews" { mark(child.bytes) }
            // The end tag of what may be opened, the list that may go, and the masks of the view
            // around.
            var parent = element.parent
            while let outer = parent, outer.name == "constraints" || outer.name == "subviews" {
                if outer.name == "constraints" {
                    mark(outer.tag)
                    mark(
                        max(
                            outer.bytes.lowerBound, outer.bytes.upperBound - 1)..<outer.bytes
                            .upperBound)
                }
                for variation in outer.parent?.children("variation") ?? [] { mark(variation.bytes) }
                parent = nil
            }
            for other in scene.writer.conversion.scene.file.tree.root.subtree
            where other["reference"] == element["id"] { mark(other.bytes) }
        }
        // Frames may follow the constraints.
        let frame = Array(#"<rect key="frame""#.utf8)
        return lines.indices.filter { !open.contains($0) }.map { lines[$0] }
            .filter { $0.firstRange(of: frame) == nil }
    }

    /// The first line that is not there in its order.
    private func lost(_ part: [ArraySlice<UInt8>], in whole: [ArraySlice<UInt8>]) -> String? {
        var next = whole.startIndex
        for line in part {
            guard let place = whole[next...].firstIndex(of: line) else {
                return String(decoding: line, as: UTF8.self)
            }
            next = place + 1
        }
        return nil
    }

    @Test("what was accepted is read again, other lines stay, and without changes all do")
    func changes() throws {
        var random = SplitMix64(seed: 0x3B)
        var (accepted, refused, reasons) = (0, 0, [String: Int]())
        let files = Self.files()
        var scenes: [WrittenScene] = []
        for (path, bytes) in files {
            guard let file = try? InterfaceFile(bytes, path: path) else { continue }
            for scene in file.scenes.prefix(12) {
                if let made = try? WrittenScene(
                    bytes, path: path, scene: scene.id, options: Self.options),
                    made.writer.conversion.scene.root.line == scene.root.line
                {
                    scenes.append(made)
                }
            }
        }
        #expect(scenes.count >= 3)
        var next = 0
        while accepted < Self.count, next < 50 * Self.count {
            let source = scenes[next % scenes.count]
            next += 1
            let scene = try WrittenScene(
                source.original, path: source.path, scene: source.id, options: Self.options)
            #expect(try scene.written() == scene.original, "\(scene.path) \(scene.id)")
            var maker = Maker(random: SplitMix64(seed: random.next()), scene: scene)
            var touched: Set<String> = []
            var ops: [Op] = []
            for _ in 0..<6 {
                let (op, names) = try maker.op()
                if let reason = scene.perform(op) {
                    refused += 1
                    reasons[String(reason.prefix(40)), default: 0] += 1
                    continue
                }
                accepted += 1
                ops.append(op)
                touched.formUnion(names)
                let story = "\(scene.path) \(scene.id): \(ops.map { $0.json.text() })"
                let bytes: [UInt8]
                do { bytes = try scene.written() } catch {
                    Issue.record("\(error) after \(story)")
                    return
                }
                let kept = try keptLines(scene, touched: touched)
                let lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
                let lost = lost(kept, in: lines)
                try #require(lost == nil, "\(lost ?? "") is gone after \(story)")
                // At most ten lines come with a change.
                let before = scene.original.count { $0 == 10 }
                try #require(lines.count <= before + 1 + 10 * ops.count, "\(story)")
            }
        }
        #expect(accepted >= Self.count)
        #expect(refused > 0)
        if ProcessInfo.processInfo.environment["SCENESYNC_WRITES"] != nil {
            print(
                "\(scenes.count) scenes of \(files.count) files, \(accepted) changes, \(refused) refused"
            )
            for (reason, count) in reasons.sorted(by: { $0.value > $1.value }).prefix(20) {
                print("\(count) × \(reason)")
            }
        }
    }
}
