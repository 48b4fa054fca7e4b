import ConstraintLanguage
import LayoutValues

/// The title above or below a section of a table.
struct SectionTitle: Hashable {
    /// The key of the text in the section's element and in `.strings` files.
    enum Key: String {
        case header = "headerTitle"
        case footer = "footerTitle"
    }

    var key: Key
    var text: String
}

/// The constraints that place the rows of tables one below the other, each as high as the table,
/// the cell or the constraints of its content say.
///
/// A row whose table has automatic heights is as high as
/// `systemLayoutSizeFitting(_:withHorizontalFittingPriority:verticalFittingPriority:)` finds for
/// its content view: the width is required, and a height of 0 has the priority `fittingSizeLevel`.
/// Apple, "UITableView.automaticDimension".
struct TableRows {
    private let items: [SceneItem]
    /// What is placed in each table, and the content in each row, from top to bottom.
    private let placed: [Int: [Int]]
    /// The constraints about vertical places within each content view, by its index.
    private let links: [Int: [SceneTie]]
    private(set) var rules: [(id: String, rule: Rule)] = []

    /// `UILayoutPriority.fittingSizeLevel`.
    private static let fitting = 50.0
    /// What gives way to the safe area, and to nothing else.
    private static let nearlyRequired = 999.0
    /// The space around the titles of sections, in points.
    private static let titleMargins = (vertical: 8.0, horizontal: 16.0)

    init(_ reading: SceneReading) {
        items = reading.items
        var placed: [Int: [Int]] = [:]
        for (index, item) in items.enumerated() where item.isPlacedByTable {
            if let parent = item.parent { placed[parent, default: []].append(index) }
        }
        self.placed = placed
        let tables = items.indices.filter { reading.items[$0].hasRows }
        links = tables.isEmpty ? [:] : Self.links(reading)
        for table in tables { place(rowsOf: table) }
    }

    // MARK: Places

    private mutating func place(rowsOf table: Int) {
        let name = items[table].name
        add(
            "\(name)-row-width", Self.anchor(name, .width, .content), .equal,
            Self.anchor(name, .width, .viewport))
        var above = Self.anchor(name, .top, .content)
        var storedEnd = 0.0
        var titles: [Int] = []
        var isAfterPrototype = false
        for index in placed[table] ?? [] {
            let item = items[index]
            guard item.sectionTitle == nil else {
                placeTitle(index, in: table)
                titles.append(index)
                continue
            }
            let isPrototype = item.element.parent?.name == "prototypes"
            var gap = max(0, item.frame.minY - storedEnd)
            // On the canvas a title, "Prototype Cells", is above the first of them.
            if isPrototype, !isAfterPrototype { gap = Self.gapBeforeRows(items[table]) }
            connect(above, titles, gap: gap, below: Self.anchor(item.name, .top), item.name)
            placeRow(index, in: table)
            titles = []
            above = Self.anchor(item.name, .bottom)
            storedEnd = item.frame.maxY
            isAfterPrototype = isPrototype
        }
        connect(above, titles, gap: 0, below: Self.anchor(name, .bottom, .content), "\(name)-rows")
    }

    /// The space above the first section of a table without a title.
    private static func gapBeforeRows(_ table: SceneItem) -> Double {
        guard table.attributes["style"]?.lowercased().contains("grouped") == true else { return 0 }
        let height = table.number("sectionHeaderHeight") ?? 18
        return height > 0 ? height : 18
    }

    /// Keeps the stored gap between two rows, or more where the titles in it need more.
    private mutating func connect(
        _ above: AnchorReference, _ titles: [Int], gap: Double, below: AnchorReference, _ id: String
    ) {
        guard !titles.isEmpty else {
            return add("\(id)-row-top", below, .equal, above, gap)
        }
        add("\(id)-row-top", below, .greaterThanOrEqual, above, gap)
        add("\(id)-row-gap", below, .equal, above, gap, priority: Self.fitting)
        let margin = Self.titleMargins.vertical
        var end = above
        for index in titles {
            let item = items[index]
            let isFooter = item.sectionTitle?.key == .footer
            add(
                "\(item.name)-top", Self.anchor(item.name, .top),
                isFooter ? .equal : .greaterThanOrEqual, end, margin)
            end = Self.anchor(item.name, .bottom)
        }
        let isHeader = titles.last.map { items[$0].sectionTitle?.key == .header } ?? false
        add(
            "\(id)-row-title", below, isHeader ? .equal : .greaterThanOrEqual, end, margin)
    }

    private mutating func placeTitle(_ index: Int, in table: Int) {
        let (name, list) = (items[index].name, items[table])
        let row = placed[table]?.first { items[$0].sectionTitle == nil }
        let margin =
            Self.titleMargins.horizontal + (row.map { Self.sides(of: items[$0], in: list) } ?? 0)
        for (edge, sign) in [(LayoutAttribute.leading, 1.0), (.trailing, -1)] {
            add(
                "\(name)-\(edge.rawValue)", Self.anchor(name, edge), .equal,
                Self.anchor(list.name, edge, .safeArea), sign * margin)
        }
    }

    private static func isInset(_ table: SceneItem) -> Bool {
        table.attributes["style"] == "insetGrouped"
    }

    /// The space beside a row, which rows of one style alone have.
    private static func sides(of row: SceneItem, in table: SceneItem) -> Double {
        isInset(table) ? max(0, row.frame.minX) : 0
    }

    private mutating func placeRow(_ index: Int, in table: Int) {
        let (row, list) = (items[index], items[table])
        let sides = Self.sides(of: row, in: list)
        for (edge, sign) in [(LayoutAttribute.leading, 1.0), (.trailing, -1)] {
            add(
                "\(row.name)-row-\(edge.rawValue)", Self.anchor(row.name, edge), .equal,
                Self.anchor(list.name, edge, Self.isInset(list) ? .safeArea : .content),
                sign * sides)
        }
        let content = placed[index]?.first
        if let content { placeContent(content, of: row, in: list) }
        let follows = content.map { isAutomatic(row, in: list) && givesHeight($0) } ?? false
        add(
            "\(row.name)-row-height", Self.anchor(row.name, .height), .equal, nil,
            follows ? 0 : row.frame.height, priority: follows ? Self.fitting : 1000)
    }

    /// Holds the content view where Xcode stored it within its cell, beside what accessories cover,
    /// and within the safe area.
    private mutating func placeContent(_ index: Int, of row: SceneItem, in list: SceneItem) {
        let content = items[index]
        let (outer, inner) = (row.frame.size, content.frame)
        let followsSafeArea = list.attributes["insetsContentViewsToSafeArea"] != "NO"
        let sides = [
            (LayoutAttribute.leading, inner.minX), (.trailing, min(0, inner.maxX - outer.width)),
        ]
        for (edge, inset) in sides {
            let anchor = Self.anchor(content.name, edge)
            add(
                "\(content.name)-row-\(edge.rawValue)", anchor, .equal, Self.anchor(row.name, edge),
                inset, priority: followsSafeArea ? Self.nearlyRequired : 1000)
            guard followsSafeArea else { continue }
            add(
                "\(content.name)-row-safe-\(edge.rawValue)", anchor,
                edge == .leading ? .greaterThanOrEqual : .lessThanOrEqual,
                Self.anchor(list.name, edge, .safeArea))
        }
        add(
            "\(content.name)-row-top", Self.anchor(content.name, .top), .equal,
            Self.anchor(row.name, .top), inner.minY)
        add(
            "\(content.name)-row-bottom", Self.anchor(content.name, .bottom), .equal,
            Self.anchor(row.name, .bottom), min(0, inner.maxY - outer.height))
    }

    // MARK: Heights

    /// Whether the height of a row follows its content. The height of a prototype is that of the
    /// table in the app, and its own on the canvas; that of a static cell is its own.
    private func isAutomatic(_ row: SceneItem, in table: SceneItem) -> Bool {
        guard row.element.name == "tableViewCell", row.attributes["style"] == nil else {
            return false
        }
        let isStatic = row.element.parent?.name == "cells"
        let own = isStatic ? row.number("rowHeight") : nil
        return (own ?? table.number("rowHeight") ?? 44) < 0
    }

    /// Whether constraints lead from the top of a content view to its bottom, or from one of these
    /// to its centre; UIKit gives the standard height to others.
    private func givesHeight(_ content: Int) -> Bool {
        enum Node: Hashable {
            case top, bottom, middle
            case view(Int)
        }
        func node(_ anchor: TieAnchor) -> Node? {
            guard let index = anchor.item.view else { return nil }
            guard index == content else { return .view(index) }
            switch anchor.attribute {
            case .top, .firstBaseline: return .top
            case .bottom, .lastBaseline: return .bottom
            case .centerY: return .middle
            default: return nil
            }
        }
        var neighbours: [Node: [Node]] = [:]
        func join(_ one: Node, _ other: Node) {
            neighbours[one, default: []].append(other)
            neighbours[other, default: []].append(one)
        }
        for tie in links[content] ?? [] {
            if tie.first.attribute == .height {
                if tie.first.item.view == content || tie.second?.item.view == content {
                    return true
                }
                continue
            }
            guard let second = tie.second, let one = node(tie.first), let other = node(second)
            else { continue }
            join(one, other)
            // The place of a member gives that of its stack.
            for case .view(let index) in [one, other] {
                if let parent = items[index].parent, parent != content,
                    items[parent].kind == "stackView"
                {
                    join(.view(index), .view(parent))
                }
            }
        }
        var found: Set<Node> = []
        for start in [Node.top, .bottom] where !found.contains(start) {
            var reached: Set<Node> = [start]
            var pending = [start]
            while let next = pending.popLast() {
                for other in neighbours[next] ?? [] where reached.insert(other).inserted {
                    pending.append(other)
                }
            }
            let ends = [Node.top, .bottom, .middle].count { reached.contains($0) }
            if ends >= 2 { return true }
            found.formUnion(reached)
        }
        return false
    }

    /// The constraints about vertical places and heights by the content view that holds all that
    /// they name.
    private static func links(_ reading: SceneReading) -> [Int: [SceneTie]] {
        var contents: [Int?] = []
        for (index, item) in reading.items.enumerated() {
            let isContent = item.isPlacedByTable && item.element["key"] == "contentView"
            contents.append(isContent ? index : item.parent.flatMap { contents[$0] })
        }
        var links: [Int: [SceneTie]] = [:]
        for tie in reading.ties
        where tie.priority > fitting && !tie.isPlaceholder && !tie.first.attribute.isHorizontal {
            guard let index = tie.first.item.view, let content = contents[index] else { continue }
            links[content, default: []].append(tie)
        }
        return links
    }

    // MARK: Rules

    private static func anchor(
        _ id: String, _ attribute: LayoutAttribute, _ guide: BuiltInGuide? = nil
    ) -> AnchorReference {
        AnchorReference(item: ItemReference(id: id, guide: guide), attribute: attribute)
    }

    private mutating func add(
        _ id: String, _ first: AnchorReference, _ relation: LayoutRelation,
        _ second: AnchorReference?, _ constant: Double = 0, priority: Double = 1000
    ) {
        let rule = Rule(
            first: first, relation: relation, second: second, constant: constant, priority: priority
        )
        rules.append((id, rule))
    }
}
