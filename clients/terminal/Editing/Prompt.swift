import CharacterWidth
import ConstraintLanguage
import JSON
import SceneDocument

/// A question at the bottom of the screen, and the answer being typed.
struct Prompt: Hashable {
    enum Purpose: Hashable {
        case find
        /// The present rule of that constraint.
        case rule(id: String, old: String, isActive: Bool, set: String?)
        case addConstraint
        case addView(parent: String)
        case reparent(id: String)
        case priority(id: String)
        case constant(id: String)
        case viewport
        case text(id: String)
        case op
    }

    /// The reason why an answer is invalid, and its position.
    struct Fault: Error, Hashable {
        var message: String
        /// In characters from the start.
        var offset = 0
    }

    /// The available names.
    struct Names: Hashable {
        var views: [String] = []
        var guides: [String] = []
        var all: [String] { views + guides }
    }

    let purpose: Purpose
    var editor: LineEditor
    private(set) var choices = RuleCompletion.Choices()
    /// The index of the choice inserted by the tab key.
    private var chosen: Int?
    /// The text before the first choice was inserted.
    private var stem: LineEditor?
    var fault: Fault?

    init(_ purpose: Purpose, _ text: String = "", names: Names) {
        self.purpose = purpose
        editor = LineEditor(text)
        update(names)
    }

    var label: String {
        switch purpose {
        case .find: "find: "
        case .rule(let id, _, _, _): "\(id): "
        case .addConstraint: "add rule: "
        case .addView(let parent): "add view to \(parent) (ID [KIND] [TEXT]): "
        case .reparent(let id): "move \(id) to: "
        case .priority(let id): "priority of \(id): "
        case .constant(let id): "constant of \(id): "
        case .viewport: "viewport (WIDTHxHEIGHT points): "
        case .text(let id): "text of \(id): "
        case .op: "op: "
        }
    }

    private var isRule: Bool {
        switch purpose {
        case .rule, .addConstraint: true
        default: false
        }
    }

    // MARK: Typing

    /// Handles a key; returns false if it has no meaning in a prompt.
    mutating func press(_ key: Key, names: Names) -> Bool {
        switch key {
        case .tab: choose(forward: true, names)
        case .backTab: choose(forward: false, names)
        default:
            guard editor.press(key) else { return false }
            chosen = nil
            stem = nil
            update(names)
        }
        return true
    }

    private mutating func choose(forward: Bool, _ names: Names) {
        guard !choices.texts.isEmpty else { return }
        let base = stem ?? editor
        stem = base
        let count = choices.texts.count
        let next =
            chosen.map { ($0 + (forward ? 1 : count - 1)) % count } ?? (forward ? 0 : count - 1)
        chosen = next
        editor = base
        editor.replace(last: choices.replaced, with: choices.texts[next])
        fault = Self.fault(of: editor.text, purpose, names)
        if count == 1 {
            chosen = nil
            stem = nil
            update(names)
        }
    }

    private mutating func update(_ names: Names) {
        switch purpose {
        case .rule, .addConstraint:
            choices = RuleCompletion.choices(after: editor.beforeCursor, items: names.all)
        case .reparent, .find:
            choices = NameCompletion.choices(after: editor.beforeCursor, names: names.views)
        case .addView, .priority, .constant, .viewport, .op, .text:
            choices = RuleCompletion.Choices()
        }
        fault = Self.fault(of: editor.text, purpose, names)
    }

    /// The error in a text so far; an empty text is only incomplete.
    private static func fault(of text: String, _ purpose: Purpose, _ names: Names) -> Fault? {
        guard !text.isEmpty else { return nil }
        switch purpose {
        case .rule, .addConstraint: return ruleFault(text, names)
        case .priority:
            guard let value = Double(text), (1...1000).contains(value) else {
                return Fault(message: "a priority is a number from 1 to 1000")
            }
        case .constant:
            guard let value = Double(text), value.magnitude <= 1e6 else {
                return Fault(message: "a constant is a number")
            }
        case .viewport:
            guard viewport(text) != nil else {
                return Fault(message: "WIDTHxHEIGHT, each from 0 to 100000")
            }
        case .reparent:
            guard names.views.contains(text) else {
                return Fault(message: "there is no view \"\(text)\"")
            }
        case .addView:
            do throws(Fault) { _ = try NewView(text, names) } catch { return error }
        case .op:
            do throws(JSONError) { _ = try JSONReader.read(Array(text.utf8)) } catch {
                return Fault(message: error.message, offset: max(0, error.column - 1))
            }
        case .find, .text: break
        }
        return nil
    }

    private static func ruleFault(_ text: String, _ names: Names) -> Fault? {
        let rule: Rule
        do throws(LanguageError) { rule = try Rule.parse(text) } catch {
            let expected = error.expected.isEmpty ? "" : "; expected \(error.expectedText)"
            return Fault(
                message: error.message + expected, offset: characters(text, scalars: error.offset))
        }
        guard !names.views.isEmpty else { return nil }
        for anchor in [rule.first, rule.second].compactMap({ $0 })
        where !names.all.contains(anchor.item.id) {
            let offset = text.firstRange(of: anchor.item.id).map {
                text.distance(from: text.startIndex, to: $0.lowerBound)
            }
            return Fault(message: "there is no view \"\(anchor.item.id)\"", offset: offset ?? 0)
        }
        return nil
    }

    /// Scalars as characters.
    private static func characters(_ text: String, scalars: Int) -> Int {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(scalars))).count
    }

    /// Reads `WIDTHxHEIGHT` in points.
    static func viewport(_ text: String) -> Size? {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let width = Double(parts[0]), let height = Double(parts[1]),
            (0...100_000).contains(width), (0...100_000).contains(height)
        else { return nil }
        return Size(width: width, height: height)
    }

    // MARK: Drawing

    /// The question, with the error or the possible continuations below it.
    static let height = 2

    func draw(on grid: inout CellGrid, in area: CellRect) {
        grid.clear(area)
        guard area.columns > 0, area.rows >= Self.height else { return }
        let labelColumns = min(displayWidth(of: label), max(0, area.columns - 12))
        let start = area.left + 1 + labelColumns
        grid.write(
            [Span(fitted(label, columns: labelColumns), .key)], column: area.left + 1,
            row: area.top, clip: area)
        // The cursor stays in sight: the text is moved left where it is too long.
        let room = max(1, area.right - start - 1)
        let widths = editor.characters.map { max(1, displayWidth(of: $0)) }
        var first = 0
        while widths[first..<editor.cursor].reduce(0, +) > room - 1, first < editor.cursor {
            first += 1
        }
        let line = CellRect(
            left: start, top: area.top, right: area.right, bottom: area.top + 1)
        var column = start
        var cursorColumn = start
        var faultColumn = start
        for index in first...editor.characters.count {
            if index == editor.cursor { cursorColumn = column }
            if let fault, index <= fault.offset { faultColumn = column }
            guard index < editor.characters.count, column < line.right else { break }
            let isFaulty = fault.map { index >= $0.offset } ?? false
            column = grid.write(
                String(editor.characters[index]), column: column, row: area.top, clip: line,
                foreground: isFaulty && isRule ? Tone.bad.color : nil)
        }
        grid.restyle(
            CellRect(
                left: cursorColumn, top: area.top, right: cursorColumn + 1, bottom: area.top + 1)
        ) { $0.attributes.formSymmetricDifference(.reverse) }
        drawHints(on: &grid, in: area, faultColumn: faultColumn)
    }

    private func drawHints(on grid: inout CellGrid, in area: CellRect, faultColumn: Int) {
        let row = area.top + 1
        var column = area.left + 1
        if !choices.texts.isEmpty {
            for (index, text) in choices.texts.prefix(24).enumerated() {
                guard column < area.right - 2 else { break }
                column = grid.write(
                    [Span(text, index == chosen ? .key : .accent), Span("  ")], column: column,
                    row: row, clip: area, attributes: index == chosen ? .underline : [])
            }
        }
        guard let fault, isRule ? choices.texts.isEmpty : true else {
            if fault != nil {
                grid.restyle(
                    CellRect(
                        left: faultColumn, top: area.top, right: faultColumn + 1,
                        bottom: area.top + 1)
                ) { $0.attributes.insert(.underline) }
            }
            return
        }
        // The caret stands under the place; the message beside it, where there is more room.
        let columns = displayWidth(of: fault.message)
        let caret = min(faultColumn, area.right - 1)
        let room = (left: caret - area.left - 2, right: area.right - caret - 2)
        if columns <= room.right || room.right >= room.left {
            grid.write([Span("^ \(fault.message)", .bad)], column: caret, row: row, clip: area)
        } else {
            let text = fitted(fault.message, columns: max(0, room.left))
            let left = max(area.left + 1, caret - 1 - displayWidth(of: text))
            grid.write([Span("\(text) ^", .bad)], column: left, row: row, clip: area)
        }
    }
}

/// A view to be added, as typed: its id, its kind, its text.
struct NewView: Hashable {
    var id: String
    var kind = ViewKind.view
    var text: String?

    init(_ line: String, _ names: Prompt.Names) throws(Prompt.Fault) {
        let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
        guard let id = parts.first, Identifier.isValid(id) else {
            throw Prompt.Fault(message: "a name is a letter or _, then letters, digits, _ and -")
        }
        guard !names.all.contains(id) else {
            throw Prompt.Fault(message: "there is a view \"\(id)\" already")
        }
        self.id = id
        guard parts.count > 1 else { return }
        guard let kind = ViewKind(rawValue: parts[1]) else {
            let kinds = ViewKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw Prompt.Fault(message: "a kind is one of \(kinds)", offset: id.count + 1)
        }
        self.kind = kind
        if parts.count > 2 { text = parts[2] }
    }
}
