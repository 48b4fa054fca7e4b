/// An unowned reference for closures that the object itself holds.
///
/// Embedded Swift counts no unowned references, so there it is one that is not checked.
struct Unowned<Object: AnyObject> {
    #if hasFeature(Embedded)
    @safe unowned(unsafe) let object: Object
    #else
    unowned let object: Object
    #endif

    init(_ object: Object) { self.object = object }
}
