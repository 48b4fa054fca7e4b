import CharacterWidth
import JSON
import SceneDocument
import SceneWire

/// Paints an application's screen.
extension AppState {
    mutating func paint(now: Double, on grid: inout CellGrid) {
        grid.begin(size: size)
        if let scene = scene(now: now) {
            pictures.want(scene.imageHashes)
            scene.paint(on: &grid, pictures: pictures)
            for step in scene.steps { mark(step, scene, on: &grid) }
        }
        guard let complaint = complaint(now: now) else { return }
        let row = CellRect(left: 0, top: size.rows - 1, right: size.columns, bottom: size.rows)
        grid.clear(row)
        grid.write(
            fitted(" \(complaint)", columns: size.columns), column: 0, row: row.top, clip: row,
            foreground: Tone.warning.color)
        grid.restyle(row) { $0.attributes.insert(.reverse) }
    }

    /// Marks a view as disabled, selected or focused, which its lines do not show.
    private func mark(_ step: SceneOutline.Step, _ scene: AppScene, on grid: inout CellGrid) {
        let item = scene.outline.items[step.place]
        guard !item.isBars, !step.seen.isEmpty, let id = scene.mirror.view(item.number)?.id,
            let interaction = interactions[id]
        else { return }
        let isField = interaction.control == .textField
        if !isEnabled(path(from: id)) {
            grid.restyle(step.seen) { $0.attributes.insert(.dim) }
        } else if isField, AppState.text(of: value(of: id) ?? .null).isEmpty {
            // A placeholder.
            grid.restyle(step.seen) { $0.attributes.insert(.dim) }
        }
        if interaction.isSelected, interaction.control == .none {
            grid.restyle(step.seen) { $0.attributes.formUnion([.bold, .underline]) }
        }
        if held?.taps == id { grid.restyle(step.seen) { $0.attributes.insert(.bold) } }
        if isField, focus == id, let editor {
            FieldWindow(editor, columns: step.area.columns).draw(
                in: step, content: item.content, on: &grid)
        } else if isField, let choice = choices[id] {
            let field = LineEditor(AppState.text(of: choice.value))
            FieldWindow(field, columns: step.area.columns, hasCursor: false)
                .draw(in: step, content: item.content, on: &grid)
        } else if focus == id {
            markFocus(step, on: &grid)
        }
    }

    /// In reverse, which is visible without colours: all of a small view, the sides of a larger
    /// one.
    private func markFocus(_ step: SceneOutline.Step, on grid: inout CellGrid) {
        let area = step.area
        guard area.rows > 2 else {
            return grid.restyle(step.seen) { $0.attributes.insert(.reverse) }
        }
        for left in [area.left, area.right - 1] {
            let side = CellRect(left: left, top: area.top, right: left + 1, bottom: area.bottom)
            grid.restyle(side.intersection(step.seen)) { $0.attributes.insert(.reverse) }
        }
    }
}

/// The part of a line being edited that fits into its field; it contains the cursor.
struct FieldWindow {
    private let characters: [Character]
    private let start: Int
    private let cursor: Int?
    private let columns: Int

    init(_ editor: LineEditor, columns: Int, hasCursor: Bool = true) {
        characters = editor.characters
        cursor = hasCursor ? editor.cursor : nil
        self.columns = columns
        // The cursor takes a cell, also behind the last character.
        var start = hasCursor ? editor.cursor : 0
        var used = 1
        while start > 0, used + displayWidth(of: editor.characters[start - 1]) <= columns {
            start -= 1
            used += displayWidth(of: editor.characters[start])
        }
        self.start = start
    }

    /// The index in the line of the character at a column of the field.
    func character(atColumn column: Int) -> Int {
        var end = 0
        for place in start..<characters.count {
            end += displayWidth(of: characters[place])
            if column < end { return place }
        }
        return characters.count
    }

    func draw(in step: SceneOutline.Step, content: ViewContent, on grid: inout CellGrid) {
        let area = step.area
        let row = area.top + max(0, (area.rows - 1) / 2)
        let line = CellRect(left: area.left, top: row, right: area.right, bottom: row + 1)
        let clip = line.intersection(step.seen)
        grid.restyle(clip) { cell in
            cell = cell.widowed
            cell.attributes = .underline
        }
        var column = area.left
        for place in start...characters.count {
            let character = place < characters.count ? characters[place] : " "
            guard place < characters.count || place == cursor else { return }
            let width = displayWidth(of: character)
            guard column + width <= area.right else { return }
            let attributes: Cell.Attributes = place == cursor ? .reverse : .underline
            grid.write(
                String(character), column: column, row: row, clip: clip,
                foreground: content.foreground, opacity: step.opacity, attributes: attributes)
            column += width
        }
    }
}
