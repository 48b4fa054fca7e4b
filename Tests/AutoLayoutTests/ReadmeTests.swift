import AutoLayout
import Testing

@Suite("What the README shows")
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
        // Five cells of 8 points and 16 on either side; one of 16 and 8 above and below.
        #expect(card.frame == Rect(x: 124, y: 84, width: 72, height: 32))
    }
}
