/// A weak reference.
///
/// Embedded Swift has none. Scenes, for which it compiles the module, use neither of the objects
/// that hold one: there the reference is not checked.
struct Weak<Object: AnyObject> {
    #if hasFeature(Embedded)
    @safe unowned(unsafe) var object: Object?
    #else
    weak var object: Object?
    #endif

    init(_ object: Object?) { self.object = object }
}
