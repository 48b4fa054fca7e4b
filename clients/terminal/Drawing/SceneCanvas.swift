import SceneWire

/// The picture of a scene, updated from one state to the next: only rows of cells that may have
/// changed are painted again.
///
/// Whole rows, so that no wide character is cut at the edge of a painted area.
struct SceneCanvas {
    /// The cells of an item, and the values that decide how it is painted.
    private struct Footprint: Hashable {
        var area: SIMD4<Int32> = .zero
        var seen: SIMD4<Int32> = .zero
        /// For text its position in units; for bars their extent.
        var detail: SIMD4<Int32> = .zero

        var rows: Range<Int> {
            seen[2] > seen[0] && seen[3] > seen[1] ? Int(seen[1])..<Int(seen[3]) : 0..<0
        }
    }

    private(set) var grid = CellGrid(size: GridSize())
    private var outline = SceneOutline()
    private var transform: ViewTransform?
    /// By the index in the outline.
    private var footprints: [Footprint] = []
    private var steps: [SceneOutline.Step] = []
    private var isDamaged: [Bool] = []
    /// The state of the pictures in the grid.
    private var pictureRevision: UInt64 = 0
    /// The visible images, by their hashes.
    private(set) var imageHashes: [String] = []

    /// Updates the grid to the picture of a scene.
    ///
    /// - Complexity: O(views · animations under way + cells of the rows that changed).
    mutating func paint(
        _ mirror: SceneMirror, _ newTransform: ViewTransform, size: GridSize, tick: UInt64?,
        pictures: PictureShelf = PictureShelf()
    ) {
        let isSame =
            transform == newTransform && grid.size == CellGrid.size(size)
            && outline.contentStamp == mirror.contentStamp
            && pictureRevision == pictures.revision
        pictureRevision = pictures.revision
        if !isSame {
            outline = SceneOutline(mirror)
            transform = newTransform
            grid.begin(size: size)
            footprints.removeAll(keepingCapacity: true)
            footprints.append(contentsOf: repeatElement(Footprint(), count: outline.items.count))
        }
        let bounds = grid.bounds
        steps.removeAll(keepingCapacity: true)
        outline.walk(mirror, newTransform, in: bounds, tick: tick) { steps.append($0) }
        isDamaged.removeAll(keepingCapacity: true)
        isDamaged.append(contentsOf: repeatElement(!isSame, count: grid.height))
        noteChanges(mirror)
        damageWholeImages()
        let bands = bands
        guard !bands.isEmpty else { return }
        for band in bands { grid.clear(band) }
        var pass = PaintPass(
            transform: newTransform, pictures: pictures, grid: CellGrid(size: GridSize()))
        swap(&pass.grid, &grid)
        for step in steps { paint(step, mirror, bands, &pass) }
        swap(&pass.grid, &grid)
    }

    private func paint(
        _ step: SceneOutline.Step, _ mirror: SceneMirror, _ bands: [CellRect],
        _ pass: inout PaintPass
    ) {
        let image = imageCells(of: step)
        let top = min(step.area.top, image?.top ?? step.area.top)
        let bottom = max(step.area.bottom, image?.bottom ?? step.area.bottom)
        for band in bands where band.top < bottom && band.bottom > top {
            let clip = step.clip.intersection(band)
            if outline.items[step.place].isBars {
                ScrollBar.draw(
                    outline.items[step.place].content, step, clip: clip,
                    size: Self.extent(outline.items[step.place].number, mirror), on: &pass.grid)
            } else {
                pass.paint(outline.items[step.place], step, clip: clip)
            }
        }
    }

    /// The visible cells of a view's image.
    private func imageCells(of step: SceneOutline.Step) -> CellRect? {
        guard outline.hasImages else { return nil }
        return transform?.placement(of: outline.items[step.place], step)?.seen
    }

    /// Has images painted whole, since what lies behind one decides how it can be shown.
    private mutating func damageWholeImages() {
        imageHashes.removeAll()
        guard outline.hasImages else { return }
        var images: [Range<Int>] = []
        var numbers: Set<Int> = []
        for step in steps {
            guard let image = outline.items[step.place].image else { continue }
            imageHashes.append(image.hash)
            numbers.insert(step.place + 1)
            let rows = footprints[step.place].rows
            if !rows.isEmpty { images.append(rows) }
        }
        grid.pictures = grid.pictures.filter { number, _ in numbers.contains(Int(number)) }
        var changes = true
        while changes {
            changes = false
            for rows in images
            where isDamaged[rows].contains(true) && isDamaged[rows].contains(false) {
                for row in rows { isDamaged[row] = true }
                changes = true
            }
        }
    }

    /// Marks the rows of everything that moved or changed its look.
    private mutating func noteChanges(_ mirror: SceneMirror) {
        var next = 0
        for step in steps {
            // What is not among the steps is not seen any more.
            while next < step.place {
                note(Footprint(), at: next)
                next += 1
            }
            note(footprint(of: step, mirror), at: next)
            next += 1
        }
        while next < footprints.count {
            note(Footprint(), at: next)
            next += 1
        }
    }

    private mutating func note(_ footprint: Footprint, at place: Int) {
        guard footprints[place] != footprint else { return }
        for row in footprints[place].rows { isDamaged[row] = true }
        for row in footprint.rows { isDamaged[row] = true }
        footprints[place] = footprint
    }

    private func footprint(of step: SceneOutline.Step, _ mirror: SceneMirror) -> Footprint {
        func vector(_ rect: CellRect) -> SIMD4<Int32> {
            SIMD4(
                Int32(clamping: rect.left), Int32(clamping: rect.top), Int32(clamping: rect.right),
                Int32(clamping: rect.bottom))
        }
        var footprint = Footprint(area: vector(step.area), seen: vector(step.seen))
        let frame = step.frame
        if let image = imageCells(of: step) {
            footprint.seen = vector(step.seen.union(image))
        }
        if outline.items[step.place].isBars {
            let extent = Self.extent(outline.items[step.place].number, mirror)
            footprint.detail = SIMD4(
                truncatingIfNeeded: SIMD4(frame.width, frame.height, extent.width, extent.height))
        } else if outline.items[step.place].hasText || imageCells(of: step) != nil {
            footprint.detail = SIMD4(
                truncatingIfNeeded: SIMD4(frame.x, frame.y, frame.width, frame.height))
        }
        return footprint
    }

    /// How far a scroll view's content reaches, in units.
    static func extent(
        _ number: ViewNumber, _ mirror: SceneMirror
    ) -> (width: Int, height: Int) {
        var extent = (width: 0, height: 0)
        for subview in mirror.subviews(of: number) {
            guard let frame = mirror.frame(subview) else { continue }
            extent.width = max(extent.width, Int(frame.x) + Int(frame.width))
            extent.height = max(extent.height, Int(frame.y) + Int(frame.height))
        }
        return extent
    }

    /// The rows to paint, as ranges.
    private var bands: [CellRect] {
        var bands: [CellRect] = []
        var row = 0
        while row < isDamaged.count {
            guard isDamaged[row] else {
                row += 1
                continue
            }
            let top = row
            while row < isDamaged.count, isDamaged[row] { row += 1 }
            bands.append(CellRect(left: 0, top: top, right: grid.width, bottom: row))
        }
        return bands
    }
}
