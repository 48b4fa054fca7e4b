import Glibc

/// Figures as people read them.
enum Words {
    /// Bytes with three digits at most: `312 B`, `4.1 kB`, `27 MB`.
    static func bytes(_ count: Double) -> String {
        var value = max(0, count)
        for unit in ["B", "kB", "MB", "GB"] {
            if value < 999.5 || unit == "GB" {
                return "\(digits(value, unit == "B" || value >= 9.95 ? 0 : 1)) \(unit)"
            }
            value /= 1000
        }
        preconditionFailure("the last unit takes all")
    }

    /// A number with `places` digits behind the point, rounded to the nearest.
    static func digits(_ value: Double, _ places: Int) -> String {
        let scale = places == 0 ? 1 : 10.0
        let scaled = (value * scale).rounded()
        let whole = UInt64(scaled / scale)
        return places == 0 ? "\(whole)" : "\(whole).\(UInt64(scaled) % 10)"
    }

    /// `1 person`, `3 people`.
    static func people(_ count: Int) -> String { count == 1 ? "1 person" : "\(count) people" }

    /// The time of day here, as `HH:MM:SS`, and its parts.
    static func time(_ now: tm) -> String {
        [now.tm_hour, now.tm_min, now.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: ":")
    }

    /// The day here, as `YYYY-MM-DD`.
    static func date(_ now: tm) -> String {
        "\(1900 + now.tm_year)-"
            + [now.tm_mon + 1, now.tm_mday].map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: "-")
    }

    /// The time here and now.
    static var now: tm {
        var seconds = Glibc.time(nil)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return parts
    }
}
