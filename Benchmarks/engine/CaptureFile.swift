import AutoLayout
import Foundation

/// A scene that `captures/translator.py` wrote: one of Yoga's captured trees, as constraints. It is
/// read before anything is measured.
struct CaptureFile {
    /// A view, or a guide where `isGuide`; views are numbered from 0, the window, and guides from
    /// -1 downwards.
    struct Item {
        var parent: Int
        var content: Size?
    }

    enum Attribute: String { case left, right, centerX, top, bottom, centerY, width, height }

    enum Relation: String {
        case equal = "="
        case atMost = "<"
        case atLeast = ">"
    }

    struct Constraint {
        var first: Int
        var firstAttribute: Attribute
        var relation: Relation
        var second: Int?
        var secondAttribute = Attribute.width
        var multiplier = 1.0
        var constant: Double
        var priority: LayoutPriority
    }

    /// How strongly a view keeps to its content along an axis.
    struct Resistance {
        var view: Int
        var axis: Axis
        var hugging: LayoutPriority
        var compression: LayoutPriority
    }

    private(set) var size = Size.zero
    private(set) var views: [Item] = []
    private(set) var guides: [Item] = []
    private(set) var resistances: [Resistance] = []
    private(set) var constraints: [Constraint] = []

    enum Failure: Error { case badLine(String) }

    /// Lines of words:
    ///
    ///     window WIDTH HEIGHT
    ///     view PARENT [WIDTH HEIGHT]                            with a content size
    ///     guide OWNER
    ///     resistance VIEW x|y HUGGING COMPRESSION
    ///     constraint ITEM ATTRIBUTE =|<|> CONSTANT PRIORITY [ITEM ATTRIBUTE MULTIPLIER]
    init(path: String) throws {
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
            guard read(line.split(separator: " ").map(String.init)) else {
                throw Failure.badLine(String(line))
            }
        }
    }

    private mutating func read(_ words: [String]) -> Bool {
        let numbers = words.map { Double($0) ?? .nan }
        switch (words[0], words.count) {
        case ("window", 3):
            size = Size(width: numbers[1], height: numbers[2])
            views.append(Item(parent: -1))
        case ("view", 2): views.append(Item(parent: Int(numbers[1])))
        case ("view", 4):
            let content = Size(width: numbers[2], height: numbers[3])
            views.append(Item(parent: Int(numbers[1]), content: content))
        case ("guide", 2): guides.append(Item(parent: Int(numbers[1])))
        case ("resistance", 5):
            resistances.append(
                Resistance(
                    view: Int(numbers[1]), axis: words[2] == "x" ? .horizontal : .vertical,
                    hugging: LayoutPriority(numbers[3]), compression: LayoutPriority(numbers[4])))
        case ("constraint", 6), ("constraint", 9):
            guard let attribute = Attribute(rawValue: words[2]),
                let relation = Relation(rawValue: words[3])
            else { return false }
            var constraint = Constraint(
                first: Int(numbers[1]), firstAttribute: attribute, relation: relation,
                constant: numbers[4], priority: LayoutPriority(numbers[5]))
            if words.count == 9 {
                guard let attribute = Attribute(rawValue: words[7]) else { return false }
                constraint.second = Int(numbers[6])
                constraint.secondAttribute = attribute
                constraint.multiplier = numbers[8]
            }
            constraints.append(constraint)
        default: return false
        }
        return true
    }
}
