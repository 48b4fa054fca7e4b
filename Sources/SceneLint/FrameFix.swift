import InterfaceBuilder
import LayoutValues

/// Changes of files of which the result is certain.
enum FrameFix {
    /// Writes a frame over the stored one, attribute by attribute: no other byte changes.
    static func fix(_ item: LintScene.Item, _ frame: Rect, in file: InterfaceFile) -> LintFix? {
        guard let rect = item.element?.child("rect", key: "frame") else { return nil }
        let tag = file.bytes[rect.tag]
        guard var text = String(validating: tag, as: UTF8.self) else { return nil }
        let values = [
            ("x", frame.minX), ("y", frame.minY), ("width", frame.width), ("height", frame.height),
        ]
        for (name, value) in values {
            guard rect.number(name) != value else { continue }
            guard let start = text.firstRange(of: " \(name)=\""),
                let end = text[start.upperBound...].firstIndex(of: "\"")
            else { return nil }
            text.replaceSubrange(start.upperBound..<end, with: Self.text(value, name))
        }
        let replacement = Array(text.utf8)
        return replacement == Array(tag) ? nil : LintFix(bytes: rect.tag, replacement: replacement)
    }

    /// A number as Xcode writes it: `0.0` for places, whole numbers without a point.
    private static func text(_ value: Double, _ name: String) -> String {
        if value == 0 { return "0.0" }
        return value == value.rounded() && value.magnitude < 1e9
            ? String(Int(value)) : String(value)
    }

    /// Removes an element with its line.
    static func removal(_ item: LintScene.Item, in file: InterfaceFile) -> LintFix? {
        guard let element = item.element else { return nil }
        var start = element.bytes.lowerBound
        var end = element.bytes.upperBound
        while start > 0, file.bytes[start - 1] == 32 || file.bytes[start - 1] == 9 { start -= 1 }
        // The line goes only if nothing else stands on it.
        let startsLine = start == 0 || file.bytes[start - 1] == 10
        if end < file.bytes.count, file.bytes[end] == 13 { end += 1 }
        guard startsLine, end < file.bytes.count, file.bytes[end] == 10 else {
            return LintFix(bytes: element.bytes, replacement: [])
        }
        return LintFix(bytes: start..<end + 1, replacement: [])
    }

    /// Applies fixes to the bytes of a file; of two that touch the same bytes the first counts.
    static func apply(_ fixes: [LintFix], to bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var place = 0
        for fix in fixes.sorted(by: { $0.bytes.lowerBound < $1.bytes.lowerBound })
        where fix.bytes.lowerBound >= place && fix.bytes.upperBound <= bytes.count {
            result += bytes[place..<fix.bytes.lowerBound]
            result += fix.replacement
            place = fix.bytes.upperBound
        }
        return result + bytes[place...]
    }
}
