import Essentials
import LayoutValues

/// Comparisons as one HTML page that needs nothing else: for each scene the changes in words, and
/// for each device where something moves, pictures of before, after and both.
public enum ComparisonPage {
    /// The page.
    ///
    /// - Parameter title: The names of what was compared.
    public static func html(_ comparisons: [SceneComparison], title: String) -> String {
        var text = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>\(title.escapedForXML)</title><style>
            body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem; color: #222; background: #fff }
            section { margin-bottom: 3rem } figure { display: inline-block; margin: 0 1rem 1rem 0 }
            figcaption { color: #666 } svg { border: 1px solid #bbb; background: #fafafa; max-width: 420px }
            .added { color: #176f2c } .removed { color: #b3261e }
            @media (prefers-color-scheme: dark) { body { color: #ddd; background: #1b1b1b } svg { background: #fff } }
            </style></head><body><h1>\(title.escapedForXML)</h1>

            """
        for comparison in comparisons where !comparison.isEmpty {
            text += "<section><h2>\(comparison.title.escapedForXML)</h2>\n<ul>\n"
            for change in comparison.changes {
                text += "<li class=\"\(change.kind.rawValue)\">\(change.text.escapedForXML)</li>\n"
            }
            text += "</ul>\n"
            for screen in comparison.screens { text += figures(screen) }
            text += "</section>\n"
        }
        if comparisons.allSatisfy(\.isEmpty) { text += "<p>No differences.</p>\n" }
        return text + "</body></html>"
    }

    /// One picture of both versions, of the first device.
    public static func svg(_ comparison: SceneComparison) -> String {
        guard let screen = comparison.screens.first else {
            return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"/>"
        }
        return overlay(screen)
    }

    private static func figures(_ screen: SceneComparison.Screen) -> String {
        let pictures = [
            ("before", picture(screen.before, screen, "#b3261e")),
            ("after", picture(screen.after, screen, "#176f2c")), ("both", overlay(screen)),
        ]
        var text = "<h3>\(screen.name.escapedForXML)</h3>\n"
        for (caption, svg) in pictures {
            text += "<figure>\(svg)<figcaption>\(caption)</figcaption></figure>\n"
        }
        return text
    }

    private static func size(_ screen: SceneComparison.Screen) -> (width: Double, height: Double) {
        (
            max(1, screen.sizes.map(\.width).max() ?? 1),
            max(1, screen.sizes.map(\.height).max() ?? 1)
        )
    }

    private static func frame(_ screen: SceneComparison.Screen, _ content: String) -> String {
        let (width, height) = size(screen)
        return
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(number(width))\" height=\"\(number(height))\" viewBox=\"0 0 \(number(width)) \(number(height))\">\(content)</svg>"
    }

    private static func picture(
        _ views: [SceneComparison.ScreenView], _ screen: SceneComparison.Screen, _ color: String
    ) -> String {
        let moved = Set(views).subtracting(
            Set(screen.before).intersection(Set(screen.after)))
        return frame(
            screen,
            views.filter { !$0.isHidden }.map { box($0, moved.contains($0) ? color : "#888") }
                .joined())
    }

    private static func overlay(_ screen: SceneComparison.Screen) -> String {
        let same = Set(screen.before).intersection(Set(screen.after))
        var content = ""
        for view in screen.after where same.contains(view) && !view.isHidden {
            content += box(view, "#ccc")
        }
        for view in screen.before where !same.contains(view) && !view.isHidden {
            content += box(view, "#b3261e", dashed: true)
        }
        for view in screen.after where !same.contains(view) && !view.isHidden {
            content += box(view, "#176f2c")
        }
        return frame(screen, content)
    }

    private static func box(
        _ view: SceneComparison.ScreenView, _ color: String, dashed: Bool = false
    ) -> String {
        let frame = view.frame
        let dash = dashed ? " stroke-dasharray=\"4 3\"" : ""
        var text =
            "<rect x=\"\(number(frame.minX))\" y=\"\(number(frame.minY))\" width=\"\(number(max(0, frame.width)))\" height=\"\(number(max(0, frame.height)))\" fill=\"\(color)\" fill-opacity=\"0.06\" stroke=\"\(color)\"\(dash)><title>\(view.id.escapedForXML)</title></rect>"
        if !view.text.isEmpty, frame.height >= 8 {
            let size = min(14, frame.height * 0.7)
            text +=
                "<text x=\"\(number(frame.minX + 2))\" y=\"\(number(frame.minY + frame.height / 2 + size / 3))\" font-size=\"\(number(size))\" font-family=\"sans-serif\" fill=\"\(color)\">\(view.text.prefix(60).escapedForXML)</text>"
        }
        return text
    }

    private static func number(_ value: Double) -> String { FrameWords.signed(value) }
}

extension FrameWords {
    /// A number for SVG.
    static func signed(_ value: Double) -> String { (value < 0 ? "-" : "") + length(value) }
}
