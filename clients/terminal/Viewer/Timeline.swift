import SceneWire

/// Navigation in a room's past: the shown tick, and the speed of play.
struct Timeline: Hashable {
    /// Speeds in recorded ticks per tick.
    static let speeds: [Double] = [0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64]

    /// Whether the present is shown.
    private(set) var isLive = true
    private(set) var isPlaying = false
    private(set) var speed = 1.0
    /// The last requested tick, until it is shown.
    private(set) var wanted: UInt64?
    /// The shown tick.
    private(set) var shown: UInt64
    /// The last known tick of the present, and its time.
    private var present: UInt64
    private var presentTime: Double
    private let rate: Double

    /// Beyond it ticks are not exact in JSON, nor in drawing; no room reaches it.
    private static let tickMaximum: UInt64 = 1 << 53

    init(tick: UInt64, rate: UInt32, now: Double) {
        let tick = min(tick, Self.tickMaximum)
        shown = tick
        present = tick
        presentTime = now
        self.rate = Double(max(1, rate))
    }

    /// The room's present tick.
    func liveTick(_ now: Double) -> UInt64 {
        min(present + UInt64(max(0, min((now - presentTime) * rate, 1e12))), Self.tickMaximum)
    }

    /// Registers the tick of the picture.
    mutating func note(tick: UInt64, now: Double) {
        let tick = min(tick, Self.tickMaximum)
        if isLive {
            present = tick
            presentTime = now
        }
        shown = tick
        wanted = nil
    }

    /// Registers that the server shows the present.
    mutating func becameLive() {
        isLive = true
        isPlaying = false
        wanted = nil
    }

    // MARK: Moving

    mutating func seek(to tick: UInt64, now: Double) -> Seek {
        let target = min(tick, liveTick(now))
        isLive = false
        wanted = target
        return message(target)
    }

    mutating func step(bySeconds seconds: Double, now: Double) -> Seek? {
        step(byTicks: Int((seconds * rate).rounded()), now: now)
    }

    /// Nil if that is beyond the present, which returns to live.
    mutating func step(byTicks ticks: Int, now: Double) -> Seek? {
        if isLive, ticks > 0 { return nil }
        let start = Int(clamping: wanted ?? (isLive ? liveTick(now) : shown))
        let target = max(0, start + ticks)
        guard target < Int(clamping: liveTick(now)) else { return goLive() }
        return seek(to: UInt64(target), now: now)
    }

    mutating func goLive() -> Seek {
        becameLive()
        return Seek()
    }

    mutating func togglePlay(now: Double) -> Seek? {
        guard !isLive else { return nil }
        isPlaying.toggle()
        let target = wanted ?? shown
        wanted = target
        return message(target)
    }

    /// Doubles or halves the speed.
    mutating func changeSpeed(faster: Bool) -> Seek? {
        let size = speed.magnitude
        let next =
            faster ? Self.speeds.first { $0 > size } : Self.speeds.last { $0 < size }
        guard let next else { return nil }
        speed = speed < 0 ? -next : next
        return isPlaying && !isLive ? message(wanted ?? shown) : nil
    }

    /// Reverses the direction.
    mutating func reverse() -> Seek? {
        speed = -speed
        return isPlaying && !isLive ? message(wanted ?? shown) : nil
    }

    private func message(_ tick: UInt64) -> Seek {
        var seek = Seek()
        seek.isLive = false
        seek.tick = tick
        seek.speed = isPlaying ? speed : 0
        return seek
    }

    // MARK: Drawing

    static let height = 2

    /// The tick at a column of the bar.
    func tick(atColumn column: Int, columns: Int, now: Double) -> UInt64 {
        guard columns > 1 else { return 0 }
        let share = Double(min(max(column, 0), columns - 1)) / Double(columns - 1)
        return UInt64((share * Double(liveTick(now))).rounded())
    }

    func draw(on grid: inout CellGrid, in area: CellRect, now: Double) {
        grid.clear(area)
        guard area.columns > 0, area.rows >= Self.height else { return }
        let live = liveTick(now)
        let tick = wanted ?? shown
        let behind = Double(live) - Double(tick)
        var spans: [Span] = []
        if isLive {
            spans.append(Span(" ● live", .good))
        } else {
            spans.append(Span(isPlaying ? " ▶ " : " ⏸ ", .warning))
            spans.append(Span("×\(NumberFormat.short(speed))", .plain))
        }
        spans.append(Span("  tick \(isLive ? live : tick)", .accent))
        if !isLive {
            spans.append(Span(" of \(live)", .faint))
            spans.append(Span("  \(NumberFormat.short(behind / rate)) s ago", .plain))
            if wanted != nil { spans.append(Span("  …", .warning)) }
        }
        spans.append(
            Span("   ← → second  , . tick  space play  < > speed  r reverse  End live", .faint))
        grid.write(spans, column: area.left, row: area.top, clip: area)
        let share = live > 0 && !isLive ? Double(min(tick, live)) / Double(live) : 1
        let place = area.left + Int((share * Double(area.columns - 1)).rounded())
        let row = area.top + 1
        for column in area.left..<area.right {
            let isPast = column <= place
            grid.write(
                column == place ? "●" : isPast ? "━" : "─", column: column, row: row, clip: area,
                foreground: column == place
                    ? Tone.key.color : isPast ? Tone.heading.color : Tone.faint.color)
        }
    }
}
