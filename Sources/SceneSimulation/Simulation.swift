import Annotations
import SceneModel
import SceneSession
import SceneWire
import SeededRandom

/// A room, its journal and many clients on a virtual clock, network and disk: everything that
/// happens follows from one seed, so a run that fails can be run again alone.
///
/// Messages are delayed, connections cut, readers slow; sends are doubled; the disk fills up,
/// reports failures that were none, and tears its last write when the server dies; some clients
/// lie, and some send what is dear. After a while everything heals, and then nothing may be lost,
/// doubled or different anywhere.
public final class Simulation {
    /// What a run came to.
    public struct Outcome: Sendable {
        /// The seed that it followed from.
        public var seed: UInt64
        /// What was wrong; empty when all was well.
        public var faults: [String]
        /// Ticks of the room.
        public var ticks: UInt64
        /// Messages that were committed.
        public var committed: Int
        /// How often the server died.
        public var crashes: Int
        /// How often the disk failed.
        public var failures: Int
        /// How often the room was frozen.
        public var freezes: Int
        /// How often its journal was damaged, and repaired.
        public var repairs: Int
        /// The state hash at the end.
        public var hash: UInt64
    }

    /// Moments in a tick.
    static let momentsPerTick = 4
    /// For so long before the end, all scenes are at hand.
    private static let rousingMoments = 300 * momentsPerTick
    /// For so long a room that is at rest is frozen and looked at again, before the comparison at
    /// the end.
    private static let restingMoments = 600 * momentsPerTick
    private static let momentsPerSecond = 60 * momentsPerTick
    static let document = """
        {"scene": 1, "viewport": {"width": 400, "height": 200},
         "views": [{"id": "bar"}, {"id": "title", "parent": "bar", "kind": "label", "text": "Hello"}],
         "constraints": [
           "bar.leading == root.leading", "bar.top == root.top", "bar.height == 40",
           {"id": "w", "rule": "bar.width == 100"},
           "title.leading == bar.leading + 8", "title.top == bar.top + 8"],
         "sets": {"wide": {"constraints": ["bar.bottom <= root.bottom"]}}}
        """

    enum Event {
        case tick
        case act(client: Int)
        case connect(client: Int)
        case arrive(connection: Int, ClientMessage)
        case deliver(connection: Int, [UInt8])
        case wake(client: Int)
        case close(connection: Int)
        case written
        case readPast(connection: Int, tick: UInt64, life: Int)
        case readBranch(connection: Int, room: String, life: Int)
        case tryDisk
        case crash
        case restart
        case repair
        case anotherProcess
        case animateLong
        case desert
        case comeBack
    }

    struct Connection {
        var client: Int
        var isOpen = true
        /// When the last message of each direction comes; a connection keeps the order.
        var upstream = 0
        var downstream = 0
        var inFlight = 0
    }

    let seed: UInt64
    var random: SplitMix64
    var devices: SimulatedDevices
    var queue = EventQueue<Event>()
    var now = 0
    var session: SceneSession?
    /// Which life of the server this is.
    var life = 0
    var clients: [SimulatedClient] = []
    var ops: SimulatedOps
    /// What measures the text of a room that has some.
    let faces = SimulatedFaces()
    var bombs: SimulatedBombs
    var connections: [Connection] = []
    var connectionOf: [Int: Int] = [:]
    var store: SimulatedStore
    /// What was done to the journal.
    var harm: SimulatedHarm
    var desertion: SimulatedDesertion
    let plant: RoomPlant?
    var isHealed = false
    private var isRoused = false
    /// When there was last something to do, once all had healed.
    private var lastUnrest = 0
    var faults: [String] = []
    var crashes = 0
    var failures = 0
    var freezes = 0
    var nextName = 0
    var conditions: RoomConditions
    var events = SimulatedEvents()
    var annotations: SimulatedAnnotations
    /// Decides about events alone.
    var eventRandom: SplitMix64
    private let end: Int

    /// Runs one seed.
    ///
    /// - Complexity: A few hundred ticks of a small scene.
    public static func run(seed: UInt64, plant: RoomPlant? = nil) -> Outcome {
        let simulation = Simulation(seed: seed, plant)
        return RegisteredFaces.withLibrary(simulation.faces) { simulation.outcome() }
    }

    private func outcome() -> Outcome {
        run()
        return Outcome(
            seed: seed, faults: faults, ticks: session?.tick ?? 0,
            committed: clients.reduce(0) { $0 + $1.committed.count },
            crashes: crashes, failures: failures, freezes: freezes, repairs: harm.repairs,
            hash: session?.wake()?.model.stateHash ?? 0)
    }

    private init(seed: UInt64, _ plant: RoomPlant?) {
        self.seed = seed
        self.plant = plant
        harm = SimulatedHarm(seed: seed)
        desertion = SimulatedDesertion(
            seed: seed, isCertain: plant == .standingTime || plant == .tickingAlone)
        store = SimulatedStore(harm.usesDirectory ? SimulatedDirectory() : nil)
        random = SplitMix64(seed: seed &* 0x9E37_79B9_7F4A_7C15)
        devices = SimulatedDevices(seed: seed)
        eventRandom = SplitMix64(seed: seed ^ 0xE7E27)
        ops = SimulatedOps(seed: seed)
        annotations = SimulatedAnnotations(seed: seed)
        bombs = SimulatedBombs(seed: seed)
        conditions = RoomConditions(seed: seed, &random)
        end = (100 + random.below(160)) * Self.momentsPerTick
    }

    // MARK: Time

    /// The present moment in nanoseconds, as clients count them.
    var nanoseconds: UInt64 { UInt64(now) * 1_000_000_000 / UInt64(Self.momentsPerSecond) }

    /// The first moment that is not before a time in nanoseconds.
    func moment(atOrAfter time: UInt64) -> Int {
        Int((time * UInt64(Self.momentsPerSecond) + 999_999_999) / 1_000_000_000)
    }

    // MARK: The run

    private func run() {
        for number in 0..<3 + random.below(5) { addClient(number) }
        start()
        queue.plan(.tick, at: Self.momentsPerTick)
        for client in clients.indices { queue.plan(.connect(client: client), at: random.below(40)) }
        if random.chance(1, of: 3) { queue.plan(.crash, at: random.below(end)) }
        if random.chance(1, of: 3) { queue.plan(.tryDisk, at: random.below(end)) }
        planHarm(until: end)
        planDesertion(until: end)
        // Layouts for devices count as work too, so what waits takes longer to be served. What an
        // editor has sent that is dear is served as far as the room's budget goes, however long
        // that takes.
        let healing = (bombs.client == nil ? 6000 : 60_000) * Self.momentsPerTick
        var last = end + healing
        while let (time, event) = queue.next(), time < last, faults.count < 10 {
            now = time
            if !isHealed, now >= end { heal() }
            if !isRoused, hasCalmed || now >= last - Self.rousingMoments {
                rouse()
                last = now + Self.rousingMoments
            }
            handle(event)
        }
        check()
    }

    private func addClient(_ number: Int) {
        let lies = number > 1 && random.chance(1, of: 8)
        let role: Role = number == 0 || random.below(2) == 0 ? .editor : .viewer
        let all = SceneSession.capabilities
        let capabilities = random.below(4) == 0 ? 0 : random.next() & all | Capability.undo
        let roots = random.chance(1, of: 4) ? [random.pick(["bar", "v0", "v1"])] : []
        clients.append(
            SimulatedClient(
                number: number, role: role, format: random.chance(1, of: 4) ? .json : .binary,
                capabilities: capabilities, roots: roots,
                rate: random.chance(1, of: 4) ? UInt32(5 + random.below(40)) : 0,
                device: devices.first(), lies: lies))
    }

    private func handle(_ event: Event) {
        switch event {
        case .tick: tick()
        case .act(let client): act(client)
        case .connect(let client): connect(client)
        case .arrive(let connection, let message): arrive(connection, message)
        case .deliver(let connection, let payload): deliver(connection, payload)
        case .wake(let client): wake(client)
        case .close(let connection): close(connection)
        case .written: written()
        case .readPast(let connection, let tick, let life): readPast(connection, tick, life)
        case .readBranch(let connection, let room, let life): readBranch(connection, room, life)
        case .tryDisk: changeDisk()
        case .crash: if !isHealed { crash() }
        case .restart: start()
        case .repair: repairJournal()
        case .anotherProcess: meetAnotherProcess()
        case .animateLong: animateLong()
        case .desert: desert()
        case .comeBack: comeBack()
        }
    }

    /// From here on no fault is injected, and no client asks for anything new.
    private func heal() {
        isHealed = true
        store.setFull(false)
        for client in clients.indices {
            guard let connection = connectionOf[client] else { continue }
            if clients[client].lies {
                cut(connection)
                continue
            }
            dealWithEvents(clients[client], over: connection)
            if clients[client].isWatchingPast {
                var live = Seek()
                live.isLive = true
                send(clients[client].seek(live), over: connection)
            }
        }
    }

    /// Brings all scenes back for the comparison at the end, while members can still be told what
    /// that changed: devices are laid out anew, and where a layout is ambiguous they may come to
    /// another one.
    private func rouse() {
        isRoused = true
        session?.slice = .max
        if let session { carryOut(session.wakeAndTell()) }
    }

    /// Whether nothing has had to be done for a while since all healed. Healing may take long, and
    /// in most of it there are only pings.
    private var hasCalmed: Bool { isHealed && now >= max(end, lastUnrest) + Self.restingMoments }

    /// Notes that there is something to do.
    private func noteUnrest() {
        let isAtRest =
            session.map { $0.nextTick == nil } ?? false
            && clients.allSatisfy {
                $0.lies || $0.unanswered.isEmpty && connectionOf[$0.number] != nil
            }
        if !isAtRest { lastUnrest = now }
    }

    /// The tick of the moment 0, in the server's present life.
    var tickBase: UInt64 = 0

    /// The number of the tick of the present moment.
    var tickNumber: UInt64 {
        let number = tickBase + UInt64(now / Self.momentsPerTick)
        return number - min(number, desertion.stoppedTicks)
    }

    private func tick() {
        // Now and then a tick comes late.
        let pause = !isHealed && random.chance(1, of: 30) ? 1 + random.below(9) : 1
        queue.plan(.tick, at: now + pause * Self.momentsPerTick)
        if isHealed { noteUnrest() }
        guard let session else { return }
        let number = max(session.tick + 1, tickNumber)
        if !isRoused, let slice = conditions.nextSlice() { session.slice = slice }
        if let next = session.nextTick, next <= number {
            desertion.noteTick(at: now)
            carryOut(session.handle(.tick(number)))
        }
        // Roused scenes stay: what comes back at the very end is told to nobody.
        if conditions.freezesNow(), !isRoused { freeze(session) }
    }

    /// Whenever nothing is under way a room may be frozen. Sometimes it is looked at before and
    /// after, at others left so until something happens.
    private func freeze(_ session: SceneSession) {
        guard session.freezeTick != nil else { return }
        let isCompared = conditions.comparesFrozen()
        let before =
            isCompared
            ? session.wake().map { ($0.model.records(), $0.model.document(), $0.annotations.json) }
            : nil
        carryOut(session.handle(.freeze))
        guard session.isFrozen else { return }
        freezes += 1
        guard let (records, document, annotations) = before else { return }
        carryOut(session.wakeAndTell())
        let model = session.wake()?.model
        if model?.records() != records { faults.append("thawed, it looks otherwise") }
        if model?.document() != document { faults.append("thawed, it is another scene") }
        if session.wake()?.annotations.json != annotations {
            faults.append("thawed, it has other annotations")
        }
    }
}
