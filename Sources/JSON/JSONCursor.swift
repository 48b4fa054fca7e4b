/// A place in a JSON text from which typed values are read: it knows the path that led to it, and
/// the name of what it belongs to, for errors.
///
/// Everything that is read from JSON beyond the messages of the wire is read through it: documents,
/// ops, scenarios, inspections, and what the journal holds.
package struct JSONCursor {
    /// The value at this place.
    package let value: JSONValue
    /// The name of the view or constraint that the value belongs to, where it is known.
    package var id: String?
    /// What the value is in; `nil` where reading starts.
    private let outer: Outer?
    /// The last step to the value.
    private let step: Step

    /// A step of a path.
    fileprivate enum Step {
        /// Where reading starts, as the reader calls it.
        case start(String)
        case member(String)
        case element(Int)
    }

    /// An object or a list, which all cursors in it have in common: the path's text is made for
    /// errors alone.
    final class Outer: Sendable {
        fileprivate let outer: Outer?
        fileprivate let step: Step

        /// The place of a cursor, as what other values are in.
        init(_ cursor: JSONCursor) {
            outer = cursor.outer
            step = cursor.step
        }
    }

    /// The places in a list, each made when it is asked for.
    package struct List: RandomAccessCollection {
        /// A list of nothing.
        package static let empty = List([], in: nil, id: nil)

        private let values: [JSONValue]
        private let list: Outer?
        private let id: String?

        fileprivate init(_ values: [JSONValue], in list: Outer?, id: String?) {
            self.values = values
            self.list = list
            self.id = id
        }

        package var startIndex: Int { 0 }
        package var endIndex: Int { values.count }

        package subscript(index: Int) -> JSONCursor {
            JSONCursor(values[index], list, .element(index), id: id)
        }
    }

    /// Starts at a value.
    ///
    /// - Parameter path: Where the value stands in the whole, for errors; empty for the whole
    ///   itself.
    package init(_ value: JSONValue, path: String = "", id: String? = nil) {
        self.init(value, nil, .start(path), id: id)
    }

    fileprivate init(_ value: JSONValue, _ outer: Outer?, _ step: Step, id: String?) {
        self.value = value
        self.outer = outer
        self.step = step
        self.id = id
    }

    /// The place, such as `views[3].hugging`.
    package var path: String {
        var steps = [step]
        var next = outer
        while let outer = next {
            steps.append(outer.step)
            next = outer.outer
        }
        return steps.reversed().reduce(into: "") { path, step in
            switch step {
            case .start(let start): path = start
            case .member(let key): path += path.isEmpty ? key : ".\(key)"
            case .element(let index): path += "[\(index)]"
            }
        }
    }

    /// Starts at a member of an object.
    init(memberOf object: Outer, _ key: String, _ value: JSONValue, id: String?) {
        self.init(value, object, .member(key), id: id)
    }

    /// The cursor at the member of that key; `nil` where there is none, or no object.
    package func member(_ key: String) -> JSONCursor? {
        value[key].map { JSONCursor(memberOf: Outer(self), key, $0, id: id) }
    }

    /// The places of a list's elements; `nil` for other kinds.
    package var elements: List? {
        guard case .array(let values) = value.kind else { return nil }
        return List(values, in: Outer(self), id: id)
    }

    /// The members of an object, to be taken one by one; `nil` for other kinds.
    package var fields: JSONFields? {
        guard case .object(let members) = value.kind else { return nil }
        return JSONFields(node: self, members: members)
    }

    /// The members of an object in the order of the text; `nil` for other kinds.
    package var membersByKey: [(key: String, cursor: JSONCursor)]? {
        guard case .object(let members) = value.kind else { return nil }
        let object = Outer(self)
        return members.map { ($0.key, JSONCursor(memberOf: object, $0.key, $0.value, id: id)) }
    }
}
