import ArgumentParser
import SceneServer
import SceneSession
import WebSocketTransport

/// Options of access.
struct AccessOptions: ParsableArguments {
    @Option(help: "The TLS certificate chain, a PEM file; serves wss. SIGHUP reads it again.")
    var tlsCert: String?

    @Option(help: "The certificate's private key, a PEM file.")
    var tlsKey: String?

    @Flag(
        help:
            "Make a certificate for this machine in the data directory and serve wss, for development."
    )
    var tlsSelfSigned = false

    @Option(
        help:
            "Ask clients for a certificate that one of this PEM file signed; it names their subject, and without keys admits them. SIGHUP reads it again."
    )
    var clientCa: String?

    @Option(
        help:
            "Whether clients without a certificate are refused in the TLS handshake: required or optional. (default: required)"
    )
    var verifyClient: String?

    @Option(
        help: "Require tokens signed with the secret in this file, of 32 bytes or more (HS256).")
    var authSecretFile: String?

    @Option(
        parsing: .upToNextOption,
        help:
            "Require tokens signed with one of these keys: PEM files with public keys of P-256 (ES256), RSA (RS256) or Ed25519 (EdDSA)."
    )
    var authPublicKey: [String] = []

    @Option(help: "Require tokens signed with a key of this JSON Web Key Set.")
    var authJwks: String?

    @Option(help: "The required issuer (iss) of tokens; any by default.")
    var authIssuer: String?

    @Option(help: "The required audience (aud) of tokens; any by default.")
    var authAudience: String?

    @Option(
        help: .init(
            "The longest lifetime of a token in seconds, counted from its issue; 0: any. (default: \(ServerProfile.trusted.tokenLifetimeSeconds); with --profile internet: \(ServerProfile.internet.tokenLifetimeSeconds))"
        ))
    var authMaxLifetime: Int?

    @Option(
        parsing: .upToNextOption,
        help:
            "Origins whose pages may connect, * for all; by default those of this host and of this machine."
    )
    var allowOrigin: [String] = []

    @Option(
        parsing: .upToNextOption,
        help:
            "Addresses of proxies whose X-Forwarded-For header is trusted; unix for those on a Unix socket."
    )
    var trustedProxy: [String] = []

    @Option(
        help:
            "Another server of the same rooms, ws://HOST:PORT or wss://HOST:PORT, which clients try when this one does not answer; up to 8. SIGHUP reads it again. (default: none)"
    )
    var alternate: [String] = []

    @Flag(
        help: "Allow other machines to connect without keys; every client may edit.")
    var insecureBind = false

    @Option(
        parsing: .upToNextOption,
        help:
            "The views that clients without tokens are shown: names, NAME/* for what is below, * for all, !NAME for all but that; tokens say it themselves. (default: all)"
    )
    var see: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: "The views that clients without tokens may change, likewise. (default: all)")
    var edit: [String] = []

    @Option(
        parsing: .upToNextOption,
        help:
            "The views whose events clients without tokens may handle, likewise. (default: all)")
    var handle: [String] = []

    /// Resolves these settings and stores them.
    ///
    /// - Throws: `SettingError` for the first invalid one.
    func resolve(into configuration: inout ServeConfiguration) throws(SettingError) {
        var settings = configuration.settings
        var server = configuration.server
        let certificate = try settings.optionalText("tls-cert", tlsCert)
        let key = try settings.optionalText("tls-key", tlsKey)
        configuration.makesCertificate = try settings.isOn("tls-self-signed", tlsSelfSigned)
        switch (certificate, key) {
        case (nil, nil): break
        case (let certificate?, let key?):
            server.tls = .init(certificatePath: certificate, privateKeyPath: key)
        default: throw SettingError(description: "tls-cert and tls-key must both be given")
        }
        let authorities = try settings.optionalText("client-ca", clientCa)
        let demand = try settings.choice(
            "verify-client", verifyClient, ClientCertificateDemand.required)
        if let authorities {
            guard server.tls != nil else {
                throw SettingError(description: "client-ca needs tls-cert and tls-key")
            }
            server.tls?.clientAuthoritiesPath = authorities
            server.tls?.requiresClientCertificate = demand == .required
        }
        server.keys.secretFile = try settings.optionalText(
            "auth-secret-file", authSecretFile)
        server.keys.publicKeyFiles = try settings.texts("auth-public-key", authPublicKey)
        server.keys.keySetFile = try settings.optionalText("auth-jwks", authJwks)
        server.keys.rules.issuer = try settings.optionalText("auth-issuer", authIssuer)
        server.keys.rules.audience = try settings.optionalText("auth-audience", authAudience)
        server.keys.rules.lifetimeSeconds = try settings.integer(
            "auth-max-lifetime", authMaxLifetime, configuration.profile.tokenLifetimeSeconds,
            in: 0...1_000_000_000)
        let origins = try settings.texts("allow-origin", allowOrigin)
        server.origins =
            origins.isEmpty ? .sameHost : origins.contains("*") ? .any : .only(origins)
        server.trustedProxies = try settings.texts("trusted-proxy", trustedProxy)
        let stray = server.trustedProxies.first {
            $0 != ListenAddress.unixPeer && !AddressGroup($0).isAddress
        }
        if let stray {
            throw SettingError(
                description:
                    "trusted-proxy is \"\(stray)\", expected an IPv4 or IPv6 address, or unix")
        }
        server.alternates = try settings.texts("alternate", alternate)
        server.allowsInsecureBind = try settings.isOn("insecure-bind", insecureBind)
        server.openRights.see = try Self.patterns("see", see, &settings)
        server.openRights.edit = try Self.patterns("edit", edit, &settings)
        server.openRights.handle = try Self.patterns("handle", handle, &settings)
        guard server.openRights == MemberRights() || server.keys.isEmpty else {
            throw SettingError(
                description:
                    "see, edit and handle are for clients without tokens, and keys are given: put them into the tokens"
            )
        }
        configuration.settings = settings
        configuration.server = server
    }

    private static func patterns(
        _ name: String, _ flag: [String], _ settings: inout Settings
    ) throws(SettingError) -> ViewPatterns? {
        let texts = try settings.texts(name, flag)
        guard !texts.isEmpty else { return nil }
        guard let patterns = ViewPatterns(texts) else {
            throw SettingError(
                description:
                    "\(name) is \(texts.joined(separator: " ")), expected 1 to \(ViewPatterns.maximum) patterns such as sidebar, sidebar/*, * and !secrets"
            )
        }
        return patterns
    }
}

/// Whether clients need a certificate where they are asked for one.
enum ClientCertificateDemand: String, CaseIterable {
    /// The handshake fails without one.
    case required
    /// Clients without one are admitted as without `--client-ca`.
    case optional
}
