import AutoLayout
import Foundation
import Testing

@Suite("What the README and the documentation show")
struct ReadmeTests {
    @Test("the engine in your own program")
    func embedding() throws {
        let window = Window(size: Size(width: 320, height: 200))
        let card = View(identifier: "card")
        let title = Label("Hello", identifier: "title")
        try window.addSubview(card)
        try card.addSubview(title)
        try LayoutConstraint.activate([
            card.centerXAnchor.constraint(equalTo: window.centerXAnchor),
            card.centerYAnchor.constraint(equalTo: window.centerYAnchor),
            title.leadingAnchor.constraint(equalTo: card.leadingAnchor, constant: 16),
            title.trailingAnchor.constraint(equalTo: card.trailingAnchor, constant: -16),
            title.topAnchor.constraint(equalTo: card.topAnchor, constant: 8),
            title.bottomAnchor.constraint(equalTo: card.bottomAnchor, constant: -8),
        ])
        try window.runCycle()
        print(card.frame)
        // Five cells of 8 points and 16 on either side; one of 16 and 8 above and below.
        #expect(card.frame == Rect(x: 124, y: 84, width: 72, height: 32))

        let badge = View(identifier: "badge")
        try card.addSubview(badge)
        try badge.makeConstraints { make in
            make.trailing.top.equalToSuperview().inset(2)
            make.size.equalTo(6)
        }
        let line = try window.addGuideline(at: .fraction(0.75), along: .horizontal)
        try card.makeConstraints { make in
            make.trailing.lessThanOrEqualTo(line.leadingAnchor)
            make.width.equalTo(window).multipliedBy(0.5).priority(750)
        }
        window.animate(duration: 0.5) {
            window.layoutIfNeeded()
        }
        let fits = card.systemLayoutSizeFitting(View.layoutFittingCompressedSize)
        print(fits)
        // Half of 320 ends at 240, the line; what ties the card to the window does not count for
        // what fits.
        #expect(card.frame == Rect(x: 80, y: 84, width: 160, height: 32))
        #expect(badge.frame == Rect(x: 152, y: 2, width: 6, height: 6))
        #expect(fits == Size(width: 72, height: 32))
        #expect(window.isAnimating)
    }

    @Test("the sentences of the builder's documentation")
    func builder() throws {
        let window = Window(size: Size(width: 320, height: 200))
        let header = View(identifier: "header")
        let title = View(identifier: "title")
        let badge = View(identifier: "badge")
        for view in [header, title, badge] { try window.addSubview(view) }
        try header.makeConstraints { make in
            make.leading.top.trailing.equalToSuperview()
            make.height.equalTo(50)
        }
        try title.makeConstraints { make in
            make.leading.trailing.equalToSuperview().inset(16)
            make.top.equalTo(header.bottomAnchor).offset(8)
            make.height.equalTo(40).priority(750)
        }
        try badge.makeConstraints { make in
            make.leading.top.equalTo(header).inset(8)
            make.width.equalTo(header.widthAnchor).multipliedBy(0.5).priority(750)
            make.height.equalTo(10)
        }
        window.layoutIfNeeded()
        #expect(title.frame == Rect(x: 16, y: 58, width: 288, height: 40))
        #expect(badge.frame == Rect(x: 8, y: 8, width: 160, height: 10))
    }

    /// What is shown and what is tested would drift apart otherwise.
    @Test("every line of code that is shown stands in a test that runs")
    func mirrored() throws {
        let here = URL(fileURLWithPath: #filePath)
        let root = here.deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let tests = try String(contentsOf: here, encoding: .utf8)
            .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let document = try String(
            contentsOf: root.appendingPathComponent("docs/engine.md"), encoding: .utf8)
        // Each second part of the text between fences is code; of those, what begins with its
        // language.
        var lines = document.components(separatedBy: "```").enumerated()
            .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("swift\n") }
            .flatMap { $0.element.split(separator: "\n").dropFirst().map(String.init) }
        for file in ["ConstraintMaker", "ConstraintDescription"] {
            let source = try String(
                contentsOf: root.appendingPathComponent(
                    "Sources/AutoLayout/Builder/\(file).swift"), encoding: .utf8)
            lines += source.split(separator: "\n").compactMap { line in
                line.hasPrefix("///     ") ? String(line.dropFirst(8)) : nil
            }
        }
        #expect(lines.count > 20)
        for line in lines {
            let code = (line.components(separatedBy: "//").first ?? "")
                .trimmingCharacters(in: .whitespaces)
            #expect(code.isEmpty || tests.contains(code), "not in a test: \(line)")
        }
    }
}
