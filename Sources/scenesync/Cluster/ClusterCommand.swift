import ArgumentParser

struct ClusterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cluster",
        abstract:
            "Create a cluster's streams on NATS servers, show how they and its nodes are, move shards.",
        discussion: """
            A cluster keeps the journals of rooms in replicated streams of NATS JetStream, so that a room \
            outlives its machine. It takes NATS servers of version 2.11 or newer, three for a start.

              scenesync cluster init nats://127.0.0.1:4222,127.0.0.1:4223,127.0.0.1:4224
              scenesync cluster status nats://127.0.0.1:4222
              scenesync cluster top nats://127.0.0.1:4222

            Beyond this machine connections use TLS: give --tls-ca.
            """,
        subcommands: [
            ClusterInit.self, ClusterShow.self, ClusterTop.self, ClusterMove.self,
            ClusterDrain.self, ClusterImport.self,
        ])
}
