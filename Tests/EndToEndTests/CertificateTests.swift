import Foundation
import SceneClient
import SceneTestSupport
import SceneWire
import Testing
import WebSocketTransport

/// The fault that these guard: clients could show who they are by tokens alone.
@Suite("Clients' certificates", .serialized)
struct CertificateTests {
    /// An authority, and certificates that it signs.
    private final class Authority {
        let scratch: Scratch
        private let name: String

        init(_ scratch: Scratch, _ name: String) throws {
            (self.scratch, self.name) = (scratch, name)
            try openssl([
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-keyout", key, "-out", certificate, "-subj", "/CN=\(name)", "-days", "2",
            ])
        }

        var certificate: String { scratch.path + "/\(name).pem" }
        private var key: String { scratch.path + "/\(name).key" }

        /// - Parameters:
        ///   - subject: Such as `/CN=ann`.
        ///   - alternative: Such as `URI:spiffe://x/ann`.
        func sign(
            _ file: String, _ subject: String, _ alternative: String? = nil
        ) throws -> TLSConfiguration {
            let path = scratch.path + "/" + file
            try openssl([
                "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                path + ".key", "-out", path + ".csr", "-subj", subject, "-utf8",
            ])
            var command = [
                "x509", "-req", "-in", path + ".csr", "-CA", certificate, "-CAkey", key,
                "-CAcreateserial", "-out", path + ".pem", "-days", "2",
            ]
            if let alternative {
                command += [
                    "-extfile",
                    try scratch.write("subjectAltName=\(alternative)\n", as: file + ".ext"),
                ]
            }
            try openssl(command)
            return TLSConfiguration(
                certificatePath: path + ".pem", privateKeyPath: path + ".key")
        }

        private func openssl(_ arguments: [String]) throws {
            let process = try ChildProcess(
                ["/usr/bin/env", "openssl"] + arguments, output: .null, errors: .null)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0, "openssl \(arguments)")
        }
    }

    private func members(_ server: ServerProcess, _ arguments: [String]) throws -> String {
        let url = "https://localhost:\(server.port)/admin/rooms/demo/members"
        let process = Pipe()
        let curl = try ChildProcess(
            ["/usr/bin/env", "curl", "-s"] + arguments + [url], output: .pipe(process))
        let text = try process.fileHandleForReading.readToEnd() ?? Data()
        curl.waitUntilExit()
        return String(decoding: text, as: UTF8.self)
    }

    @Test(
        "without keys a certificate admits, and names its subject; without one the handshake fails")
    func required() throws {
        let scratch = try Scratch()
        let (ours, others) = (try Authority(scratch, "ours"), try Authority(scratch, "others"))
        let tls = try scratch.certificate("tls")
        // Other machines may come, since nobody comes without a certificate.
        let server = try ServerProcess([
            "--host", "0.0.0.0", "--in-memory", "--tls-cert", tls.path, "--tls-key", tls.key,
            "--client-ca", ours.certificate,
        ])
        let url = "wss://localhost:\(server.port)/demo"
        func peer(_ identity: TLSConfiguration?) throws -> Peer {
            try Peer(url, role: .editor, caFile: tls.path, identity: identity)
        }
        let ann = try ours.sign("ann", "/CN=ann")
        let names = [
            (ann, "cert:ann"),
            (try ours.sign("bea", "/CN=x", "email:bea@example.org,DNS:b"), "cert:bea@example.org"),
            (
                try ours.sign("cem", "/CN=y", "DNS:c,URI:spiffe://example.org/cem"),
                "cert:spiffe://example.org/cem"
            ),
            (try ours.sign("dunja", "/CN=Dünja"), "cert:Dünja"),
        ]
        let peers = try names.map { try peer($0.0) }
        for peer in peers { #expect(peer.firstMirror != nil) }
        let listed = try members(
            server,
            ["--cacert", tls.path, "--cert", ann.certificatePath, "--key", ann.privateKeyPath])
        for (_, name) in names { #expect(listed.contains("\"subject\":\"\(name)\""), "\(listed)") }
        #expect(try peer(nil).endCode == nil)
        #expect(try peer(try others.sign("eve", "/CN=ann")).endCode == nil)
        #expect(try members(server, ["--cacert", tls.path]) == "")
        // Somebody's, but nobody's name.
        let nobody = try peer(try ours.sign("nobody", "/O=only"))
        #expect(nobody.firstMirror != nil, "this machine needs no name")
        // Commands show certificates too.
        let exported = try Program.run([
            "export", "--server", "https://localhost:\(server.port)", "--ca-file", tls.path,
            "--client-cert", ann.certificatePath, "--client-key", ann.privateKeyPath, "demo",
            scratch.path + "/demo.scene",
        ])
        #expect(exported.status == 0, "\(exported.errors)")
        let shown = try Program.run([
            "view", "--once", "--ca-file", tls.path, "--client-cert", ann.certificatePath,
            "--client-key", ann.privateKeyPath, url,
        ])
        #expect(shown.status == 0, "\(shown.errors)")
    }

    @Test("with keys a token is needed all the same, and its subject comes first")
    func withKeys() throws {
        let scratch = try Scratch()
        let ours = try Authority(scratch, "ours")
        let tls = try scratch.certificate("tls")
        let secret = try scratch.write(String(repeating: "k", count: 32), as: "secret")
        let server = try ServerProcess([
            "--in-memory", "--tls-cert", tls.path, "--tls-key", tls.key, "--client-ca",
            ours.certificate, "--verify-client", "optional", "--auth-secret-file", secret,
        ])
        let url = "wss://localhost:\(server.port)/demo"
        func token(_ arguments: [String]) throws -> String {
            let made = try Program.run(
                ["token", "--secret-file", secret, "--room", "*"] + arguments)
            return String(made.output.dropLast())
        }
        let ann = try ours.sign("ann", "/CN=ann")
        let nameless = try token(["--role", "editor"])
        let named = try Peer(
            url, role: .editor, caFile: tls.path, token: nameless, identity: ann)
        #expect(named.firstMirror != nil)
        let tokens = try Peer(
            url, caFile: tls.path, token: try token(["--role", "viewer", "--subject", "t"]),
            identity: ann)
        #expect(tokens.firstMirror != nil)
        let plain = try Peer(url, caFile: tls.path, token: nameless)
        #expect(plain.firstMirror != nil)
        let listed = try members(
            server,
            [
                "--cacert", tls.path, "-H",
                "Authorization: Bearer \(try token(["--role", "admin"]))",
            ])
        #expect(listed.contains(#""subject":"cert:ann""#), "\(listed)")
        #expect(listed.contains(#""subject":"t""#) && listed.contains(#""subject":"""#))
        #expect(
            try Peer(url, caFile: tls.path, identity: ann).endCode
                == CloseCode.unauthenticated.rawValue)
        // A renewed token without a subject is the same person's.
        named.refresh(token: try token(["--role", "editor", "--expires", "2h"]))
        let sequence = try named.send(#"[{"op":"addView","id":"a","parent":"root"}]"#)
        #expect(named.result(sequence) == .committed(Commit()))
    }

    @Test("authorities that cannot be read, or are asked for without TLS, are said at the start")
    func wrong() throws {
        let scratch = try Scratch()
        let tls = try scratch.certificate("tls")
        let garbage = try scratch.write("no certificate", as: "garbage")
        let unread = try Program.run([
            "serve", "--in-memory", "--tls-cert", tls.path, "--tls-key", tls.key, "--client-ca",
            garbage,
        ])
        #expect(unread.status == 78)
        #expect(unread.errors.contains("\(garbage) has no certificates"), "\(unread.errors)")
        let plain = try Program.run(["serve", "--in-memory", "--client-ca", tls.path])
        #expect(plain.status == 78 && plain.errors.contains("client-ca needs"), "\(plain.errors)")
    }
}
