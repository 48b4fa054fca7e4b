import Glibc

/// Records a scene: the viewer without a terminal.
struct HeadlessLoop: ~Copyable {
    private static let period = 1.0 / 60

    private let inbox: WakingInbox
    private let perform: TerminalApplication.Perform
    private let colors: ColorDepth
    private var state: ViewerState
    private var renderer: ScreenRenderer
    private var shown: CellGrid?
    private let recording: CastRecording
    private let end: Double

    /// - Parameter seconds: The length of the recording; nil until the connection ends.
    init(
        url: String, options: ViewerOptions, size: GridSize, seconds: Double?, inbox: WakingInbox,
        sink: @escaping @Sendable (String) -> Void, perform: @escaping TerminalApplication.Perform
    ) {
        self.inbox = inbox
        self.perform = perform
        colors = options.colors
        state = ViewerState(
            url: url, name: options.name, fitsAtFirst: options.fitsAtFirst, size: size,
            seed: UInt32.random(in: 1...UInt32.max / 2), device: options.device,
            beside: options.beside, pictures: options.shelf)
        renderer = ScreenRenderer(colors: options.colors, encoding: options.encoding)
        let now = MonotonicClock.now()
        recording = CastRecording(size: size, title: url, now: now, sink: sink)
        end = seconds.map { now + $0 } ?? .infinity
    }

    /// Records until the time is over or the connection has ended.
    mutating func run() {
        var needsDisplay = true
        var isReadable = false
        while true {
            let now = MonotonicClock.now()
            for event in inbox.take(isReadable: isReadable) {
                state.take(event, now: now)
                needsDisplay = true
            }
            if state.pass(now: now) || state.isAnimating(now: now) { needsDisplay = true }
            for command in state.takeCommands() {
                if let sequence = perform(command) { state.note(sequence: sequence) }
            }
            if needsDisplay {
                needsDisplay = false
                let grid = state.paint(now: now)
                let bytes = renderer.bytes(from: shown, to: grid, synchronized: false)
                shown = grid
                if !bytes.isEmpty { recording.output(bytes, now: now) }
            }
            if case .ended = state.connection { return }
            guard now < end else { return }
            // A picture a period at most; what comes meanwhile is in the next one.
            let rest = Self.period - (MonotonicClock.now() - now)
            if rest > 0 {
                var pause = timespec(tv_sec: 0, tv_nsec: Int(rest * 1e9))
                nanosleep(&pause, nil)
            }
            let isAnimating = state.isAnimating(now: MonotonicClock.now())
            let deadline = isAnimating ? 0 : min(state.deadline(now: MonotonicClock.now()), end)
            var descriptor = pollfd(fd: inbox.counter, events: Int16(POLLIN), revents: 0)
            let wait = max(0, min(deadline - MonotonicClock.now(), 3600))
            _ = poll(&descriptor, 1, Int32((wait * 1000).rounded(.up)))
            isReadable = descriptor.revents != 0
        }
    }
}
