/// An object that something else keeps, lent for calls that do not let go of it: references to it
/// are not counted.
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
