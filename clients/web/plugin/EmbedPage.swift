import Foundation
import PackagePlugin

/// Runs `clients/web/embed/embed`, which writes the browser page's files as Swift source, compressed.
@main
struct EmbedPage: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let web = context.package.directoryURL.appending(path: "clients/web")
        let script = web.appending(path: "embed/embed")
        let page = web.appending(path: "page")
        let output = context.pluginWorkDirectoryURL.appending(path: "WebPageFiles.swift")
        let files = try FileManager.default.contentsOfDirectory(
            at: page, includingPropertiesForKeys: nil)
        return [
            .buildCommand(
                displayName: "Compressing the browser page",
                executable: URL(fileURLWithPath: "/bin/sh"),
                arguments: [script.path, web.path, output.path],
                inputFiles: [script, web.appending(path: "scenesync.js")] + files,
                outputFiles: [output])
        ]
    }
}
