public import SceneDocument

/// A view that is not in a scene yet, with the views in it.
///
///     scene["list"].append(.row([.label("Milk"), .button("Remove", id: "remove-milk")]))
public struct NewView: Sendable, Equatable {
    /// Its name; a unique one is generated where none was given.
    public var id: String
    /// Everything but its name and its place.
    public var properties: ViewProperties
    /// The views in it, the last in front.
    public var subviews: [NewView]

    /// Makes a view of any kind.
    ///
    /// - Parameters:
    ///   - kind: What the view is.
    ///   - id: Its name; nil for one at random, of 64 bits.
    ///   - subviews: The views in it.
    public init(_ kind: ViewKind, id: String? = nil, _ subviews: [NewView] = []) {
        self.id = id ?? "v-" + String(UInt64.random(in: 0...UInt64.max), radix: 16)
        properties = ViewProperties()
        properties.kind = kind
        self.subviews = subviews
    }

    /// The same view with other properties: `.label("Total").with { $0.align = .right }`.
    public func with(_ change: (inout ViewProperties) -> Void) -> NewView {
        var copy = self
        change(&copy.properties)
        return copy
    }

    /// The ops that add the view and those in it, superviews before their subviews.
    ///
    /// - Complexity: O(views).
    public func ops(in parent: String, at index: Int? = nil) -> [Op] {
        var ops: [Op] = []
        var waiting = [(view: self, parent: parent, index: index)]
        while let (view, parent, index) = waiting.popLast() {
            ops.append(
                .addView(
                    ViewSpec(id: view.id, parent: parent, index: index, properties: view.properties)
                ))
            waiting += view.subviews.reversed().map { ($0, view.id, nil) }
        }
        return ops
    }
}

extension NewView {
    /// A plain view.
    public static func view(id: String? = nil, _ subviews: [NewView] = []) -> NewView {
        NewView(.view, id: id, subviews)
    }

    /// Text.
    public static func label(_ text: String, id: String? = nil) -> NewView {
        NewView(.label, id: id).with { $0.text = text }
    }

    /// A title that is tapped.
    public static func button(_ title: String, id: String? = nil) -> NewView {
        NewView(.button, id: id).with {
            $0.text = title
            $0.interaction.events = [.tap]
        }
    }

    /// On or off.
    public static func `switch`(_ isOn: Bool = false, id: String? = nil) -> NewView {
        input(.switch, id, .flag(isOn))
    }

    /// A number between `minimum` and `maximum`.
    public static func slider(
        _ value: Double = 0, in range: ClosedRange<Double> = 0...1, id: String? = nil
    ) -> NewView {
        input(.slider, id, .number(value)).with {
            $0.interaction.minimum = range.lowerBound
            $0.interaction.maximum = range.upperBound
        }
    }

    /// One line that people write.
    public static func textField(
        _ text: String = "", placeholder: String? = nil, id: String? = nil
    ) -> NewView {
        input(.textField, id, .text(text)).with { $0.interaction.placeholder = placeholder }
    }

    /// One of several titles, counted from 0.
    public static func segmented(
        _ titles: [String], selected: Int = 0, id: String? = nil
    ) -> NewView {
        input(.segmented, id, .number(Double(selected))).with { $0.interaction.segments = titles }
    }

    /// How far something has come, 0...1.
    public static func progress(_ share: Double = 0, id: String? = nil) -> NewView {
        NewView(.progress, id: id).with { $0.interaction.value = .number(share) }
    }

    /// Views one below the other.
    public static func stack(id: String? = nil, _ subviews: [NewView]) -> NewView {
        NewView(.stack, id: id, subviews).with { $0.axis = .vertical }
    }

    /// Views one beside the other.
    public static func row(id: String? = nil, _ subviews: [NewView]) -> NewView {
        NewView(.stack, id: id, subviews).with { $0.axis = .horizontal }
    }

    /// A part of its content.
    public static func scroll(id: String? = nil, _ subviews: [NewView]) -> NewView {
        NewView(.scroll, id: id, subviews)
    }

    /// A control that people set to values.
    private static func input(_ kind: ViewKind, _ id: String?, _ value: ControlValue) -> NewView {
        NewView(kind, id: id).with {
            $0.interaction.value = value
            $0.interaction.events = [.input]
        }
    }
}
