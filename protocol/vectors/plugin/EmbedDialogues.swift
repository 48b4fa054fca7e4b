import Foundation
import PackagePlugin

/// Runs `protocol/vectors/embed`, which writes the dialogues as Swift source, so that the program
///     carries them.
@main
struct EmbedDialogues: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let vectors = context.package.directoryURL.appending(path: "protocol/vectors")
        let script = vectors.appending(path: "embed")
        let dialogues = vectors.appending(path: "v1/dialogues")
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedDialogues.swift")
        return [
            .buildCommand(
                displayName: "Embedding the dialogues",
                executable: URL(fileURLWithPath: "/bin/sh"),
                arguments: [script.path, dialogues.path, output.path],
                inputFiles: [script]
                    + ["clients.json", "servers.json"].map { dialogues.appending(path: $0) },
                outputFiles: [output])
        ]
    }
}
