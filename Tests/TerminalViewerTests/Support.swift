import SceneDocument
import SceneWire
import SeededRandom

@testable import TerminalViewer

/// Random values of the kinds that these tests need.
struct Generator: RandomNumberGenerator {
    private var random: SplitMix64

    init(state: UInt64) { random = SplitMix64(seed: state) }

    mutating func next() -> UInt64 { random.next() }

    mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
    mutating func pick<T>(_ values: [T]) -> T { values[int(0...values.count - 1)] }
}

/// A scene under construction, in units of points; views are numbered in the order in which they
/// are added.
struct SceneBuilder {
    private(set) var records: [ViewRecord] = []

    init(width: Int, height: Int, _ style: (inout ViewContent) -> Void = { _ in }) {
        add("root", in: nil, 0, 0, width, height, style)
    }

    mutating func add(
        _ id: String, in parent: String?, _ x: Int, _ y: Int, _ width: Int, _ height: Int,
        _ style: (inout ViewContent) -> Void = { _ in }
    ) {
        var content = ViewContent()
        style(&content)
        records.append(
            ViewRecord(
                number: ViewNumber(UInt32(records.count)), id: id,
                parent: records.first { $0.id == parent }?.number,
                frame: QuantisedFrame(
                    x: Int32(x), y: Int32(y), width: Int32(width), height: Int32(height)),
                content: content))
    }

    /// A label with one line at its top left corner.
    mutating func label(
        _ text: String, in parent: String = "root", _ x: Int, _ y: Int, _ width: Int,
        _ height: Int = 16, align: TextAlignment = .left, lineX: Int = 0, lineWidth: Int? = nil
    ) {
        add("label\(records.count)", in: parent, x, y, width, height) { content in
            content.kind = .label
            content.align = align
            content.lines = [
                ContentLine(
                    text: text, x: Int32(lineX), y: 0, width: Int32(lineWidth ?? text.count * 8))
            ]
        }
    }

    /// A mirror that holds the scene, through a snapshot as a server sends it.
    func mirror(tick: UInt64 = 0) throws -> SceneMirror {
        var snapshot = Snapshot()
        snapshot.tick = tick
        snapshot.views = records
        for record in records {
            let parentID = records.first { $0.number == record.parent }?.id ?? ""
            let prefix = ViewHash.prefix(
                id: record.id, parentID: parentID, content: record.content)
            snapshot.stateHash &+= ViewHash.hash(prefix: prefix, frame: record.frame)
        }
        var mirror = SceneMirror()
        try mirror.apply(snapshot)
        return mirror
    }
}

/// 8 by 16 points a cell, a unit a point.
func standardMetrics() throws -> SceneMetrics {
    try SceneMetrics(unitsPerPoint: 1, cell: Size(width: 8, height: 16))
}

/// The rows of a scene's picture.
func picture(
    _ scene: SceneBuilder, size: GridSize? = nil, fit: SceneFit = .natural,
    offset: GridPoint = .zero
) throws -> [String] {
    try ScenePainter.paint(
        scene.mirror(), metrics: standardMetrics(), size: size, fit: fit, offset: offset
    ).lines
}

/// A screen that knows just the escape sequences that the viewer is meant to use, and refuses any
/// other.
struct ScreenEmulator {
    enum Failure: Error {
        case unknownSequence(String)
        case outsideScreen(GridPoint)
    }

    struct Place: Hashable {
        /// What was written; empty in the right half of a wide character.
        var text = " "
        var foreground = "39"
        var background = "49"
        var attributes: Set<String> = []
    }

    let size: GridSize
    private(set) var places: [Place]
    private(set) var pen = Place()
    private(set) var isSynchronizing = false
    private var cursor = GridPoint.zero

    init(size: GridSize) {
        self.size = size
        // What a terminal showed before is not the viewer's to know.
        places = Array(
            repeating: Place(text: "#", background: "41"), count: size.columns * size.rows)
    }

    func line(_ row: Int) -> String {
        places[row * size.columns..<(row + 1) * size.columns].map(\.text).joined()
    }

    mutating func feed(_ bytes: [UInt8]) throws {
        var rest = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
        while let scalar = rest.first {
            if scalar == "\u{1B}" {
                rest.removeFirst()
                guard rest.popFirst() == "[" else { throw Failure.unknownSequence("ESC") }
                var parameters = ""
                while let next = rest.first, next.value < 0x40 {
                    parameters.unicodeScalars.append(next)
                    rest.removeFirst()
                }
                let final = rest.popFirst() ?? " "
                try control(Character(final), parameters)
            } else if scalar.value < 0x20 {
                rest.removeFirst()
                switch scalar.value {
                case 0x08: cursor.column = max(0, cursor.column - 1)
                case 0x0B: cursor.row = min(size.rows - 1, cursor.row + 1)
                case 0x0D: cursor.column = 0
                default: throw Failure.unknownSequence("control \(scalar.value)")
                }
            } else {
                let text = rest.prefix { $0.value >= 0x20 }
                for character in String(text) { try put(character) }
                rest = rest[text.endIndex...]
            }
        }
    }

    private mutating func control(_ final: Character, _ parameters: String) throws {
        let fields = parameters.split(separator: ";", omittingEmptySubsequences: false)
        switch (final, parameters) {
        case ("J", "2"):
            places = Array(
                repeating: Place(text: " ", background: pen.background), count: places.count)
        case ("H", _):
            // A number that is left out is 1.
            cursor = GridPoint(
                column: (try fields.count > 1 ? count(fields[1]) : 1) - 1,
                row: try count(fields[0]) - 1)
        case ("A", _): cursor.row = max(0, cursor.row - (try count(fields[0])))
        case ("B", _): cursor.row = min(size.rows - 1, cursor.row + (try count(fields[0])))
        case ("C", _): cursor.column = min(size.columns - 1, cursor.column + (try count(fields[0])))
        case ("D", _): cursor.column = max(0, cursor.column - (try count(fields[0])))
        case ("h", "?2026"): isSynchronizing = true
        case ("l", "?2026"): isSynchronizing = false
        case ("m", _): try selectGraphics(fields.map(String.init))
        default: throw Failure.unknownSequence(parameters + String(final))
        }
    }

    private func count(_ field: Substring) throws -> Int {
        if field.isEmpty { return 1 }
        guard let count = Int(field), count > 0 else {
            throw Failure.unknownSequence(String(field))
        }
        return count
    }

    private mutating func selectGraphics(_ fields: [String]) throws {
        var fields = fields[...]
        while let field = fields.popFirst() {
            switch field.isEmpty ? 0 : Int(field) ?? -1 {
            case 0: pen = Place()
            case 1, 2, 4, 7: pen.attributes.insert(field)
            case 38, 48:
                let count = fields.first == "2" ? 4 : 2
                let color = ([field] + fields.prefix(count)).joined(separator: ";")
                if field == "38" { pen.foreground = color } else { pen.background = color }
                fields = fields.dropFirst(count)
            case 30...37, 39, 90...97: pen.foreground = field
            case 40...47, 49, 100...107: pen.background = field
            default: throw Failure.unknownSequence(field + "m")
            }
        }
    }

    private mutating func put(_ character: Character) throws {
        let columns = Cell(character).columns == 2 ? 2 : 1
        guard cursor.row >= 0, cursor.row < size.rows, cursor.column >= 0,
            cursor.column + columns <= size.columns
        else { throw Failure.outsideScreen(cursor) }
        let index = cursor.row * size.columns + cursor.column
        for half in index..<index + columns { breakWide(half) }
        var place = pen
        place.text = String(character)
        places[index] = place
        if columns == 2 {
            place.text = ""
            places[index + 1] = place
        }
        cursor.column += columns
    }

    /// Overwriting half of a wide character destroys the other half.
    private mutating func breakWide(_ index: Int) {
        if places[index].text.isEmpty { places[index - 1].text = "?" }
        let isLast = index % size.columns == size.columns - 1
        if !isLast, places[index + 1].text.isEmpty { places[index + 1].text = "?" }
    }

    /// What the screen must look like for a grid.
    static func expected(_ grid: CellGrid, colors: ColorDepth) -> [Place] {
        var places: [Place] = []
        for row in 0..<grid.height {
            for column in 0..<grid.width {
                let cell = grid[column, row]
                var place = Place()
                place.text = cell.isContinuation ? "" : String(cell.character)
                place.foreground = colors.parameters(cell.foreground, isBackground: false)
                place.background = colors.parameters(cell.background, isBackground: true)
                if cell.attributes.contains(.bold) { place.attributes.insert("1") }
                if cell.attributes.contains(.dim) { place.attributes.insert("2") }
                if cell.attributes.contains(.reverse) { place.attributes.insert("7") }
                if cell.attributes.contains(.underline) { place.attributes.insert("4") }
                places.append(place)
            }
        }
        return places
    }

    /// Whether two places look the same: a space has no ink unless it is reversed.
    static func looksAlike(_ one: Place, _ other: Place) -> Bool {
        if one == other { return true }
        return one.text == " " && other.text == " " && one.background == other.background
            && one.attributes.isDisjoint(with: ["4", "7"])
            && other.attributes.isDisjoint(with: ["4", "7"])
    }
}
