#if hasFeature(Embedded)
/// A call of a view that nothing tracks: Embedded Swift has no Observation.
final class ObservedCall {
    init(of method: TraitTracking, on view: View) {}

    func run(_ body: () -> Void) { body() }

    func end() {}
}
#else
import Observation

/// A tracked call of a view, and the observable properties that it read: a change of one of them
/// asks for the call again. Apple, "Automatic observation tracking", the default from iOS 26.
///
/// `withObservationTracking` has no way to end a tracking. Here the call reads a property of this
/// object as well, and to change that ends what the call left behind in all objects that it read;
/// so nothing piles up in a model that never changes while its views are laid out again and again.
///
/// Not isolated, because the closure that hears of changes has to be sendable. Observed properties
/// are changed where the hierarchy is used: on its thread.
final class ObservedCall: Observable, @unchecked Sendable {
    /// Whose call it is; the view ends the tracking before it goes.
    @safe private unowned(unsafe) let view: View
    private let method: TraitTracking
    private let registrar = ObservationRegistrar()
    /// Whether a change counts: only the first, and not the one that ends the tracking.
    private var isTracking = false
    private var isEnded: Void { registrar.access(self, keyPath: \.isEnded) }

    init(of method: TraitTracking, on view: View) {
        self.method = method
        self.view = view
    }

    /// Makes the call; once for each object.
    func run(_ body: () -> Void) {
        isTracking = true
        withObservationTracking {
            isEnded
            body()
        } onChange: { [self] in
            guard isTracking else { return }
            isTracking = false
            view.ask(for: method)
        }
    }

    /// Ends the tracking.
    func end() {
        isTracking = false
        registrar.withMutation(of: self, keyPath: \.isEnded) {}
    }
}
#endif

extension Window {
    /// Whether observable properties that are read in `updateProperties`, `updateConstraints`,
    /// `layoutSubviews` and `draw` of this hierarchy's views, and by their controllers in these,
    /// call them again once they change; true by default. Apple's Info.plist key
    /// `UIObservationTrackingEnabled`.
    ///
    /// A property counts as of the last call. It has to be changed on the thread that uses the
    /// hierarchy, and a change within the very call that reads it is not seen.
    public var tracksObservableProperties: Bool {
        get { engine?.cycle.tracksObservableProperties ?? true }
        set { ensureEngine().cycle.tracksObservableProperties = newValue }
    }
}

extension View {
    /// Asks for a call of a tracked method, as the change of a trait or a property that it read
    /// does.
    func ask(for method: TraitTracking) {
        switch method {
        case .updateProperties: setNeedsUpdateProperties()
        case .updateConstraints:
            marks.needsUpdateConstraints = true
            raiseUpdateConstraints()
        case .layoutSubviews: markNeedsLayout()
        case .draw: setNeedsDisplay()
        }
    }

    /// Whether a program's own code may run in a tracked call.
    fileprivate var hasOwnCode: Bool {
        if marks.isOwnClass || viewController != nil { return true }
        guard let extras else { return false }
        return extras.updatePropertiesHook != nil || extras.updateConstraintsHook != nil
            || extras.layoutSubviewsHook != nil
    }
}

extension UpdateCycle {
    /// Makes a tracked call of a view, watching what observable properties it reads.
    func observing(_ method: TraitTracking, of view: View, _ body: () -> Void) {
        guard tracksObservableProperties, view.hasOwnCode else { return body() }
        view.writeTraits().beginCall(of: method, on: view).run(body)
    }
}
