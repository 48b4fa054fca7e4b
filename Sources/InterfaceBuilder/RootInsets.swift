import LayoutValues

/// The safe area and the margins of a scene's view on the canvas.
struct RootInsets {
    private(set) var safeArea = EdgeInsets.zero
    private(set) var margins = EdgeInsets.zero
    /// Whether the margins begin where the safe area ends; files from before iOS 11 have others.
    private(set) var followsSafeArea = true

    init(_ reading: SceneReading, _ geometry: SceneGeometry) {
        let inferred = CanvasInsets(reading, geometry)
        choose(inferred, inferred.barChoices.first, reading, geometry)
        let scale = reading.file.device.scale
        let slack = scale == 2 ? 0.76 : scale == 3 ? 0.68 : 1.05
        var best = self
        var least = misfit(reading, geometry, slack)
        for bars in inferred.barChoices.dropFirst() where least > 0 {
            choose(inferred, bars, reading, geometry)
            let misfit = misfit(reading, geometry, slack)
            if misfit < least { (least, best) = (misfit, self) }
        }
        self = best
    }

    private func misfit(
        _ reading: SceneReading, _ geometry: SceneGeometry, _ slack: Double
    ) -> Int {
        CanvasFit(
            geometry: geometry, ties: reading.ties, safeArea: safeArea, rootMargins: margins,
            rootFollowsSafeArea: followsSafeArea, slack: slack
        ).misfit
    }

    private mutating func choose(
        _ inferred: CanvasInsets, _ bars: (top: Double, bottom: Double)?, _ reading: SceneReading,
        _ geometry: SceneGeometry
    ) {
        safeArea = inferred.safeArea(bars)
        let standard =
            ElementInsets.margins(of: reading.scene.root)
            ?? Self.standard(reading.scene.root, width: geometry.size.width)
        followsSafeArea =
            reading.items[0].attributes["insetsLayoutMarginsFromSafeArea"] != "NO"
        // What is pinned to margins within the safe area tells that the file is older.
        for edge in CanvasEdge.allCases {
            if let margin = inferred.margin(edge), margin < safeArea[edge] {
                followsSafeArea = false
            }
        }
        margins = standard
        for edge in CanvasEdge.allCases {
            guard let margin = inferred.margin(edge) else { continue }
            margins[edge] = margin - (followsSafeArea ? safeArea[edge] : 0)
        }
    }

    /// The margins that the view of a controller or a cell has where the file says nothing.
    static func standard(_ root: XMLElement, width: Double) -> EdgeInsets {
        let side: Double = width >= 414 ? 20 : 16
        if root.name == "tableViewCellContentView" {
            return EdgeInsets(top: 11, leading: side, bottom: 11, trailing: side)
        }
        if root.name.contains("Cell") || root.name.contains("eusable") {
            return EdgeInsets(top: 8, leading: 8, bottom: 8, trailing: 8)
        }
        return EdgeInsets(top: 0, leading: side, bottom: 0, trailing: side)
    }
}

extension EdgeInsets {
    subscript(edge: CanvasEdge) -> Double {
        get {
            switch edge {
            case .top: top
            case .leading: leading
            case .bottom: bottom
            case .trailing: trailing
            }
        }
        set {
            switch edge {
            case .top: top = newValue
            case .leading: leading = newValue
            case .bottom: bottom = newValue
            case .trailing: trailing = newValue
            }
        }
    }
}
