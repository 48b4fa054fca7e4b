import ArgumentParser
import EmbeddedFiles

/// Prints an example to begin with.
struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print an example document to begin with.",
        discussion: """
            Without a name, it lists the examples, one a line.

              scenesync new dashboard > my.json
              scenesync serve --scene my.json
            """)

    @Argument(
        help: "The example.",
        completion: .list(EmbeddedFile.examples.map(\.name)))
    var example: String?

    func run() throws {
        guard let example else {
            for file in EmbeddedFile.examples { Output.result(file.name) }
            return
        }
        guard let file = EmbeddedFile.examples.first(where: { $0.name == example }) else {
            let names = EmbeddedFile.examples.map(\.name).joined(separator: ", ")
            throw Output.failure(
                .validationFailure, "there is no example \"\(example)\"; there are \(names)")
        }
        let text = String(decoding: file.plain, as: UTF8.self)
        Output.result(text.hasSuffix("\n") ? String(text.dropLast()) : text)
    }
}
