import ArgumentParser
import JSON
import NATSEngine
import SceneCluster
import SceneServer

struct ClusterInit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Create the streams of a cluster; what is there already stays as it is.",
        discussion: """
            Creates three streams for the records of rooms, one each for snapshots, their index and the \
            cluster's description, spreads the leaders of the first three over the servers, and draws the \
            cluster's number. Shards and replicas are fixed from then on. Run again, it completes what is \
            missing. With --cluster-key FILE, it makes a key in that file unless there is one: give it to all nodes \
            and operators, who prove with it that messages between nodes are theirs. Each line begins with made or there. With --json, an object:
              {"cluster": …, "shards": N, "replicas": N, "parts": [{"name": …}]}
            """)

    @OptionGroup var engine: EngineOptions

    @Option(help: "The shards among which rooms are divided, 1 to 4096; fixed for ever.")
    var shards = 64

    @Option(help: "The NATS servers that keep each record, 1, 3 or 5; 1 outlives no disk.")
    var replicas = 3

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard 1...ShardMap.countMaximum ~= shards else {
            throw ValidationError("--shards takes 1 to \(ShardMap.countMaximum)")
        }
        guard [1, 3, 5].contains(replicas) else {
            throw ValidationError("--replicas takes 1, 3 or 5, of which a majority exists")
        }
    }

    func run() throws {
        let map = try ShardMap(count: shards)
        if let file = engine.clusterKey {
            do throws(NATSError) {
                let isNew = try ClusterKeys.make(file: file)
                if !json { Output.result("\(isNew ? "made" : "there") key \(file)") }
            } catch {
                throw Output.failure(error)
            }
        }
        let made: (parts: [ClusterAdministrator.Creation], description: ClusterDescription)
        do throws(NATSError) {
            let administrator = try ClusterAdministrator(
                engine.configuration(), layout: engine.layout())
            made = try administrator.create(
                shards: map, replicas: replicas, version: sceneSyncVersion)
        } catch {
            throw Output.failure(error)
        }
        guard json else {
            for part in made.parts {
                Output.result("\(part.isNew ? "made" : "there") \(part.name)")
            }
            return
        }
        Output.result(
            JSONValue.object([
                JSONMember("cluster", .string(made.description.clusterText)),
                JSONMember("shards", .number(Double(made.description.shards.count))),
                JSONMember("replicas", .number(Double(made.description.replicas))),
                JSONMember(
                    "parts",
                    .array(
                        made.parts.map {
                            .object([
                                JSONMember("name", .string($0.name)),
                                JSONMember("made", .bool($0.isNew)),
                            ])
                        })),
            ]).text(pretty: true))
    }
}
