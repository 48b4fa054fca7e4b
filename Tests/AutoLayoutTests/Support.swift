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

/// Places a view at its superview's top left corner, 40 points high, and returns the constraint of
/// its width.
func place(_ view: View, width: Double, height: Double = 40) throws -> LayoutConstraint {
    let widthConstraint = view.widthAnchor.constraint(equalToConstant: width)
    try LayoutConstraint.activate([
        widthConstraint, view.heightAnchor.constraint(equalToConstant: height),
    ])
    if let superview = view.superview {
        try LayoutConstraint.activate([
            view.leftAnchor.constraint(equalTo: superview.leftAnchor),
            view.topAnchor.constraint(equalTo: superview.topAnchor),
        ])
    }
    return widthConstraint
}
