import Measuring
import SceneSession
import SceneStore
import SceneWire

/// A room of 1,000 views that lies in the store, and one who joins it.
enum OpeningBenchmark {
    private static let rounds = 9

    /// Seconds of the clock from asking the store for the records to the bytes of the state that
    /// the joining member is sent, the median of several rooms.
    static func open(_ directory: String) throws -> [Double] {
        let store = try SQLiteStore(directory: directory)
        let names = (0..<rounds).map { "room\($0)" }
        for (number, name) in names.enumerated() {
            let driver = Driver(try scene(views: 1000))
            for round in 0..<20 {
                driver.send(ops(10, rows: 500, round: round + number))
                driver.runTick()
            }
            try store.append(driver.records.map { RoomRecord(room: name, record: $0) }, time: 0)
        }
        var times: [Double] = []
        for name in names {
            let start = wallTime()
            let records = try store.records(of: name)
            let replay = try JournalReplay(records, options: SessionOptions())
            let session = SceneSession(room: name, tickRate: 60, replay: replay)
            let effects = session.handle(.joined(MemberID(1), admission("viewer", role: .viewer)))
            times.append(wallTime() - start)
            var bytes = 0
            for case .send(let payloads, _, _) in effects {
                bytes += payloads.reduce(0) { $0 + $1.count }
            }
            precondition(bytes > 1000, "the state has to leave")
        }
        times.sort()
        return [times[rounds / 2]]
    }
}
