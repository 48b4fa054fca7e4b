import CharacterWidth
import SceneDocument

/// The meaning of a piece of the viewer's own text, which determines its look.
enum Tone: Hashable {
    case plain, faint, heading, key, good, warning, bad, accent

    var color: Color? {
        switch self {
        case .plain: nil
        case .faint: Color(rgba: 0x7A82A8FF)
        case .heading: Color(rgba: 0x7AA2F7FF)
        case .key: Color(rgba: 0xE0AF68FF)
        case .good: Color(rgba: 0x73C936FF)
        case .warning: Color(rgba: 0xE0AF68FF)
        case .bad: Color(rgba: 0xF7768EFF)
        case .accent: Color(rgba: 0x7DCFFFFF)
        }
    }

    var attributes: Cell.Attributes {
        switch self {
        case .heading, .key, .bad: .bold
        case .faint: .dim
        case .plain, .good, .warning, .accent: []
        }
    }
}

/// A piece of a line.
struct Span: Hashable {
    var text: String
    var tone = Tone.plain

    init(_ text: String, _ tone: Tone = .plain) {
        self.text = text
        self.tone = tone
    }
}

/// The object that a line of a panel represents, for keys that act on it.
enum PanelItem: Hashable {
    case view(String)
    case constraint(String)
    case set(String)
    case op(Int)
    case member(UInt32)
}

/// A line of a panel.
struct PanelLine: Hashable {
    var spans: [Span]
    /// Set for selectable lines.
    var item: PanelItem?

    init(_ spans: [Span], item: PanelItem? = nil) {
        self.spans = spans
        self.item = item
    }

    init(_ text: String, _ tone: Tone = .plain, item: PanelItem? = nil) {
        self.init([Span(text, tone)], item: item)
    }

    static let empty = PanelLine("")
    static func heading(_ text: String) -> PanelLine { PanelLine(text, .heading) }

    /// The line without its tones.
    var text: String { spans.map(\.text).joined() }
}

/// The lines of a panel, made on demand.
struct PanelContent {
    var title: String
    var count: Int
    var line: (Int) -> PanelLine

    init(title: String, lines: [PanelLine]) {
        self.title = title
        count = lines.count
        line = { lines[$0] }
    }

    init(title: String, count: Int, line: @escaping (Int) -> PanelLine) {
        self.title = title
        self.count = count
        self.line = line
    }

    /// The first selectable line from `start` in the direction.
    func choosable(from start: Int, forward: Bool) -> Int? {
        var index = start
        while index >= 0, index < count {
            if line(index).item != nil { return index }
            index += forward ? 1 : -1
        }
        return nil
    }
}

/// The open panel, with its cursor and scroll position.
struct Panel: Hashable {
    enum Kind: Hashable, CaseIterable {
        case inspector, trace, tree, sets, log, members
    }

    var kind: Kind
    /// The line that keys act on.
    var cursor = 0
    /// The first visible line.
    var scroll = 0

    init(_ kind: Kind) { self.kind = kind }

    /// Moves to a selectable line, or scrolls if there is none.
    mutating func move(by distance: Int, in content: PanelContent, height: Int) {
        guard content.count > 0 else { return }
        let target = min(max(cursor + distance, 0), content.count - 1)
        let found =
            content.choosable(from: target, forward: distance > 0)
            ?? content.choosable(from: target, forward: distance <= 0)
        if let found {
            cursor = found
            show(found, height: height)
            // What stands above the first line that can be chosen is seen as well.
            if content.choosable(from: 0, forward: true) == found, found < height { scroll = 0 }
        } else {
            scroll = min(max(scroll + distance, 0), max(0, content.count - height))
        }
    }

    /// Scrolls until a line is visible.
    mutating func show(_ line: Int, height: Int) {
        guard height > 0 else { return }
        scroll = min(max(scroll, line - height + 1), line)
    }

    /// The object that keys act on.
    func item(in content: PanelContent) -> PanelItem? {
        cursor < content.count && cursor >= 0 ? content.line(cursor).item : nil
    }

    /// Clamps cursor and scroll position.
    mutating func clamp(to content: PanelContent, height: Int) {
        cursor = min(max(cursor, 0), max(0, content.count - 1))
        if content.count > 0, content.line(cursor).item == nil {
            cursor =
                content.choosable(from: cursor, forward: true)
                ?? content.choosable(from: cursor, forward: false) ?? cursor
        }
        scroll = min(max(scroll, 0), max(0, content.count - max(1, height)))
    }
}

extension CellGrid {
    /// Writes spans one after another, cut with an ellipsis at the clip's right edge.
    @discardableResult
    mutating func write(
        _ spans: [Span], column: Int, row: Int, clip: CellRect, attributes: Cell.Attributes = []
    ) -> Int {
        var column = column
        for span in spans {
            let text = fitted(span.text, columns: clip.right - column)
            column = write(
                text, column: column, row: row, clip: clip, foreground: span.tone.color,
                attributes: attributes.union(span.tone.attributes))
            guard text == span.text || column < clip.right else { break }
        }
        return column
    }

    /// Draws a panel: a line at its left, a title, and as many lines as fit.
    mutating func draw(_ content: PanelContent, _ panel: Panel, in area: CellRect, hasFocus: Bool) {
        clear(area)
        guard area.columns > 2, area.rows > 0 else { return }
        for row in area.top..<area.bottom {
            write("│", column: area.left, row: row, clip: area, foreground: Tone.faint.color)
        }
        let inner = CellRect(
            left: area.left + 2, top: area.top, right: area.right, bottom: area.bottom)
        write(
            [Span(content.title, hasFocus ? .key : .heading)], column: inner.left, row: inner.top,
            clip: inner)
        for row in inner.top + 1..<max(inner.top + 1, inner.bottom) {
            let index = panel.scroll + row - inner.top - 1
            guard index < content.count else { break }
            let line = content.line(index)
            let isChosen = hasFocus && index == panel.cursor && line.item != nil
            write(
                line.spans, column: inner.left, row: row, clip: inner,
                attributes: isChosen ? .reverse : [])
        }
        if let thumb = ScrollBar.thumb(
            content: content.count, shown: inner.rows - 1, offset: panel.scroll,
            cells: inner.rows - 1)
        {
            for row in thumb {
                write(
                    "┃", column: area.left, row: inner.top + 1 + row, clip: area,
                    foreground: Tone.heading.color)
            }
        }
    }
}
