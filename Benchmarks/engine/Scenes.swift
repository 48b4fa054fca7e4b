import AutoLayout

/// The scenes that the engine is measured on.
enum Scenes {
    /// Nested stacks with five children each, alternately a row and a column, as in the solver's
    /// benchmark: an edge to the previous view's, the last edge and the cross size to the
    /// superview's, leaves with a content size.
    ///
    /// - Parameter fillsEqually: Whether the children of a stack share its size equally, whatever
    ///   their content, so that every view moves when the window's size changes.
    static func tree(
        _ count: Int, fillsEqually: Bool = false
    ) throws -> (window: Window, widths: [LayoutConstraint]) {
        var size = Size(width: 120, height: 60)
        var isRow = true
        var widest = 1
        while widest < count {
            if isRow { size.width *= 5 } else { size.height *= 5 }
            isRow.toggle()
            widest *= 5
        }
        let window = Window(size: size)
        window.reserveCapacity(views: count, constraints: 4 * count)
        var queue: [(view: View, isRow: Bool)] = [(window, true)]
        queue.reserveCapacity(count)
        var constraints: [LayoutConstraint] = []
        constraints.reserveCapacity(4 * count)
        var made = 1
        var next = 0
        while made < count {
            let parent = queue[next]
            next += 1
            for _ in 0..<min(5, count - made) { try parent.view.addSubview(View()) }
            let children = parent.view.subviews
            made += children.count
            stack(children, in: parent.view, isRow: parent.isRow, &constraints)
            if fillsEqually {
                constraints += children.dropFirst().map { child in
                    parent.isRow
                        ? child.widthAnchor.constraint(equalTo: children[0].widthAnchor)
                        : child.heightAnchor.constraint(equalTo: children[0].heightAnchor)
                }
            }
            for child in children { queue.append((child, !parent.isRow)) }
        }
        var widths: [LayoutConstraint] = []
        for index in next..<queue.count {
            guard !fillsEqually else { break }
            let leaf = queue[index].view
            leaf.intrinsicContentSizeOverride = Size(
                width: 20 + Double(index * 7 % 70), height: 10 + Double(index * 3 % 20))
            if index % 5 == 0, !queue[index].isRow {
                let width = leaf.widthAnchor.constraint(equalToConstant: 50)
                width.priority = 800
                widths.append(width)
            }
        }
        constraints += widths
        try LayoutConstraint.activate(constraints)
        return (window, widths)
    }

    private static func stack(
        _ children: [View], in parent: View, isRow: Bool, _ constraints: inout [LayoutConstraint]
    ) {
        if isRow {
            var edge = parent.leftAnchor
            for child in children {
                constraints.append(child.leftAnchor.constraint(equalTo: edge, constant: 8))
                constraints.append(
                    child.topAnchor.constraint(equalTo: parent.topAnchor, constant: 8))
                constraints.append(
                    child.heightAnchor.constraint(equalTo: parent.heightAnchor, constant: -16))
                edge = child.rightAnchor
            }
            constraints.append(edge.constraint(equalTo: parent.rightAnchor, constant: -8))
        } else {
            var edge = parent.topAnchor
            for child in children {
                constraints.append(child.topAnchor.constraint(equalTo: edge, constant: 8))
                constraints.append(
                    child.leftAnchor.constraint(equalTo: parent.leftAnchor, constant: 8))
                constraints.append(
                    child.widthAnchor.constraint(equalTo: parent.widthAnchor, constant: -16))
                edge = child.bottomAnchor
            }
            constraints.append(edge.constraint(equalTo: parent.bottomAnchor, constant: -8))
        }
    }

    /// Rows of `length` views, each placed behind the one before; the first of a row moves the
    /// whole row.
    static func rows(_ count: Int, of length: Int) throws -> (
        window: Window, lefts: [LayoutConstraint]
    ) {
        let window = Window(size: Size(width: 4000, height: 4000))
        var constraints: [LayoutConstraint] = []
        var lefts: [LayoutConstraint] = []
        var previous: View?
        for index in 0..<count {
            let view = View()
            try window.addSubview(view)
            if let before = previous, index % length != 0 {
                constraints.append(
                    view.leftAnchor.constraint(equalTo: before.rightAnchor, constant: 1))
            } else {
                let left = view.leftAnchor.constraint(equalTo: window.leftAnchor, constant: 10)
                lefts.append(left)
                constraints.append(left)
            }
            constraints += [
                view.topAnchor.constraint(
                    equalTo: window.topAnchor, constant: Double(index / length * 12)),
                view.widthAnchor.constraint(equalToConstant: Double(5 + index % 7)),
                view.heightAnchor.constraint(equalToConstant: 10),
            ]
            previous = view
        }
        try LayoutConstraint.activate(constraints)
        return (window, lefts)
    }
}
