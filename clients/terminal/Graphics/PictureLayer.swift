import PicturePixels

/// The pictures that a terminal shows as pixels.
///
/// Pictures come as blocks in a grid. Where a terminal shows pixels, cells that are nothing but
/// blocks become blanks, and pixels are drawn there. Pixels of kitty lie below the text, those of
/// the others are in the text: what is written there removes them. A picture stays blocks while it
/// moves for the first time, where more than a few rectangles of it are visible, or where it would
/// be too many bytes.
struct PictureLayer {
    /// What to write for a picture of the screen, in this order.
    struct Update {
        /// Removes pixels.
        var removals: [UInt8] = []
        /// The terminal's present cells, and the wanted ones.
        var old: CellGrid
        var new: CellGrid
        /// Draws pixels, each with the cell in which the cursor has to be.
        var drawings: [(bytes: [UInt8], place: GridPoint)] = []
    }

    /// Bytes of one picture, or part, in base64 or as sixels.
    static let pictureByteMaximum = 512 << 10
    /// Bytes of pictures after which no further one is begun; the next screen has it.
    static let screenByteMaximum = 256 << 10
    /// Rectangles of cells of one picture.
    static let rectangleMaximum = 12
    /// Pixels of one picture, or part, that are encoded.
    private static let pixelMaximum = 1 << 20
    /// Bytes of pixels that the terminal keeps of pictures which are not visible.
    private static let keptByteMaximum = 32 << 20
    /// Pictures that are remembered as too large.
    private static let refusedMaximum = 256
    /// What no terminal shows, for cells whose contents are unknown.
    private static let unknown: Cell = {
        var cell = Cell("\u{FFFC}", columns: 1)
        cell.attributes = .reverse
        return cell
    }()

    /// A picture that kitty has.
    private struct Upload {
        var number: UInt32
        /// In pixels.
        var width: Int
        var height: Int
        /// The number of the last screen that showed it.
        var use: Int
    }

    /// A part of a picture on kitty's screen.
    private struct Placement: Hashable {
        var upload: UInt32
        var area: CellRect
        var source: CellRect
    }

    let graphics: TerminalGraphics
    private let hasAllColors: Bool
    /// For each cell the number of the picture whose pixels the terminal shows there; 0 for none.
    private var shown: [UInt32] = []
    private var numbers: [PlacedPicture: UInt32] = [:]
    private var lastNumber: UInt32 = 0
    private var uploads: [PlacedPicture: Upload] = [:]
    private var placements: [Placement: UInt32] = [:]
    private var lastPlacement: UInt32 = 0
    private var lastUpload: UInt32
    private var refused: Set<PlacedPicture> = []
    private var screenCount = 0
    /// Whether a picture waits for a later screen.
    private(set) var isIncomplete = false

    /// - Parameters:
    ///   - colors: Those of the cells.
    ///   - firstNumber: The number before that of the first picture in the terminal; other programs
    ///     of the same terminal have others.
    init(_ graphics: TerminalGraphics, colors: ColorDepth, firstNumber: UInt32) {
        self.graphics = graphics
        hasAllColors = colors == .trueColor
        lastUpload = firstNumber
    }

    /// Whether the terminal shows no pixels.
    var isEmpty: Bool { shown.isEmpty }

    private var isKitty: Bool { graphics.method == .kitty }

    /// Registers that nothing is known of the terminal.
    ///
    /// - Returns: What removes all that may be there.
    mutating func forget() -> [UInt8] {
        let hadUploads = !uploads.isEmpty
        shown = []
        numbers = [:]
        uploads = [:]
        placements = [:]
        guard hadUploads else { return [] }
        let command = KittyCommand.forgetAll
        return Array(
            UnsafeBufferPointer(start: command.utf8Start, count: command.utf8CodeUnitCount))
    }

    /// Registers that the terminal could not take a picture.
    mutating func refuse(upload number: UInt32) {
        guard let content = uploads.first(where: { $0.value.number == number })?.key else {
            return
        }
        uploads[content] = nil
        placements = placements.filter { $0.key.upload != number }
        refuse(content)
    }

    private mutating func refuse(_ content: PlacedPicture) {
        if refused.count >= Self.refusedMaximum { refused = [] }
        refused.insert(content)
    }

    // MARK: A screen

    /// What changes one screen into another of the same size.
    ///
    /// - Parameter isMoving: Whether the next screen will differ, so that pictures which have not
    ///   been sent yet would be sent in vain.
    /// - Complexity: O(cells), and that of encoding what the terminal does not have.
    mutating func update(from old: CellGrid, to new: CellGrid, isMoving: Bool) -> Update {
        screenCount += 1
        isIncomplete = false
        var screen = PictureCells(new, keepsBelowText: isKitty)
        if shown.count != screen.wanted.count {
            shown = [UInt32](repeating: 0, count: screen.wanted.count)
        }
        number(&screen)
        var update = Update(old: old, new: new)
        var placed: [Placement: UInt32] = [:]
        var budget = isMoving ? 0 : Self.screenByteMaximum
        for (tag, picture) in new.pictures.sorted(by: { $0.key < $1.key }) {
            guard let number = screen.numbers[tag] else { continue }
            // What a colour of a palette looks like, the user decides.
            guard hasAllColors || picture.backdrop == 0 else {
                screen.drop(number)
                continue
            }
            if isKitty {
                place(picture, number, &screen, &placed, &budget, &update)
            } else {
                draw(picture, number, &screen, &budget, &update)
            }
        }
        if isKitty { remove(allBut: placed, &update) }
        cover(screen, &update)
        let hasAny = screen.wanted.contains { $0 != 0 }
        shown = hasAny ? screen.wanted : []
        let known = Set(screen.numbers.values)
        numbers = numbers.filter { _, number in known.contains(number) }
        return update
    }

    /// Gives each picture at its place the number that it had on the screen before.
    private mutating func number(_ screen: inout PictureCells) {
        for (tag, picture) in screen.pictures {
            if numbers[picture] == nil {
                lastNumber &+= 1
                numbers[picture] = max(1, lastNumber)
            }
            screen.numbers[tag] = numbers[picture]
        }
        screen.resolve()
    }

    /// Turns cells that show pixels into blanks, and those whose pixels have to go into unknown
    /// ones, so that they are written.
    private func cover(_ screen: PictureCells, _ update: inout Update) {
        let (shown, wanted, isKitty) = (shown, screen.wanted, isKitty)
        update.old.change { index, cell in
            guard shown[index] != 0, cell.isPicture || !isKitty else { return }
            cell = isKitty || shown[index] == wanted[index] ? .blank : Self.unknown
        }
        update.new.change { index, cell in
            if wanted[index] != 0, cell.isPicture { cell = .blank }
        }
    }

    // MARK: Kitty

    private mutating func place(
        _ picture: PlacedPicture, _ number: UInt32, _ screen: inout PictureCells,
        _ placed: inout [Placement: UInt32], _ budget: inout Int, _ update: inout Update
    ) {
        let areas = screen.rectangles { screen, index in screen.wanted[index] == number }
        guard !areas.isEmpty else { return }
        guard areas.count <= Self.rectangleMaximum,
            let upload = upload(picture, at: areas[0], &budget, &update)
        else { return screen.drop(number) }
        for area in areas {
            let source = source(of: area, picture, upload)
            let placement = Placement(upload: upload.number, area: area, source: source)
            if let known = placements[placement] {
                placed[placement] = known
                continue
            }
            lastPlacement = lastPlacement == .max ? 1 : lastPlacement + 1
            placed[placement] = lastPlacement
            let bytes = KittyCommand.place(
                number: upload.number, placement: lastPlacement, source: source,
                columns: area.columns, rows: area.rows)
            update.drawings.append((bytes, GridPoint(column: area.left, row: area.top)))
        }
    }

    /// The pixels of an area, at least one.
    private func source(
        of area: CellRect, _ picture: PlacedPicture, _ upload: Upload
    ) -> CellRect {
        let cover = picture.cover
        func edge(_ cell: Int, _ cells: Int, _ pixels: Int) -> Int {
            Int((Double(cell) * Double(pixels) / Double(cells)).rounded())
        }
        let left = min(edge(area.left - cover.left, cover.columns, upload.width), upload.width - 1)
        let top = min(edge(area.top - cover.top, cover.rows, upload.height), upload.height - 1)
        return CellRect(
            left: left, top: top,
            right: max(left + 1, edge(area.right - cover.left, cover.columns, upload.width)),
            bottom: max(top + 1, edge(area.bottom - cover.top, cover.rows, upload.height)))
    }

    /// The picture in the terminal, sent now if it is not there yet; nil if it cannot be.
    private mutating func upload(
        _ picture: PlacedPicture, at place: CellRect, _ budget: inout Int, _ update: inout Update
    ) -> Upload? {
        let content = picture.anywhere
        if var known = uploads[content] {
            known.use = screenCount
            uploads[content] = known
            return known
        }
        guard !refused.contains(content) else { return nil }
        guard budget > 0 else {
            isIncomplete = true
            return nil
        }
        guard let (file, width, height) = file(of: content) else {
            refuse(content)
            return nil
        }
        lastUpload = lastUpload == .max ? 1 : lastUpload + 1
        let bytes = KittyCommand.send(file, number: lastUpload)
        budget -= bytes.count
        update.drawings.append((bytes, GridPoint(column: place.left, row: place.top)))
        let upload = Upload(number: lastUpload, width: width, height: height, use: screenCount)
        uploads[content] = upload
        return upload
    }

    /// A PNG that covers the picture's cells, and its size in pixels; nil if it is too large.
    private func file(of picture: PlacedPicture) -> (file: [UInt8], width: Int, height: Int)? {
        let cover = picture.cover
        if let file = ownFile(of: picture) {
            let (width, height) = (picture.picture.width, picture.picture.height)
            let isExact = width % cover.columns == 0 && height % cover.rows == 0
            let isFine =
                width >= cover.columns * graphics.cell.width
                && height >= cover.rows * graphics.cell.height
            if isExact || isFine { return (file, width, height) }
        }
        return drawnFile(of: cover, picture)
    }

    /// The picture's own file, if it is a PNG that fills its cells, shows what it would show alone,
    /// and is no longer than the pixels.
    private func ownFile(of picture: PlacedPicture) -> [UInt8]? {
        let (cover, cell) = (picture.cover, graphics.cell)
        guard let file = picture.picture.file, picture.isAligned, picture.opacity >= 1,
            picture.picture.pixels.isOpaque || picture.backdrop == 0,
            file.count <= Self.fileByteMaximum,
            file.count <= cover.columns * cell.width * cover.rows * cell.height * 4
        else { return nil }
        return file
    }

    private static let fileByteMaximum = pictureByteMaximum / 4 * 3

    /// A PNG of a part of a picture at the size of the terminal's pixels, or at half of it, a
    /// quarter, …; nil if all are too large.
    private func drawnFile(
        of area: CellRect, _ picture: PlacedPicture
    ) -> (file: [UInt8], width: Int, height: Int)? {
        var next: CellPixels? = graphics.cell
        while let cell = next {
            next = cell.halved
            let (width, height) = (area.columns * cell.width, area.rows * cell.height)
            guard width * height <= Self.pixelMaximum else { continue }
            let file = PictureFile.png(of: picture.image(of: area, cell: cell.width, cell.height))
            if file.count <= Self.fileByteMaximum { return (file, width, height) }
        }
        return nil
    }

    /// Removes what is not to be seen any more; of the pictures, those that have not been seen for
    /// longest, beyond a bound.
    private mutating func remove(allBut placed: [Placement: UInt32], _ update: inout Update) {
        for (placement, number) in placements.sorted(by: { $0.value < $1.value })
        where placed[placement] == nil {
            update.removals += KittyCommand.remove(number: placement.upload, placement: number)
        }
        placements = placed
        let unseen = uploads.filter { $0.value.use != screenCount }
            .sorted { ($0.value.use, $0.value.number) < ($1.value.use, $1.value.number) }
        var kept = unseen.reduce(0) { $0 + 4 * $1.value.width * $1.value.height }
        for (content, upload) in unseen where kept > Self.keptByteMaximum {
            kept -= 4 * upload.width * upload.height
            uploads[content] = nil
            update.removals += KittyCommand.forget(number: upload.number)
        }
    }

    // MARK: iTerm2 and sixel

    private mutating func draw(
        _ picture: PlacedPicture, _ number: UInt32, _ screen: inout PictureCells,
        _ budget: inout Int,
        _ update: inout Update
    ) {
        screen.dropLastRows(scrollingRows, of: number)
        guard !refused.contains(picture) else { return screen.drop(number) }
        let shown = shown
        let areas = screen.rectangles { screen, index in
            screen.wanted[index] == number && shown[index] != number
        }
        guard !areas.isEmpty else { return }
        guard areas.count <= Self.rectangleMaximum else { return screen.drop(number) }
        guard budget > 0 else {
            isIncomplete = true
            for area in areas { screen.drop(number, in: area) }
            return
        }
        var drawings: [(bytes: [UInt8], place: GridPoint)] = []
        for area in areas {
            guard let bytes = encode(area, picture) else {
                refuse(picture)
                return screen.drop(number)
            }
            drawings.append((bytes, GridPoint(column: area.left, row: area.top)))
            budget -= bytes.count
        }
        update.drawings += drawings
    }

    /// The rows at the bottom of the screen in which a picture would make the terminal scroll.
    ///
    /// The cursor goes to the row below a picture. Sixels come in rows of six pixels, the last of
    /// which may reach into that row already.
    private var scrollingRows: Int {
        graphics.method == .sixel && graphics.cell.height % 6 != 0 ? 2 : 1
    }

    private func encode(_ area: CellRect, _ picture: PlacedPicture) -> [UInt8]? {
        let cell = graphics.cell
        if graphics.method == .iterm2 {
            let own = area == picture.cover ? ownFile(of: picture) : nil
            return (own ?? drawnFile(of: area, picture)?.file).map {
                InlineImage.show($0, columns: area.columns, rows: area.rows)
            }
        }
        guard area.columns * cell.width * area.rows * cell.height <= Self.pixelMaximum else {
            return nil
        }
        let bytes = SixelEncoder.encode(
            picture.image(of: area, cell: cell.width, cell.height),
            colorMaximum: graphics.colorMaximum)
        return bytes.count <= Self.pictureByteMaximum ? bytes : nil
    }
}
