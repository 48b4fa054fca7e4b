import SceneDocument
import SceneModel
import SceneWire
import Testing

@testable import SceneSession

@Suite("Recordings")
struct SceneRecordingTests {
    private static let document = TestRoom.document.replacing(
        #""sets":"#,
        with: #""devices": {"phone": {"width": 200, "height": 300, "scale": 2}}, "sets":"#)

    /// The state hash of a track at each tick of a range.
    private func hashes(
        _ track: SceneRecording.Track, _ ticks: ClosedRange<UInt64>
    ) throws -> [UInt64: UInt64] {
        var (mirror, moments) = (SceneMirror(), track.moments[...])
        var hashes: [UInt64: UInt64] = [:]
        for tick in ticks {
            while let moment = moments.first, moment.tick <= tick {
                moments.removeFirst()
                if moment.isWhole { mirror = SceneMirror() }
                for message in moment.messages {
                    _ = try mirror.apply(try ServerMessage.decode(message))
                }
                if let hash = moment.stateHash { #expect(hash == mirror.stateHash) }
            }
            hashes[tick] = mirror.stateHash
        }
        #expect(moments.isEmpty)
        return hashes
    }

    @Test(
        "a recording has at every tick what members saw, on each device", arguments: 0..<40)
    func random(seed: Int) throws {
        var script = RandomScript(seed: seed)
        var options = SessionOptions()
        if seed.isMultiple(of: 2) { (options.snapshotBytes, options.snapshotGrowth) = (600, 0) }
        let room = try TestRoom(Self.document, options: options)
        let editor = try room.join(1)
        let phone = try room.join(2, role: .viewer, capabilities: Capability.devices) {
            $0.device = DeviceRequest()
            $0.device?.name = "phone"
        }
        var (main, device): ([UInt64: UInt64], [UInt64: UInt64]) = ([:], [:])
        var resting: Set<UInt64> = []
        for turn in 0..<60 {
            for _ in 0..<script.below(3) {
                let ops = (0...script.below(3)).map { _ in script.op() }.joined(separator: ",")
                try room.send("[\(ops)]", from: editor, sequence: room.nextSequence(editor))
            }
            try room.runTicks()
            if turn == 40 { try room.undo(editor) }
            main[room.tick] = room.mirrors[editor]?.stateHash
            device[room.tick] = room.mirrors[phone]?.stateHash
            if room.session.model.isIdle { resting.insert(room.tick) }
        }
        let ticks = UInt64(script.below(20) + 1)...room.tick
        let shown = try SceneRecording(room.journal, ticks: ticks, animatesLocally: false)
        #expect(shown.tracks.map(\.device) == ["", "phone"])
        #expect(shown.tickRate == 60 && shown.notes.isEmpty)
        for (track, expected) in zip(shown.tracks, [main, device]) {
            let found = try hashes(track, ticks)
            for tick in ticks where expected[tick] != nil {
                #expect(
                    found[tick] == expected[tick], "seed \(seed), tick \(tick) on \(track.device)")
            }
        }
        // Renderers that move views themselves have the same scene whenever nothing moves.
        let final = try SceneRecording(
            room.journal, ticks: ticks, devices: .shared, animatesLocally: true)
        let found = try hashes(final.tracks[0], ticks)
        for tick in ticks where resting.contains(tick) {
            #expect(found[tick] == main[tick], "seed \(seed), tick \(tick), animated locally")
        }
    }

    @Test("a snapshot that repeats the scene is no moment of a recording")
    func checkpoint() throws {
        var options = SessionOptions()
        options.snapshotSeconds = 1
        let room = try TestRoom(options: options)
        let editor = try room.join(1)
        for width in 1...5 {
            try room.apply(#"[{"op":"setConstraint","id":"w","constant":\#(width)}]"#, from: editor)
            // One is due a second after the last, in a tick without a change.
            try room.runTicks(70)
        }
        #expect(room.journal.filter(\.repeatsScene).count == 5)
        let recording = try SceneRecording(
            room.journal, ticks: 1...room.tick, devices: .shared, animatesLocally: true)
        #expect(recording.tracks[0].moments.filter(\.isWhole).count == 1)
        #expect(recording.tracks[0].moments.count == 5)
    }

    @Test("what was said in its ticks are its captions")
    func captions() throws {
        let room = try TestRoom()
        let editor = try room.join(1, capabilities: Capability.annotations)
        try room.apply(
            #"[{"op":"addComment","id":"a","view":"bar","text":"Before"}]"#, from: editor)
        let start = room.tick + 1
        try room.runTicks(3)
        try room.apply(
            #"[{"op":"addComment","id":"b","view":"bar","text":"Wider?"}]"#, from: editor)
        let said = room.tick
        try room.apply(#"[{"op":"addVersion","name":"First","note":""}]"#, from: editor)
        let recording = try SceneRecording(
            room.journal, ticks: start...room.tick, animatesLocally: true)
        #expect(recording.captions.map(\.text) == ["Wider?", "version First"])
        #expect(recording.captions.first?.tick == said)
    }

    @Test("a device that the scene does not name is refused, with those that it names")
    func noDevice() throws {
        let room = try TestRoom(Self.document)
        try room.runTicks(3)
        #expect(throws: SceneRecording.Failure.device("desk", reason: "the scene has phone")) {
            _ = try SceneRecording(
                room.journal, ticks: 1...3, devices: .named(["desk"]), animatesLocally: true)
        }
    }
}
