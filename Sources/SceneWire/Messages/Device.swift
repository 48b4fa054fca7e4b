import ConstraintLanguage
public import JSON
public import SceneDocument

/// Asks for a device: one that the scene names, or the member's own. Part of `hello`, and a message
/// by itself when a window is resized or people look at another device. Other members are not
/// affected.
public struct DeviceRequest: Sendable, Equatable {
    /// A device of the scene's document; empty for none of them.
    public var name = ""
    /// Cells across, each as wide as the scene's; 0 where the viewport says it in points.
    public var columns: UInt32 = 0
    /// Cells from top to bottom.
    public var rows: UInt32 = 0
    /// What the device has, by the keys of a document's `devices`; goes over what the named device
    /// has.
    public var viewport = JSONValue.object([])

    /// Asks for the main device.
    public init() {}

    /// Whether the main device is meant.
    public var isMain: Bool { self == DeviceRequest() }
}

extension DeviceRequest: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name, maximum: Identifier.byteMaximum)
        try coder.u32("columns", &columns)
        try coder.u32("rows", &rows)
        try coder.json("viewport", &viewport)
    }
}

/// How far a member has the device that it asked for.
public enum DeviceFit: String, CaseIterable, Sendable {
    /// It has it.
    case exact
    /// It has the most similar of those in use, because there are too many different ones.
    case nearest
    /// It has the main one, because what it asked for cannot be.
    case main
}

/// Tells a member which device it has from now on; the state on it follows.
public struct DeviceGrant: Sendable, Equatable {
    /// The device's name, if the scene has it.
    public var name = ""
    /// How far it is what was asked for.
    public var fit = DeviceFit.exact
    /// Why it is another one; empty where it is not.
    public var reason = ""
    /// Units of frames a point, as in `welcome`.
    public var unitsPerPoint = 1.0
    /// Its size in points.
    public var viewport = Size(width: 0, height: 0)
    /// Pixels a point.
    public var scale = 1.0
    /// The cell of its text grid, in points.
    public var cell = Size(width: 8, height: 16)
    /// How many different devices the room serves at a time, besides the main one.
    public var maximum: UInt32 = 0
    /// The names of the scene's devices, in its order.
    public var names: [String] = []

    /// Makes a grant of nothing.
    public init() {}
}

extension DeviceGrant: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name, maximum: Identifier.byteMaximum)
        try coder.choice("fit", &fit)
        try coder.text("reason", &reason, maximum: coder.limits.textBytesMaximum)
        try coder.f64("unitsPerPoint", &unitsPerPoint)
        try viewport.code("viewport", &coder)
        try coder.f64("scale", &scale)
        try cell.code("cell", &coder)
        try coder.u32("maximum", &maximum)
        try coder.texts("names", &names, maximum: 64, textMaximum: Identifier.byteMaximum)
    }
}

/// Devices on which ops that were committed did not hold, because constraints contradict one
/// another there.
public struct DeviceList: Sendable, Equatable {
    /// The names of the scene's devices, and sizes such as `390x844` of others.
    public var names: [String] = []

    /// Makes an empty list.
    public init() {}
}

extension DeviceList: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.texts("names", &names, maximum: 256, textMaximum: Identifier.byteMaximum)
    }
}
