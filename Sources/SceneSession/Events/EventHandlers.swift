/// The clients that handle events of a room, and the subtrees that each of them handles.
struct EventHandlers {
    private var handlers: [String: EventHandler] = [:]
    /// The keys of `handlers` in the order of insertion, since the order of a dictionary is not
    /// deterministic.
    private var order: [String] = []
    /// The clients that handle a subtree, by its topmost view, in the order in which they asked.
    private var byRoot: [String: [String]] = [:]

    var count: Int { handlers.count }

    /// The handler of a client's session, changed in place: a setter would copy its events with
    /// each change. It is inserted and removed by the methods below alone, which keep the order and
    /// the subtrees.
    subscript(session: String) -> EventHandler? {
        get { handlers[session] }
        _modify { yield &handlers[session] }
    }

    /// Inserts a handler without subtrees, unless the client has one.
    mutating func insert(_ session: String, _ member: MemberID) {
        guard handlers[session] == nil else { return }
        handlers[session] = EventHandler(member: member)
        order.append(session)
    }

    /// Sets the subtrees that a client handles, in place of those before. A view that is named
    /// twice counts once.
    ///
    /// - Complexity: O(subtrees · clients that handle the same).
    mutating func setRoots(_ roots: [String], of session: String) {
        removeRoots(of: session)
        var seen: Set<String> = []
        let distinct = roots.filter { seen.insert($0).inserted }
        handlers[session]?.roots = distinct
        for root in distinct { byRoot[root, default: []].append(session) }
    }

    private mutating func removeRoots(of session: String) {
        for root in handlers[session]?.roots ?? [] {
            byRoot[root]?.removeAll { $0 == session }
            if byRoot[root]?.isEmpty == true { byRoot[root] = nil }
        }
    }

    /// The client that handles the nearest subtree around a view; of several, the connected one
    /// that asked first. A disconnected one is returned if no connected client handles any subtree
    /// around the view.
    ///
    /// - Parameter path: The ids from the view up to the root.
    /// - Complexity: O(depth of the view · clients that handle the same subtree).
    func session(along path: [String]) -> String? {
        var absent: String?
        for id in path {
            guard let sessions = byRoot[id] else { continue }
            if let present = sessions.first(where: isPresent) { return present }
            absent = absent ?? sessions.first
        }
        return absent
    }

    /// Whether events can be delivered to a client now.
    func isPresent(_ session: String) -> Bool { handlers[session]?.isPresent ?? false }

    /// All clients, in the order of insertion.
    var inOrder: [String] { order }

    /// The tick of the earliest disconnect among the disconnected clients; `nil` if all are
    /// connected.
    ///
    /// - Complexity: O(clients).
    var firstAbsence: UInt64? {
        handlers.values.lazy.filter { !$0.isPresent }.map(\.absentSince).min()
    }

    /// Removes the clients that disconnected at a tick or before, all of them before any of their
    /// events is routed anew.
    ///
    /// - Returns: Them, in the order of insertion.
    mutating func removeAbsent(since tick: UInt64) -> [EventHandler] {
        let gone = order.filter { !isPresent($0) && handlers[$0]?.absentSince ?? .max <= tick }
        guard !gone.isEmpty else { return [] }
        order.removeAll { gone.contains($0) }
        return gone.compactMap { session in
            removeRoots(of: session)
            return handlers.removeValue(forKey: session)
        }
    }
}
