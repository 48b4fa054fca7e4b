/// What a file of the page is without that which no browser needs: comments, indentation, and spaces that separate
/// nothing. Nothing is renamed or moved, and lines stay where they are, so that an error's line is that of the checkout.
///
/// The scanner knows what the page's files keep to: a slash divides after a name, a number, a closing bracket or a text,
/// and begins a regular expression elsewhere; style sheets have no selector in which a space stands after a colon.
struct PageCompaction {
    /// A line that says that the declaration below it is for other clients than the page.
    private static let cutMark = Array("// Not for the page.".utf8)
    /// Words after which a value begins, and with it perhaps a regular expression.
    private static let valueWords: Set<String> = [
        "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do",
        "await", "yield", "instanceof",
    ]

    private let source: [UInt8]
    private var result: [UInt8] = []
    private var at = 0
    /// For each `${` of a template that is open: how many braces are open within it.
    private var braces: [Int] = []

    /// Takes the bytes of a file as it is in the checkout.
    init(_ source: [UInt8]) {
        self.source = source
        result.reserveCapacity(source.count)
    }

    /// The file as it is served at a path.
    ///
    /// - Complexity: O(bytes).
    func file(_ path: String) -> [UInt8] {
        if path == "/page/scenesync.js" { return PageCompaction(cut()).script() }
        if path.hasSuffix(".js") { return script() }
        return path.hasSuffix(".css") ? styles() : lines()
    }

    // MARK: Parts for others

    /// Without each declaration below a mark: all that is indented more than its first line, and the line that ends it.
    func cut() -> [UInt8] {
        var rest = source.split(separator: 0x0A, omittingEmptySubsequences: false)[...]
        var kept: [ArraySlice<UInt8>] = []
        func indentation(_ line: ArraySlice<UInt8>) -> Int {
            line.prefix { $0 == 0x20 }.count
        }
        while let line = rest.popFirst() {
            let mark = line.dropFirst(indentation(line))
            guard mark.elementsEqual(Self.cutMark) else {
                kept.append(line)
                continue
            }
            kept.append([])
            while let next = rest.first, Self.isComment(next.dropFirst(indentation(next))) {
                rest.removeFirst()
                kept.append([])
            }
            guard rest.popFirst() != nil else { break }
            kept.append([])
            guard let next = rest.first, indentation(next) > indentation(line) else { continue }
            while let next = rest.popFirst() {
                kept.append([])
                if !next.isEmpty, indentation(next) <= indentation(line) { break }
            }
        }
        return Array(kept.joined(separator: [0x0A]))
    }

    private static func isComment(_ text: ArraySlice<UInt8>) -> Bool {
        text.starts(with: "//".utf8) || text.starts(with: "/*".utf8) || text.starts(with: "*".utf8)
    }

    // MARK: Scripts

    private consuming func script() -> [UInt8] {
        // A comment that browsers read is the first line.
        if source.starts(with: "//#".utf8) { copy(source.firstIndex(of: 0x0A) ?? source.count) }
        while at < source.count {
            let byte = source[at]
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"): space(joins: Self.joins)
            case UInt8(ascii: "\""), UInt8(ascii: "'"): text(byte)
            case UInt8(ascii: "`"): template()
            case UInt8(ascii: "{"):
                if !braces.isEmpty { braces[braces.count - 1] += 1 }
                copy(1)
            case UInt8(ascii: "}"):
                if braces.last == 0 {
                    braces.removeLast()
                    template()
                } else {
                    if !braces.isEmpty { braces[braces.count - 1] -= 1 }
                    copy(1)
                }
            case UInt8(ascii: "/"):
                if !comment(hasLines: true) { divisionOrExpression() }
            default: copy(1)
            }
        }
        return result
    }

    private mutating func copy(_ count: Int) {
        let end = min(source.count, at + count)
        result += source[at..<end]
        at = end
    }

    /// Spaces, of which ends of lines stay, and a space where it keeps its neighbours apart.
    private mutating func space(joins: (UInt8, UInt8) -> Bool) {
        var ends = 0
        while at < source.count, source[at] == 0x20 || source[at] == 0x09 || source[at] == 0x0A {
            if source[at] == 0x0A { ends += 1 }
            at += 1
        }
        if ends > 0 {
            result += repeatElement(0x0A, count: ends)
        } else if let last = result.last, at < source.count, joins(last, source[at]) {
            result.append(0x20)
        }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == 0x24 || byte == 0x5F || (0x30...0x39).contains(byte)
            || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    /// Whether two bytes would become one word or one operator side by side.
    private static func joins(_ left: UInt8, _ right: UInt8) -> Bool {
        isWord(left) && isWord(right)
            || left == right && "+-/".utf8.contains(left)
    }

    private mutating func text(_ quote: UInt8) {
        var end = at + 1
        while end < source.count, source[end] != quote {
            end += source[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        copy(end + 1 - at)
    }

    /// A template, or what of it stands behind a value, up to its end or the next value.
    private mutating func template() {
        var end = at + 1
        while end < source.count, source[end] != UInt8(ascii: "`") {
            if source[end...].starts(with: "${".utf8) {
                braces.append(0)
                return copy(end + 2 - at)
            }
            end += source[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        copy(end + 1 - at)
    }

    /// Leaves a comment out, but for its ends of lines; false where there is none.
    private mutating func comment(hasLines: Bool) -> Bool {
        let rest = source[at...]
        if hasLines, rest.starts(with: "//".utf8) {
            at = rest.firstIndex(of: 0x0A) ?? source.count
            return true
        }
        guard rest.starts(with: "/*".utf8) else { return false }
        at += 2
        while at < source.count, !source[at...].starts(with: "*/".utf8) {
            if source[at] == 0x0A { result.append(0x0A) }
            at += 1
        }
        at = min(source.count, at + 2)
        return true
    }

    private mutating func divisionOrExpression() {
        let before = result.last { $0 != 0x0A && $0 != 0x20 }
        let isAfterValue = before.map { Self.isWord($0) || ")]}\"'`".utf8.contains($0) } ?? false
        guard !isAfterValue || Self.valueWords.contains(lastWord) else { return copy(1) }
        var end = at + 1
        var isInClass = false
        while end < source.count, source[end] != UInt8(ascii: "/") || isInClass {
            switch source[end] {
            case UInt8(ascii: "\\"): end += 1
            case UInt8(ascii: "["): isInClass = true
            case UInt8(ascii: "]"): isInClass = false
            default: break
            }
            end += 1
        }
        copy(end + 1 - at)
    }

    private var lastWord: String {
        let text = result.reversed().drop { $0 == 0x20 || $0 == 0x0A }.prefix(while: Self.isWord)
        return String(decoding: text.reversed(), as: UTF8.self)
    }

    // MARK: Styles and documents

    private consuming func styles() -> [UInt8] {
        while at < source.count {
            let byte = source[at]
            switch byte {
            case 0x20, 0x0A: space { !"{};,:".utf8.contains($0) && !"{},;".utf8.contains($1) }
            case UInt8(ascii: "\""): text(byte)
            case UInt8(ascii: "/"): if !comment(hasLines: false) { copy(1) }
            default: copy(1)
            }
        }
        return result
    }

    private func lines() -> [UInt8] {
        let lines = source.split(separator: 0x0A, omittingEmptySubsequences: false)
        return Array(lines.map { $0.drop { $0 == 0x20 } }.joined(separator: [0x0A]))
    }
}
