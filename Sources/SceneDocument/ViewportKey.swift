import LayoutValues

/// The keys of a viewport in a document, of devices and of `setViewport`, in the order of the
/// documentation.
public enum ViewportKey: String, CaseIterable, Sendable {
    case width
    case height
    case scale
    case direction
    case rounding
    case unsatisfiable
    case cell
    case safeArea
    case keyboard
    case margins
    case horizontalSizeClass
    case verticalSizeClass
    case contentSizeCategory
    case userInterfaceStyle
    case idiom
    case typography
    case accessibilityContrast

    /// The keys that devices have: a device has no say in what is accepted.
    static let ofDevices = allCases.filter { $0 != .unsatisfiable }
}

/// Does one thing with each property of a viewport: reads it, writes it, applies it.
protocol ViewportVisitor {
    associatedtype Failure: Error

    /// - Parameters:
    ///   - value: The property of the viewport.
    ///   - given: The property of the patch that is visited.
    ///   - other: The property of the patch beside it.
    ///   - format: How the property is read and written; made only for visitors that ask.
    mutating func visit<Value: Equatable>(
        _ key: ViewportKey, _ value: inout Value, _ given: inout Value?, _ other: Value?,
        _ format: @autoclosure () -> PropertyFormat<Value>
    ) throws(Failure)
}

extension ViewportVisitor {
    /// The one place that says which property a key means and how it is written.
    mutating func visit(
        _ key: ViewportKey, _ viewport: inout Viewport, _ patch: inout ViewportPatch,
        besides other: ViewportPatch
    ) throws(Failure) {
        switch key {
        case .width:
            try visit(
                key, &viewport.width, &patch.width, other.width,
                .number(0...Limits.viewportMaximum))
        case .height:
            try visit(
                key, &viewport.height, &patch.height, other.height,
                .number(0...Limits.viewportMaximum))
        case .scale:
            try visit(
                key, &viewport.scale, &patch.scale, other.scale, .number(Limits.scaleRange))
        case .direction:
            try visit(key, &viewport.direction, &patch.direction, other.direction, .choice())
        case .rounding:
            try visit(key, &viewport.rounding, &patch.rounding, other.rounding, .choice())
        case .unsatisfiable:
            try visit(
                key, &viewport.unsatisfiable, &patch.unsatisfiable, other.unsatisfiable, .choice())
        case .cell: try visit(key, &viewport.cell, &patch.cell, other.cell, .cell)
        case .safeArea:
            try visit(key, &viewport.safeArea, &patch.safeArea, other.safeArea, .safeArea)
        case .keyboard:
            try visit(
                key, &viewport.keyboard, &patch.keyboard, other.keyboard,
                .number(0...Limits.viewportMaximum))
        case .margins:
            try visit(key, &viewport.margins, &patch.margins, other.margins, .rootMargins)
        case .horizontalSizeClass:
            try visit(
                key, &viewport.horizontalSizeClass, &patch.horizontalSizeClass,
                other.horizontalSizeClass, .choice())
        case .verticalSizeClass:
            try visit(
                key, &viewport.verticalSizeClass, &patch.verticalSizeClass,
                other.verticalSizeClass, .choice())
        case .contentSizeCategory:
            try visit(
                key, &viewport.contentSizeCategory, &patch.contentSizeCategory,
                other.contentSizeCategory, .choice())
        case .userInterfaceStyle:
            try visit(
                key, &viewport.userInterfaceStyle, &patch.userInterfaceStyle,
                other.userInterfaceStyle, .choice())
        case .idiom: try visit(key, &viewport.idiom, &patch.idiom, other.idiom, .choice())
        case .typography:
            try visit(key, &viewport.typography, &patch.typography, other.typography, .choice())
        case .accessibilityContrast:
            try visit(
                key, &viewport.accessibilityContrast, &patch.accessibilityContrast,
                other.accessibilityContrast, .choice())
        }
    }

    /// Visits the properties of a viewport and a patch.
    mutating func visit(
        _ keys: [ViewportKey] = ViewportKey.allCases, of viewport: inout Viewport,
        _ patch: inout ViewportPatch, besides other: ViewportPatch = ViewportPatch()
    ) throws(Failure) {
        for key in keys { try visit(key, &viewport, &patch, besides: other) }
    }
}

// MARK: What is done with them

extension Viewport {
    /// Takes over what the patch gives.
    public mutating func apply(_ patch: ViewportPatch) {
        var (patch, applying) = (patch, Applying())
        applying.visit(of: &self, &patch)
    }

    /// The patch that gives some of the properties.
    public func patch(of keys: [ViewportKey]) -> ViewportPatch {
        var (copy, patch, giving) = (self, ViewportPatch(), Giving())
        giving.visit(keys, of: &copy, &patch)
        return patch
    }
}

extension ViewportPatch {
    /// The keys that are given, in the order of the documentation.
    public var givenKeys: [ViewportKey] {
        var (copy, viewport, given) = (self, Viewport(width: 0, height: 0), GivenKeys())
        given.visit(of: &viewport, &copy)
        return given.keys
    }

    /// Takes over what another patch gives.
    public mutating func merge(_ other: ViewportPatch) {
        var (viewport, merging) = (Viewport(width: 0, height: 0), Merging())
        merging.visit(of: &viewport, &self, besides: other)
    }
}

private struct Applying: ViewportVisitor {
    mutating func visit<Value: Equatable>(
        _ key: ViewportKey, _ value: inout Value, _ given: inout Value?, _ other: Value?,
        _ format: @autoclosure () -> PropertyFormat<Value>
    ) throws(Never) {
        if let given { value = given }
    }
}

private struct Giving: ViewportVisitor {
    mutating func visit<Value: Equatable>(
        _ key: ViewportKey, _ value: inout Value, _ given: inout Value?, _ other: Value?,
        _ format: @autoclosure () -> PropertyFormat<Value>
    ) throws(Never) {
        given = value
    }
}

private struct GivenKeys: ViewportVisitor {
    var keys: [ViewportKey] = []

    mutating func visit<Value: Equatable>(
        _ key: ViewportKey, _ value: inout Value, _ given: inout Value?, _ other: Value?,
        _ format: @autoclosure () -> PropertyFormat<Value>
    ) throws(Never) {
        if given != nil { keys.append(key) }
    }
}

private struct Merging: ViewportVisitor {
    mutating func visit<Value: Equatable>(
        _ key: ViewportKey, _ value: inout Value, _ given: inout Value?, _ other: Value?,
        _ format: @autoclosure () -> PropertyFormat<Value>
    ) throws(Never) {
        if let other { given = other }
    }
}
