import ArgumentParser
import Essentials
import FoundationEssentials
import InterfaceBuilder
import JSON
import SceneComparison
import SceneDocument

/// Puts two versions of an Interface Builder file, or of a scene document, together.
struct Merge: ParsableCommand {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json
    }

    static let configuration = CommandConfiguration(
        abstract: "Merge two versions of a .storyboard, .xib or document that come from one.",
        discussion: """
            Matches views, constraints and all else by id, not by lines: constants, texts and other attributes, and \
            elements that came, went or moved, are taken from the version that changed them. Where both changed the same \
            thing, the result has our value, the conflict is told in words, and the command ends with 1. A merged Interface \
            Builder file opens in Xcode, with a comment at each conflict.

              scenesync merge base.storyboard ours.storyboard theirs.storyboard --output Main.storyboard
              scenesync merge base.json ours.json theirs.json --output scene.json

            For git, with the line "*.storyboard merge=scenesync" in .gitattributes:

              git config merge.scenesync.driver 'scenesync merge %O %A %B --output %A'

            Where both versions changed a frame that an Interface Builder file stores, ours is kept; scenesync lint --fix writes the frames that the \
            constraints give.
            """)

    @Argument(help: "The version that both come from.")
    var base: String

    @Argument(help: "Our version.")
    var ours: String

    @Argument(help: "Their version.")
    var theirs: String

    @Option(name: .shortAndLong, help: "The file to write; standard output by default.")
    var output: String?

    @Option(help: "How conflicts are told: text, or json on standard output, with --output.")
    var format = Format.text

    func validate() throws {
        guard format == .json, output == nil else { return }
        throw ValidationError("--format json needs --output: standard output is the file without")
    }

    func run() throws {
        let versions = try [base, ours, theirs].map { (file) throws(ExitCode) in
            do throws(InputFailure) { return (file, try Input.bytes(file)) } catch {
                throw Output.failure(.badData, error.text, try: Advice.after(error))
            }
        }
        let result = try Result(versions)
        try write(result.bytes)
        tell(result)
        if !result.conflicts.isEmpty { throw ExitCode(1) }
    }

    private func write(_ bytes: [UInt8]) throws {
        do {
            guard let output else { return try Descriptor.output.write(bytes) }
            try Data(bytes).write(to: URL(fileURLWithPath: output))
        } catch {
            throw Output.failure(
                .failure, "\(output ?? "standard output"): \(FileFailure.reason(of: error))",
                try: "give a file that this user may write")
        }
    }

    private func tell(_ merge: Result) {
        switch format {
        case .text:
            for conflict in merge.conflicts { Output.note("conflict: \(conflict.text)") }
            if merge.staleFrames > 0 {
                Output.note(
                    "\(merge.staleFrames) stored frames were changed in both versions and are ours; "
                        + "scenesync lint --fix writes those that the constraints give")
            }
        case .json:
            let conflicts = merge.conflicts.map { conflict in
                JSONValue.object([
                    JSONMember("id", .string(conflict.id)),
                    JSONMember("text", .string(conflict.text)),
                ])
            }
            let report = JSONValue.object([
                JSONMember("conflicts", .array(conflicts)),
                JSONMember("staleFrames", .number(Double(merge.staleFrames))),
            ])
            Output.result(report.text())
        }
    }
}

extension Merge {
    /// A merged file, and what both versions changed.
    private struct Result {
        var bytes: [UInt8]
        var conflicts: [(id: String, text: String)]
        /// The stored frames of an Interface Builder file that both versions changed.
        var staleFrames = 0

        /// - Parameter versions: The names and bytes of the base, ours and theirs.
        init(_ versions: [(name: String, bytes: [UInt8])]) throws {
            let areInterfaces = versions.map { InterfaceInput.accepts($0.bytes, $0.name) }
            guard areInterfaces.allSatisfy({ $0 == areInterfaces[0] }) else {
                throw Output.failure(
                    .badData, "an Interface Builder file and a document have nothing in common",
                    try: "merge three versions of one file")
            }
            if areInterfaces[0] {
                try self.init(interfaces: versions.map(\.bytes))
            } else {
                try self.init(documents: versions)
            }
        }

        private init(interfaces: [[UInt8]]) throws {
            do throws(InterfaceError) {
                let merge = try InterfaceMerge(
                    base: interfaces[0], ours: interfaces[1], theirs: interfaces[2])
                bytes = merge.bytes
                conflicts = merge.conflicts.map { ($0.id, $0.text) }
                staleFrames = merge.staleFrames
            } catch {
                throw Output.failure(
                    .badData, error.description, try: "merge files of Interface Builder")
            }
        }

        private init(documents versions: [(name: String, bytes: [UInt8])]) throws {
            let documents = try versions.map { (name, bytes) throws(ExitCode) in
                do throws(InputFailure) { return try Input.parse(bytes, name) } catch {
                    throw Output.failure(.badData, error.text, try: Advice.after(error))
                }
            }
            do throws(DocumentError) {
                let merge = try DocumentMerge(
                    base: documents[0], ours: documents[1], theirs: documents[2])
                bytes = Array((merge.document.json(pretty: true) + "\n").utf8)
                conflicts = merge.conflicts.map { ($0.id, $0.text) }
            } catch {
                throw Output.failure(
                    .badData, "the versions exclude each other: \(error)",
                    try: "merge what it names by hand")
            }
        }
    }
}
