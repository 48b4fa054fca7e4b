import SceneWire

/// The devices on which the scene is watched: one, and optionally a second one beside it.
struct WatchedDevices {
    /// The device of the scene that is edited.
    private(set) var main: DeviceSelection
    /// The scene on a second device.
    private(set) var beside: BesideScene?

    init(_ main: DeviceChoice, beside: DeviceChoice?) {
        self.main = DeviceSelection(main)
        self.beside = beside.map { BesideScene($0) }
    }

    mutating func granted(_ grant: DeviceGrant) { main.granted(grant) }

    mutating func take(_ event: BesideEvent, now: Double) { beside?.take(event, now: now) }

    /// Selects the next main device.
    mutating func cycleMain() { main.cycle() }

    /// Selects the next device beside the main one; after the last, none.
    mutating func cycleBeside() {
        beside = main.beside(after: beside?.choice).map { BesideScene($0) }
    }

    /// The request for the main device in an area; `nil` if it was sent already.
    mutating func takeMainRequest(in area: CellRect) -> DeviceRequest? {
        main.takeRequest(in: Self.size(area))
    }

    /// The request for the second device in an area; `nil` if there is none, or it was sent
    /// already.
    mutating func takeBesideRequest(in area: CellRect) -> DeviceRequest? {
        beside?.takeRequest(in: Self.size(area))
    }

    private static func size(_ area: CellRect) -> GridSize {
        GridSize(columns: area.columns, rows: area.rows)
    }

    mutating func drawBeside(
        on grid: inout CellGrid, in area: CellRect, selection: String?, members: [Members.Member],
        pictures: PictureShelf, now: Double
    ) {
        beside?.draw(
            on: &grid, in: area, selection: selection, members: members, pictures: pictures,
            now: now)
    }
}
