import SceneDocument

/// The looks of some views, as an extension of messages has them: renderers that know it draw them,
/// all others draw the contents alone.
struct ViewLooks: WireValue, Equatable {
    /// Each distinct look once, in the order of first use.
    private var looks: [ViewLook] = []
    private var views: [LookOfView] = []

    init() {}

    /// - Parameter looks: Views and their looks; nil for a view that has none any more.
    init(_ given: [(number: ViewNumber, look: ViewLook?)]) {
        var places: [ViewLook: UInt32] = [:]
        for (number, look) in given {
            guard let look else {
                views.append(LookOfView(number: number, look: 0))
                continue
            }
            let place = places[look] ?? UInt32(looks.count + 1)
            if places.updateValue(place, forKey: look) == nil { looks.append(look) }
            views.append(LookOfView(number: number, look: place))
        }
    }

    /// The looks of records that have one; nil where none has.
    init?(of records: [ViewRecord]) {
        let given = records.compactMap { record in
            record.content.look.map { (number: record.number, look: Optional($0)) }
        }
        guard !given.isEmpty else { return nil }
        self.init(given)
    }

    /// Gives records the looks that are told of them.
    func give(to records: inout [ViewRecord]) {
        let byNumber = byNumber
        for index in records.indices {
            if let look = byNumber[records[index].number] { records[index].content.look = look }
        }
    }

    /// The symbols of the looks; nil where none has one.
    var symbols: ViewSymbols? { ViewSymbols(of: looks) }

    /// Gives the looks the symbols that are told of them. A symbol of a look that is not there is
    /// passed over.
    mutating func take(_ symbols: ViewSymbols?) {
        for (look, symbol) in symbols?.byLook ?? [] where looks.indices.contains(look) {
            looks[look].symbol = symbol
        }
    }

    /// The charts of the looks; nil where none has one.
    var charts: ViewCharts? { ViewCharts(of: looks) }

    /// Gives the looks the charts that are told of them. A chart of a look that is not there is
    /// passed over.
    mutating func take(_ charts: ViewCharts?) {
        for (look, chart) in charts?.byLook ?? [] where looks.indices.contains(look) {
            looks[look].chart = chart
        }
    }

    /// The looks by view; of a view that is named twice the last.
    var byNumber: [ViewNumber: ViewLook?] {
        var result: [ViewNumber: ViewLook?] = [:]
        for view in views {
            result.updateValue(
                view.look == 0 ? nil : looks[Int(view.look) - 1], forKey: view.number)
        }
        return result
    }

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.list("looks", &looks, maximum: coder.limits.viewMaximum + 1)
        try coder.list("views", &views, maximum: coder.limits.viewMaximum + 1)
        for view in views where view.look > UInt32(looks.count) {
            try coder.invalid("views", "the place of a look, from 1, or 0")
        }
    }
}

private struct LookOfView: WireValue, Equatable {
    var number = ViewNumber(0)
    /// The place of its look, from 1; 0 for none.
    var look: UInt32 = 0

    init() {}

    init(number: ViewNumber, look: UInt32) {
        self.number = number
        self.look = look
    }

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.number("number", &number)
        try coder.u32("look", &look)
    }
}
