import SceneDocument
import SceneSession
import SceneWire
import TerminalViewer

/// Samples the first device of a recording at a frame rate.
struct PictureWalk {
    /// A picture, and when it is shown.
    struct Picture {
        var seconds: Double
        var mirror: SceneMirror
        var metrics: SceneMetrics
    }

    let fps: Int
    private let recording: SceneRecording

    init(_ recording: SceneRecording, fps: Int) {
        (self.recording, self.fps) = (recording, fps)
    }

    /// How long it is.
    var seconds: Double {
        Double(recording.ticks.upperBound - recording.ticks.lowerBound)
            / Double(max(recording.tickRate, 1))
    }

    /// How many pictures there are; the last is that of the end.
    var count: Int { Int((seconds * Double(fps)).rounded(.up)) + 1 }

    /// Shows each picture that is not like the one before, with its number from 0.
    func forEach(_ show: (Int, Picture) throws -> Void) throws {
        var moments = (recording.tracks.first?.moments ?? [])[...]
        var (mirror, metrics): (SceneMirror, SceneMetrics?) = (SceneMirror(), nil)
        for number in 0..<count {
            let seconds = min(Double(number) / Double(fps), seconds)
            let tick =
                recording.ticks.lowerBound
                + UInt64((seconds * Double(recording.tickRate) + 1e-6).rounded(.down))
            var isOther = false
            while let moment = moments.first, moment.tick <= tick {
                isOther = true
                moments.removeFirst()
                if let told = moment.metrics {
                    metrics = try SceneMetrics(unitsPerPoint: told.unitsPerPoint, cell: told.cell)
                }
                if moment.isWhole { mirror = SceneMirror() }
                for message in moment.messages {
                    _ = try mirror.apply(try ServerMessage.decode(message))
                }
            }
            guard isOther, let metrics else { continue }
            try show(number, Picture(seconds: seconds, mirror: mirror, metrics: metrics))
        }
    }

    // MARK: Forms

    /// A recording of a terminal that shows it.
    func cast(title: String, size: GridSize?) throws -> String {
        var cast: SceneCast?
        try forEach { _, picture in
            if cast == nil {
                cast = SceneCast(
                    size: size ?? picture.metrics.naturalSize(of: picture.mirror), title: title,
                    scales: size != nil)
            }
            cast?.show(picture.mirror, metrics: picture.metrics, seconds: picture.seconds)
        }
        return cast?.end(seconds: seconds) ?? ""
    }

    /// An SVG that shows one picture after the other.
    func film() throws -> String {
        var film = SVGFilm(seconds: seconds, text: .embedded(PictureFaces()))
        try forEach { _, picture in
            film.add(picture.mirror, metrics: picture.metrics, at: picture.seconds)
            guard film.byteCount <= Self.filmByteMaximum else {
                throw Output.failure(
                    .badData, "the SVG has more than \(Self.filmByteMaximum >> 20) MiB",
                    try: "give a shorter range, fewer --fps, or another format")
            }
        }
        return film.text
    }

    private static let filmByteMaximum = 64 << 20
}
