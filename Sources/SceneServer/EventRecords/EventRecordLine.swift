import Glibc
import JSON
import SceneDocument
import SceneSession
import SceneWire

/// One line of the record of events: a JSON object without line feeds and control characters.
///
/// Numbers of 64 bits are written with all digits, which `JSONValue` cannot do.
struct EventRecordLine {
    private(set) var text: String

    /// Makes a line for a step of an event.
    init(_ record: EventRecord, room: String, at time: WallClockTime) {
        text = Self.head(room, time)
        switch record.step {
        case .received(let sender, let to, let event):
            name("received", record)
            add(sender)
            if to != 0 {
                add("to", to == SentEvent.everyone ? Self.quoted("everyone") : String(to))
            }
            add("kind", Self.quoted(event.kind.rawValue))
            add("view", Self.quoted(event.view))
            add("place", "[\(Self.number(event.x)),\(Self.number(event.y))]")
            let modifiers = EventModifiers.names(of: event.modifiers).map(Self.quoted)
            add("modifiers", "[\(modifiers.joined(separator: ","))]")
            add("tick", String(event.tick))
            add("value", event.value.text())
        case .delivered(let handler):
            name("delivered", record)
            add(handler)
        case .broadcast(let members):
            name("delivered", record)
            add("members", String(members))
        case .ended(let outcome, let code):
            name("ended", record)
            add("outcome", Self.quoted(outcome.rawValue))
            if !code.isEmpty { add("code", Self.quoted(code)) }
        }
        finish()
    }

    /// Makes a line for lines that were lost.
    init(lost count: Int, room: String, at time: WallClockTime) {
        text = Self.head(room, time)
        add("step", Self.quoted("lost"))
        add("lines", String(count))
        finish()
    }

    private static func head(_ room: String, _ time: WallClockTime) -> String {
        "{\"time\":\"\(time.text)\",\"room\":\(quoted(room))"
    }

    private mutating func name(_ step: String, _ record: EventRecord) {
        add("step", Self.quoted(step))
        add("session", Self.quoted(record.session))
        add("event", String(record.eventSequence))
    }

    private mutating func add(_ party: EventRecord.Party) {
        add("client", String(party.client))
        add("subject", Self.quoted(party.subject))
    }

    private mutating func add(_ key: String, _ value: String) {
        text += ",\"\(key)\":\(value)"
    }

    private mutating func finish() { text = text.escapingControls() + "}\n" }

    private static func quoted(_ text: String) -> String { JSONValue.string(text).text() }

    private static func number(_ value: Double) -> String {
        value.isFinite ? JSONValue.number(value).text() : "null"
    }
}

extension EventModifiers {
    /// The lower-case names of the modifier keys in a bit set, as in UI Events; unassigned bits
    /// have none.
    static func names(of bits: UInt8) -> [String] {
        [(shift, "shift"), (control, "control"), (alt, "alt"), (meta, "meta")]
            .filter { bits & $0.0 != 0 }.map(\.1)
    }
}

/// A moment of the system's clock.
struct WallClockTime: Sendable {
    /// Milliseconds since 1970 in UTC.
    var milliseconds: Int64

    init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The present moment.
    static var now: WallClockTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallClockTime(
            milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// The time in UTC in the format of RFC 3339 with milliseconds: `2026-01-31T09:05:07.042Z`.
    var text: String {
        var seconds = time_t(milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func padded(_ number: Int32, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let fraction = Int32(milliseconds - Int64(seconds) * 1000)
        return padded(parts.tm_year + 1900, 4) + "-" + padded(parts.tm_mon + 1, 2) + "-"
            + padded(parts.tm_mday, 2) + "T" + padded(parts.tm_hour, 2) + ":"
            + padded(parts.tm_min, 2) + ":" + padded(parts.tm_sec, 2) + "." + padded(fraction, 3)
            + "Z"
    }
}
