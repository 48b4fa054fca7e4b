/// A reference that does not keep its item alive, and costs nothing to copy: counting references is atomic, and takes a
/// quarter of the time of a small layout.
///
/// Its owner makes sure that the item still exists when it is used: items leave the engine, and views their
/// superview, before they go.
@safe
struct LayoutItemReference: Equatable {
    private let reference: Unmanaged<LayoutItem>

    init(_ item: LayoutItem) { unsafe reference = Unmanaged.passUnretained(item) }

    /// The item, kept alive from now on.
    var item: LayoutItem { unsafe reference.takeUnretainedValue() }

    /// Lends the item for a call that does not release it.
    @inline(__always)
    func use<Result>(_ body: (LayoutItem) -> Result) -> Result {
        unsafe reference._withUnsafeGuaranteedRef { body($0) }
    }

    /// Lends the item, which is known to be a view.
    @inline(__always)
    func useView<Result>(_ body: (View) -> Result) -> Result {
        unsafe reference._withUnsafeGuaranteedRef { body(unsafe unsafeDowncast($0, to: View.self)) }
    }

    /// The same for a call that may throw.
    @inline(__always)
    func visitView(_ body: (View) throws(LayoutError) -> Void) throws(LayoutError) {
        var failure: LayoutError?
        useView { view in
            do throws(LayoutError) { try body(view) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    static func == (left: LayoutItemReference, right: LayoutItemReference) -> Bool {
        unsafe left.reference.toOpaque() == right.reference.toOpaque()
    }
}

/// An object that something else keeps, lent for calls that do not let go of it: references to it are not counted.
@safe
struct Lent<Object: AnyObject> {
    private let reference: Unmanaged<Object>

    @inline(__always)
    init(_ object: Object) { unsafe reference = Unmanaged.passUnretained(object) }

    @inline(__always)
    init?(_ object: Object?) {
        guard let reference = unsafe object.map({ unsafe Unmanaged.passUnretained($0) }) else {
            return nil
        }
        unsafe self.reference = reference
    }

    @inline(__always)
    func use<Result>(_ body: (Object) -> Result) -> Result {
        unsafe reference._withUnsafeGuaranteedRef { body($0) }
    }
}
