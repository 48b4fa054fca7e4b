import ConstraintLanguage
import LayoutValues
import SceneDocument

/// Baselines that files do not have, chosen so that the constraints between them hold as stored.
struct CanvasBaselines {
    private struct Pair {
        var first: Double?
        var last: Double?
        subscript(attribute: LayoutAttribute) -> Double? {
            get { attribute == .firstBaseline ? first : last }
            set { if attribute == .firstBaseline { first = newValue } else { last = newValue } }
        }
    }

    private struct Link {
        var left: TieAnchor
        var right: TieAnchor
        var constant: Double
        var isEquality: Bool
    }

    private var known: [Int: Pair] = [:]
    private let geometry: SceneGeometry

    init(_ reading: SceneReading, _ geometry: SceneGeometry) {
        self.geometry = geometry
        settle(Self.links(reading))
    }

    /// The baselines of a view from its frame's top and bottom; `nil` where no constraint asks.
    func baselines(of index: Int) -> BaselineOffsets? {
        guard let pair = known[index] else { return nil }
        let standard = standard(index)
        let insets = geometry.items[index].insets
        return BaselineOffsets(
            fromTop: max(-1e4, (pair.first ?? standard.fromTop) + insets.top),
            fromBottom: max(-1e4, (pair.last ?? standard.fromBottom) + insets.bottom))
    }

    private static func links(_ reading: SceneReading) -> [Link] {
        var links: [Link] = []
        for tie in reading.ties {
            guard let second = tie.second, tie.first.item.view != nil, second.item.view != nil,
                tie.first.guide == nil, second.guide == nil,
                tie.first.attribute.isBaseline || second.attribute.isBaseline
            else { continue }
            links.append(
                Link(
                    left: tie.first, right: second, constant: tie.constant,
                    isEquality: tie.relation == .equal && tie.multiplier == 1))
        }
        for (index, item) in reading.items.enumerated() where item.kind == "stackView" {
            guard
                let attribute = item.attributes["alignment"].flatMap(
                    LayoutAttribute.init(rawValue:)), attribute.isBaseline
            else { continue }
            let members = reading.items.indices.filter {
                reading.items[$0].parent == index && !reading.items[$0].isYes("hidden")
            }
            for member in members.dropFirst() {
                links.append(
                    Link(
                        left: TieAnchor(item: .view(member), attribute: attribute),
                        right: TieAnchor(item: .view(members[0]), attribute: attribute),
                        constant: 0, isEquality: true))
            }
        }
        return links
    }

    private mutating func settle(_ links: [Link]) {
        var pending = links
        while !pending.isEmpty {
            var rest: [Link] = []
            for link in pending {
                if isKnown(link.left) || isKnown(link.right) {
                    connect(link)
                } else {
                    rest.append(link)
                }
            }
            if rest.count == pending.count {
                // Nothing is known of a whole group: one of its views has the standard baseline.
                fix(rest[0].right)
            }
            pending = rest
        }
    }

    private func isKnown(_ anchor: TieAnchor) -> Bool {
        guard anchor.attribute.isBaseline, let index = anchor.item.view else { return true }
        return known[index]?[anchor.attribute] != nil
    }

    private mutating func fix(_ anchor: TieAnchor) {
        guard let index = anchor.item.view, !isKnown(anchor) else { return }
        let standard = standard(index)
        known[index, default: Pair()][anchor.attribute] =
            anchor.attribute == .firstBaseline ? standard.fromTop : standard.fromBottom
    }

    private mutating func connect(_ link: Link) {
        let (isLeftKnown, isRightKnown) = (isKnown(link.left), isKnown(link.right))
        guard link.isEquality else {
            fix(link.left)
            fix(link.right)
            return
        }
        if isRightKnown, !isLeftKnown {
            set(link.left, to: y(link.right) + link.constant)
        } else if isLeftKnown, !isRightKnown {
            set(link.right, to: y(link.left) - link.constant)
        }
    }

    private func y(_ anchor: TieAnchor) -> Double {
        guard let index = anchor.item.view else { return 0 }
        let place = geometry.place(index)
        switch anchor.attribute {
        case .firstBaseline: return place.minY + (known[index]?.first ?? 0)
        case .lastBaseline: return place.maxY - (known[index]?.last ?? 0)
        default: return geometry.edge(anchor) ?? 0
        }
    }

    private mutating func set(_ anchor: TieAnchor, to y: Double) {
        guard let index = anchor.item.view else { return }
        let place = geometry.place(index)
        known[index, default: Pair()][anchor.attribute] =
            anchor.attribute == .firstBaseline ? y - place.minY : place.maxY - y
    }

    /// Those of one line of the system's font in the middle of the view. San Francisco's ascender
    /// and descender are 0.952 and 0.241 of its size.
    private func standard(_ index: Int) -> BaselineOffsets {
        let item = geometry.items[index]
        let size = ElementFont(item.element, standardSize: 17).pointSize
        let (ascender, descender) = (0.952 * size, 0.241 * size)
        let line = ascender + descender
        let height = item.aligned.height
        let lines = item.kind == "label" ? max(1, (height / line).rounded()) : 1
        let pad = (height - lines * line) / 2
        return BaselineOffsets(fromTop: pad + ascender, fromBottom: pad + descender)
    }
}
