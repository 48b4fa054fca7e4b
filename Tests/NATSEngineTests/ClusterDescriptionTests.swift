import SceneCluster
import Testing

@testable import NATSEngine

@Suite("The description of a cluster, and its layout")
struct ClusterDescriptionTests {
    private static let text =
        #"{"format":1,"cluster":"00000000000000ff","shards":64,"hash":"sha256-64","replicas":3,"version":"1.2.3"}"#

    @Test("it is written as JSON and read back")
    func bytes() throws {
        let description = ClusterDescription(
            cluster: ClusterID(255), shards: try ShardMap(count: 64), replicas: 3, version: "1.2.3")
        #expect(String(decoding: description.bytes, as: UTF8.self) == Self.text)
        #expect(try ClusterDescription(Array(Self.text.utf8)) == description)
        for number in [1, 0x0123_4567_89AB_CDEF, UInt64.max] {
            var other = description
            other.cluster = ClusterID(number)
            #expect(try ClusterDescription(other.bytes) == other)
        }
    }

    @Test(
        "what this version did not write is refused with words",
        arguments: [
            ("", "is no JSON"), ("[]", "has no format"),
            (text.replacing("\"format\":1", with: "\"format\":2"), "has format 2, expected 1"),
            (text.replacing("00ff", with: "ff"), "16 hexadecimal digits"),
            (text.replacing("00ff", with: "00fg"), "16 hexadecimal digits"),
            (text.replacing("sha256-64", with: "crc"), "places rooms by the hash \"crc\""),
            (text.replacing("64,", with: "0,"), "has 0 shards"),
            (text.replacing("64,", with: "1e15,"), "shards"),
            (text.replacing("\"replicas\":3,", with: ""), "lacks"),
        ])
    func refused(_ text: String, _ words: String) {
        do throws(NATSError) {
            _ = try ClusterDescription(Array(text.utf8))
            Issue.record("it was taken: \(text)")
        } catch {
            #expect(error.description.contains(words), "\(error)")
        }
    }

    @Test("every shard's subject is of one stream of records, every third of the same")
    func layout() throws {
        let layout = try ClusterLayout(prefix: "team")
        #expect(layout.records(of: ShardID(0)) == "team.j.0.0")
        #expect(layout.records(of: ShardID(5)) == "team.j.2.5")
        #expect(layout.records(of: ShardID(4095)) == "team.j.0.4095")
        for shard in 0..<UInt16(100) {
            let subject = layout.records(of: ShardID(shard))
            #expect(layout.streamName(ofSubject: subject) == "team-journal-\(shard % 3)")
        }
        for foreign in ["team.j.3.1", "team.j.0", "ss.j.0.1", "team.n.beat", "", "team"] {
            #expect(layout.streamName(ofSubject: foreign) == nil)
        }
        #expect(layout.streamName(ofSubject: layout.clusterDescription) == "team-metadata")
        #expect(Set(ClusterLayout.Stream.allCases.map(layout.name(of:))).count == 7)
    }
}
