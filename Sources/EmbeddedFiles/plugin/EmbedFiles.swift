import Foundation
import PackagePlugin

/// Runs `embed`, which writes the files that the program carries as Swift source, compressed.
@main
struct EmbedFiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let package = context.package.directoryURL
        let script = package.appending(path: "Sources/EmbeddedFiles/embed")
        let output = context.pluginWorkDirectoryURL.appending(path: "Files.swift")
        var files = [script, package.appending(path: "clients/web/scenesync.js")]
        for folder in [
            "clients/web/page", "protocol/examples", "Sources/EmbeddedFiles/fonts",
        ] {
            files += try FileManager.default.contentsOfDirectory(
                at: package.appending(path: folder), includingPropertiesForKeys: nil)
        }
        return [
            .buildCommand(
                displayName: "Compressing the browser page and the examples",
                executable: URL(fileURLWithPath: "/bin/sh"),
                arguments: [script.path, package.path, output.path], inputFiles: files,
                outputFiles: [output])
        ]
    }
}
