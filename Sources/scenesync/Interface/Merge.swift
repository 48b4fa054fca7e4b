import ArgumentParser
import Essentials
import FoundationEssentials
import InterfaceBuilder
import JSON

/// Puts two versions of an Interface Builder file together.
struct Merge: ParsableCommand {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json
    }

    static let configuration = CommandConfiguration(
        abstract: "Merge two versions of a .storyboard or .xib that come from one.",
        discussion: """
            Matches views, constraints and all else by id, not by lines: constants, texts and other attributes, and \
            elements that came, went or moved, are taken from the version that changed them. Where both changed the same \
            thing, the result has our value and a comment, Xcode opens it, and the conflict is told in words; the command \
            ends with 1 then.

              scenesync merge base.storyboard ours.storyboard theirs.storyboard --output Main.storyboard

            For git, with the line "*.storyboard merge=scenesync" in .gitattributes:

              git config merge.scenesync.driver 'scenesync merge %O %A %B --output %A'

            Where both versions changed a stored frame, ours is kept; scenesync lint --fix writes the frames that the \
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
            do throws(InputFailure) { return try Input.bytes(file) } catch {
                throw Output.failure(.badData, error.text, try: Advice.after(error))
            }
        }
        let merge: InterfaceMerge
        do throws(InterfaceError) {
            merge = try InterfaceMerge(base: versions[0], ours: versions[1], theirs: versions[2])
        } catch {
            throw Output.failure(
                .badData, error.description, try: "merge files of Interface Builder")
        }
        try write(merge.bytes)
        tell(merge)
        if !merge.conflicts.isEmpty { throw ExitCode(1) }
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

    private func tell(_ merge: InterfaceMerge) {
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
