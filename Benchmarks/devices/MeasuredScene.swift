/// The scene that is measured: 1,000 views, whose sizes hang on the screen's.
enum MeasuredScene {
    /// Two columns with a divider between them, each a list of rows with a label in each. Row 0's
    /// width is a constant of its own; the divider moves the right column's 249 rows.
    ///
    /// - Parameter devices: How many devices the document names.
    static func document(devices: Int = 0) -> String {
        var views = [#"{"id": "left"}"#, #"{"id": "right"}"#]
        var rules = [
            "left.leading == root.leading", "right.leading == left.trailing",
            "right.trailing == root.trailing", "V:|[left]|", "V:|[right]|",
        ].map { #""\#($0)""# }
        rules.append(#"{"id": "divider", "rule": "left.width == 200 @750"}"#)
        for number in 0..<499 {
            let side = number % 2 == 0 ? "left" : "right"
            views.append(#"{"id": "r\#(number)", "parent": "\#(side)"}"#)
            views.append(
                #"{"id": "t\#(number)", "parent": "r\#(number)", "kind": "label", "text": "Row \#(number)"}"#
            )
            rules += [
                #"{"id": "w\#(number)", "rule": "r\#(number).trailing == \#(side).trailing - 8"}"#,
                #""r\#(number).leading == \#(side).leading + 8""#,
                #""r\#(number).top == \#(side).top + \#(number / 2 * 18)""#,
                #""r\#(number).height == 16""#,
                #""t\#(number).leading == r\#(number).leading + 4""#,
                #""t\#(number).centerY == r\#(number).centerY""#,
            ]
        }
        let named = (0..<devices).map {
            #""d\#($0)": {"width": \#(400 + $0 * 40), "height": 600}"#
        }
        return """
            {"scene": 1, "viewport": {"width": 800, "height": 600},
             "devices": {\(named.joined(separator: ", "))},
             "views": [\(views.joined(separator: ", "))],
             "constraints": [\(rules.joined(separator: ", "))]}
            """
    }
}
