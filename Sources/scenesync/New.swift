import ArgumentParser
import EmbeddedFiles
import JSON

/// Prints an example document.
struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print an example document to start from.",
        discussion: """
            Without a name, it lists the examples, one a line; with --json, as an array.

              scenesync new dashboard > my.json
              scenesync serve --scene my.json
            """)

    @Argument(
        help: "The example.",
        completion: .list(EmbeddedFile.examples.map(\.name)))
    var example: String?

    @Flag(help: "List the examples as JSON; an example itself is JSON anyway.")
    var json = false

    func run() throws {
        guard let example else {
            if json {
                let names = EmbeddedFile.examples.map { JSONValue.string($0.name) }
                return Output.result(JSONValue.array(names).text())
            }
            for file in EmbeddedFile.examples { Output.result(file.name) }
            return
        }
        guard let file = EmbeddedFile.examples.first(where: { $0.name == example }) else {
            let names = EmbeddedFile.examples.map(\.name).joined(separator: ", ")
            throw Output.failure(
                .validationFailure, "there is no example \"\(example)\"",
                try: "name one of \(names)")
        }
        let text = String(decoding: file.plain, as: UTF8.self)
        Output.result(text.hasSuffix("\n") ? String(text.dropLast()) : text)
    }
}
