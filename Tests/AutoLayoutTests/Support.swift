import AutoLayout

/// A view whose calls a test can add to.
final class RecordingView: View {
    var onUpdateConstraints: (() -> Void)?
    var onLayoutSubviews: (() -> Void)?
    var onDraw: ((DrawingContext) -> Void)?
    var draws = false

    override var drawsContent: Bool { draws }

    override func updateConstraints() {
        onUpdateConstraints?()
        super.updateConstraints()
    }

    override func layoutSubviews() {
        onLayoutSubviews?()
        super.layoutSubviews()
    }

    override func draw(_ rect: Rect, in context: DrawingContext) {
        onDraw?(context)
    }
}

/// Collects trace lines and diagnostics of a window.
final class TraceRecorder {
    private var lines: [String] = []
    private(set) var diagnostics: [LayoutDiagnostic] = []

    func attach(to window: Window) {
        window.traceHandler = { [unowned self] in lines.append($0.description) }
        window.diagnosticHandler = { [unowned self] in diagnostics.append($0) }
    }

    /// The lines since the last call.
    func take() -> [String] {
        defer { lines.removeAll() }
        return lines
    }
}
