import Foundation
import PackagePlugin

/// Runs `embed`, which writes the files that the program carries as Swift source, compressed.
@main
struct EmbedFiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let package = context.package.directoryURL
        let script = package.appending(path: "Sources/EmbeddedFiles/embed")
        let output = context.pluginWorkDirectoryURL.appending(path: "Files.swift")
        var files = [script]
        for file in ["scenesync.js", "predict.js", "replica.js"] {
            files.append(package.appending(path: "clients/web/\(file)"))
        }
        for folder in [
            "clients/web/page", "clients/web/play", "protocol/examples",
            "Sources/EmbeddedFiles/fonts", "Sources/EmbeddedFiles/symbols",
        ] {
            files += try FileManager.default.contentsOfDirectory(
                at: package.appending(path: folder), includingPropertiesForKeys: nil)
        }
        files.append(package.appending(path: "clients/autolayout/autolayout.js"))
        // The playground's engine, where `./dev wasm` has made one.
        let engine = package.appending(path: ".build/wasm/engine.wasm")
        if FileManager.default.fileExists(atPath: engine.path) { files.append(engine) }
        return [
            .buildCommand(
                displayName: "Compressing the browser page and the examples",
                executable: URL(fileURLWithPath: "/bin/sh"),
                arguments: [script.path, package.path, output.path], inputFiles: files,
                outputFiles: [output])
        ]
    }
}
