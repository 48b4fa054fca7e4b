import JSON
import SceneDocument

/// One description of a message's fields serves four coders: to and from bytes, to and from JSON.
/// So the two formats cannot drift apart: what one carries, the other does.
protocol FieldCoder {
    associatedtype Failure: Error

    mutating func u8(_ name: String, _ value: inout UInt8) throws(Failure)
    mutating func u32(_ name: String, _ value: inout UInt32) throws(Failure)
    mutating func u64(_ name: String, _ value: inout UInt64) throws(Failure)
    /// Eight bytes, little-endian; 16 hexadecimal digits in JSON.
    mutating func fixed64(_ name: String, _ value: inout UInt64) throws(Failure)
    /// An IEEE 754 double, little-endian, finite.
    mutating func f64(_ name: String, _ value: inout Double) throws(Failure)
    mutating func bool(_ name: String, _ value: inout Bool) throws(Failure)
    mutating func text(_ name: String, _ value: inout String, maximum: Int) throws(Failure)
    /// One byte: the place among all cases, whose order is therefore part of the protocol.
    mutating func choice<Value: RawRepresentable<String> & CaseIterable & Equatable>(
        _ name: String, _ value: inout Value
    ) throws(Failure)
    /// A view's number or none: in bytes 0 for none, else the number plus one; left out of JSON for
    /// none.
    mutating func optionalNumber(_ name: String, _ value: inout ViewNumber?) throws(Failure)
    /// As many zigzag varints as the list has on entry.
    mutating func integers(_ name: String, _ values: inout [Int32]) throws(Failure)
    /// So many zigzag varints, for which no memory is taken.
    mutating func integers<let count: Int>(
        _ name: String, _ values: inout InlineArray<count, Int32>
    ) throws(Failure)
    /// As many doubles as the list has on entry.
    mutating func doubles(_ name: String, _ values: inout [Double]) throws(Failure)
    mutating func color(_ name: String, _ value: inout Color?) throws(Failure)
    mutating func texts(
        _ name: String, _ values: inout [String], maximum: Int, textMaximum: Int
    ) throws(Failure)
    mutating func value<Value: WireValue>(_ name: String, _ value: inout Value) throws(Failure)
    mutating func optional<Value: WireValue>(_ name: String, _ value: inout Value?) throws(Failure)
    mutating func list<Value: WireValue>(
        _ name: String, _ values: inout [Value], maximum: Int
    ) throws(Failure)
    mutating func json(_ name: String, _ value: inout JSONValue) throws(Failure)
    /// The views of a snapshot: columns in bytes, objects in JSON.
    mutating func records(
        _ name: String, _ values: inout [ViewRecord], deflated: Bool
    ) throws(Failure)
    mutating func selection(_ name: String, _ value: inout Selection) throws(Failure)
    mutating func body(_ name: String, _ value: inout FrameBody) throws(Failure)
    /// The body of a frame and how far its ticks are apart, which share a byte.
    mutating func frameBody(
        _ value: inout FrameBody, _ distances: inout FrameBodyCodec.Distances
    ) throws(Failure)
    /// The numbers of a keyframe: a column of differences in bytes.
    mutating func numbers(_ name: String, _ values: inout [UInt32]) throws(Failure)

    /// An extension that holds a number: after all fields, a member of that name in JSON.
    mutating func extra(_ id: UInt32, _ name: String, _ value: inout UInt64?) throws(Failure)
    /// An extension that holds fields: after all fields, a member of that name in JSON.
    mutating func extra<Value: WireValue>(
        _ id: UInt32, _ name: String, _ value: inout Value?
    ) throws(Failure)

    /// The limits that what is read must keep.
    var limits: Limits { get }
    /// What to throw when the value just read means nothing.
    func invalid(_ name: String, _ expected: String) throws(Failure)
}

/// A value that describes its fields.
protocol WireValue {
    init()
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure)
}

extension FieldCoder {
    mutating func number(_ name: String, _ value: inout ViewNumber) throws(Failure) {
        try u32(name, &value.rawValue)
        if value.rawValue >= UInt32(Limits.viewNumberMaximum) {
            try invalid(name, "a view number below \(Limits.viewNumberMaximum)")
        }
    }
}
