import CMalloc
import Testing

@testable import AutoLayout

/// Room for views and constraints to come.
@Suite("Window: capacity")
struct WindowCapacityTests {
    /// What the allocator has taken for an object, with the word that it keeps before it.
    private func byteCount(of object: AnyObject) -> Int {
        malloc_usable_size(Unmanaged.passUnretained(object).toOpaque()) + 8
    }

    @Test("no more memory is got ready than views and constraints take")
    func leastSizes() {
        let view = View()
        let constraint = view.leftAnchor.constraint(equalTo: View().leftAnchor)
        #expect(Window.viewByteCount <= byteCount(of: view) + byteCount(of: view.handle))
        // A reference in the list of each of the two items.
        #expect(Window.constraintByteCount <= byteCount(of: constraint) + 2 * 8)
    }

    @Test("a hierarchy is laid out as without it, also one larger than was said")
    func changesNothing() throws {
        func frames(_ reserve: (Window) -> Void) throws -> [Rect] {
            let window = Window(size: Size(width: 300, height: 100))
            reserve(window)
            var views: [View] = []
            for index in 0..<30 {
                let view = View()
                try window.addSubview(view)
                try LayoutConstraint.activate([
                    view.leftAnchor.constraint(
                        equalTo: views.last?.rightAnchor ?? window.leftAnchor),
                    view.topAnchor.constraint(equalTo: window.topAnchor),
                    view.widthAnchor.constraint(equalToConstant: Double(index)),
                    view.heightAnchor.constraint(equalToConstant: 10),
                ])
                views.append(view)
            }
            try window.runCycle()
            return views.map(\.frame)
        }
        // By hand: each begins where the widths before it end.
        let expected = (0..<30).map { index in
            Rect(
                x: Double(index * (index - 1) / 2), y: 0, width: Double(index), height: 10)
        }
        #expect(try frames { _ in } == expected)
        #expect(try frames { $0.reserveCapacity(views: 3, constraints: 5) } == expected)
        #expect(try frames { $0.reserveCapacity(views: 5000, constraints: 9000) } == expected)
    }
}
