/// What few views have besides the traits that they inherit.
final class ViewTraits {
    var overrides = TraitOverrides()
    /// The category between which what is inherited is brought.
    var minimumCategory: ContentSizeCategory?
    var maximumCategory: ContentSizeCategory?
    /// Whether the view's direction comes from an override, and is taken back with it.
    var setsDirection = false
    /// The handlers of changes, in order of registration.
    var registrations: [TraitChangeRegistration] = []
    /// What each method read when it was called last.
    private var tracked: [TraitTracking: TraitSet] = [:]
    /// The last calls of a program's own code, which may have read observable properties.
    private(set) var observed: [TraitTracking: ObservedCall] = [:]

    deinit {
        for call in observed.values { call.end() }
    }

    /// What a call of a method reads from now on takes the place of what the last one read.
    func beginCall(of method: TraitTracking, on view: View) -> ObservedCall {
        observed[method]?.end()
        let call = ObservedCall(of: method, on: view)
        observed[method] = call
        return call
    }

    func track(_ method: TraitTracking, _ traits: TraitSet) {
        tracked[method] = traits.isEmpty ? nil : traits
    }

    /// The methods to be called again, in the order of the passes.
    func tracking(_ changed: TraitSet) -> [TraitTracking] {
        TraitTracking.allCases.filter { tracked[$0]?.isDisjoint(with: changed) == false }
    }
}

/// The methods whose reads of traits and observable properties are tracked, in the order of the
/// passes.
enum TraitTracking: CaseIterable {
    case updateProperties, updateConstraints, layoutSubviews, draw
}

/// Values that a view has of its own; a view without inherits its superview's.
final class TraitBox {
    let values: TraitValues

    init(_ values: TraitValues) { self.values = values }
}

/// A handler that a view's trait changes call, until it is unregistered or the view goes.
/// Apple, `UITraitChangeRegistration`.
public final class TraitChangeRegistration {
    let traits: TraitSet
    let handler: (View, TraitCollection) -> Void

    init(_ traits: TraitSet, _ handler: @escaping (View, TraitCollection) -> Void) {
        self.traits = traits
        self.handler = handler
    }
}
