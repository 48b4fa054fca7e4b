import Logging
import SceneServer

/// The format of log lines.
enum LogFormat: String, CaseIterable {
    case text
    case json
}

/// The settings of `serve`, from all of their sources.
struct ServeConfiguration {
    var server = ServerOptions()
    /// The preset of limits.
    var profile = ServerProfile.trusted
    var scenePath: String?
    /// The folder of faces that documents may name.
    var fontFolder: String?
    var makesCertificate = false
    var drainSeconds = 5
    /// The place in a cluster; `nil` outside of one.
    var node: NodeSettings?
    var logLevel = Logger.Level.notice
    var logFormat = LogFormat.text
    /// For `--print-config`.
    var settings: Settings

    /// Resolves all settings.
    ///
    /// - Parameter needsNode: Whether a cluster needs the name of a node.
    /// - Throws: `SettingError` for the first invalid one.
    init(
        _ listen: ListenOptions, _ cluster: ClusterSettings, _ access: AccessOptions,
        _ limits: LimitOptions, environment: [String: String], needsNode: Bool = true
    ) throws(SettingError) {
        settings = try Settings(
            file: listen.config ?? environment["SCENESYNC_CONFIG"], environment: environment)
        try listen.resolve(into: &self)
        try cluster.resolve(into: &self, needsName: needsNode)
        try access.resolve(into: &self)
        try limits.resolve(into: &self)
        try settings.checkNames()
    }
}
