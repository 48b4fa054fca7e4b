import AutoLayout
import SceneModel

/// Watches the calls of one cycle for repetitions that nothing asked for.
final class CallCounter {
    private(set) var repeated: [String] = []
    private(set) var total = 0
    private var called: Set<String> = []
    private var sizes: [String: [Double]] = [:]

    init(_ model: SceneModel) {
        model.traceHandler = { [unowned self, unowned model] event in
            note(event.description, event.view, model.frame(of: event.view))
        }
    }

    /// Forgets what was seen so far.
    func begin() {
        repeated.removeAll()
        called.removeAll()
        sizes.removeAll()
    }

    private func note(_ line: String, _ view: String, _ frame: Rect?) {
        let size = frame.map { [$0.width, $0.height] }
        if line.hasPrefix("setNeedsLayout") {
            called.remove("layoutSubviews \(view)")
            return
        }
        total += 1
        guard !called.insert(line).inserted else {
            sizes[line] = size
            return
        }
        if line.hasPrefix("layoutSubviews"), sizes[line] != size {
            sizes[line] = size
            return
        }
        repeated.append(line)
    }
}
