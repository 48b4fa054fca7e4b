import AutoLayout
import UIKit

@testable import ExportedForSnapKit
@testable import ExportedForUIKit

// Apart from the tests: the library for tests has an extension of its own for a module of the name
// `UIKit`.

/// The frames of all views that the exported code builds, each before its subviews.
enum Built {
    static func forUIKit() throws -> [AutoLayout.Rect] { try frames(ExportedForUIKit.build) }
    static func forSnapKit() throws -> [AutoLayout.Rect] { try frames(ExportedForSnapKit.build) }

    private static func frames(_ build: (UIView) -> Void) throws -> [AutoLayout.Rect] {
        let window = Window(size: Size(width: 640, height: 400))
        build(UIView(window))
        try window.runCycle()
        return window.preorder.map(\.frame)
    }
}
