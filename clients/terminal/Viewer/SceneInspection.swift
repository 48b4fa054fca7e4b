import SceneProtocol
import ConstraintLanguage

/// What the server tells about what holds views: the document's constraints and sets, and of some views what decides
/// where they are.
public struct SceneInspection: Sendable, Equatable {
    /// A constraint of the document.
    public struct Constraint: Sendable, Equatable {
        /// Its name.
        public var id: String
        /// What it says.
        public var rule: String
        /// Whether the document has it in force.
        public var isActive: Bool
        /// The set that it belongs to.
        public var set: String?

        /// The rule as a value, if it is one.
        var parsed: Rule? { try? Rule.parse(rule) }
    }

    /// A constraint set of the document.
    public struct ConstraintSet: Sendable, Equatable {
        /// Its name.
        public var id: String
        /// When it is in force; nil if somebody has to say so.
        public var condition: String?
        /// How many constraints it has.
        public var count: Int
    }

    /// The parts of the document that the viewer shows and changes.
    public struct Document: Sendable, Equatable {
        /// All constraints, those of sets last.
        public var constraints: [Constraint] = []
        /// The sets.
        public var sets: [ConstraintSet] = []
        /// The names of the guides.
        public var guides: [String] = []
        /// Whether text runs from the right.
        public var isRightToLeft = false
    }

    /// Something that holds a view along an axis.
    public struct Hold: Sendable, Equatable {
        /// The constraint's name; nil for what a view demands by itself.
        public var id: String?
        /// `contentSize` and the like, for what has no name.
        public var kind: String?
        /// What it says.
        public var rule: String
    }

    /// What is known of a view.
    public struct ViewFacts: Sendable, Equatable {
        /// The view's name.
        public var id: String
        /// Whether the constraints leave its place open.
        public var isAmbiguous = false
        /// What a pass has still to do, by UIKit's names.
        public var marks: [String] = []
        /// The names of the document's constraints that speak of it.
        public var constraints: [String] = []
        /// What holds it along x.
        public var horizontal: [Hold] = []
        /// What holds it along y.
        public var vertical: [Hold] = []
    }

    /// A constraint that was given up.
    public struct Broken: Sendable, Equatable {
        /// Its name.
        public var id: String
        /// Those that it contradicts.
        public var conflicts: [String]
    }

    /// The tick that it is about.
    public var tick: UInt64 = 0
    /// Given if it was asked for.
    public var document: Document?
    /// In the order of the question.
    public var views: [ViewFacts] = []
    /// What was given up.
    public var broken: [Broken] = []

    /// Why a text is no inspection.
    public struct Failure: Error, Equatable, Sendable {
        /// What is wrong.
        public var message: String
    }

    /// Reads what the server sends; keys that are not known are passed over.
    public init(json text: String) throws(Failure) {
        let value: JSONValue
        do throws(JSONError) { value = try JSONReader.read(Array(text.utf8)) } catch {
            throw Failure(message: "\(error)")
        }
        guard case .object = value.kind else { throw Failure(message: "not an object") }
        tick = value["tick"]?.number.flatMap { UInt64(exactly: $0) } ?? 0
        document = value["document"].map(Self.document)
        views = value["views"]?.items.map(Self.facts) ?? []
        broken =
            value["broken"]?.items.map { item in
                Broken(
                    id: item["id"]?.string ?? "",
                    conflicts: item["conflicts"]?.items.compactMap(\.string) ?? [])
            } ?? []
    }

    /// An inspection that says nothing.
    public init() {}

    private static func document(_ value: JSONValue) -> Document {
        var document = Document()
        document.constraints = constraints(value["constraints"], set: nil)
        if case .object(let members)? = value["sets"]?.kind {
            for member in members {
                let inner = constraints(member.value["constraints"], set: member.key)
                document.sets.append(
                    ConstraintSet(
                        id: member.key, condition: member.value["when"]?.string,
                        count: inner.count))
                document.constraints += inner
            }
        }
        document.guides = value["guides"]?.items.compactMap { $0["id"]?.string } ?? []
        document.isRightToLeft = value["viewport"]?["direction"]?.string == "rtl"
        return document
    }

    private static func constraints(_ value: JSONValue?, set: String?) -> [Constraint] {
        (value?.items ?? []).enumerated().map { index, item in
            let id = item["id"]?.string ?? "\(set ?? "")#\(index)"
            let rule = item.string ?? item["rule"]?.string ?? item["vfl"]?.string ?? ""
            return Constraint(
                id: id, rule: rule, isActive: item["active"]?.bool ?? true, set: set)
        }
    }

    private static func facts(_ value: JSONValue) -> ViewFacts {
        var facts = ViewFacts(id: value["id"]?.string ?? "")
        facts.isAmbiguous = value["ambiguous"]?.bool ?? false
        facts.marks = ["needsUpdateConstraints", "needsLayout", "needsDisplay"].filter {
            value[$0]?.bool == true
        }
        facts.constraints = value["constraints"]?.items.compactMap(\.string) ?? []
        facts.horizontal = value["horizontal"]?.items.map(hold) ?? []
        facts.vertical = value["vertical"]?.items.map(hold) ?? []
        return facts
    }

    private static func hold(_ value: JSONValue) -> Hold {
        Hold(
            id: value["id"]?.string, kind: value["kind"]?.string,
            rule: value["rule"]?.string ?? "")
    }
}

extension JSONValue {
    /// The text, if it is one.
    var string: String? {
        guard case .string(let text) = kind else { return nil }
        return text
    }
    /// The number, if it is one.
    var number: Double? {
        guard case .number(let number) = kind else { return nil }
        return number
    }
    /// The truth value, if it is one.
    var bool: Bool? {
        guard case .bool(let value) = kind else { return nil }
        return value
    }
    /// The elements; none if it is no list.
    var items: [JSONValue] {
        guard case .array(let values) = kind else { return [] }
        return values
    }
}
