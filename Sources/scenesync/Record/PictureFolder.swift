import ArgumentParser
import Essentials
import FoundationEssentials
import Glibc
import SceneWire
import TerminalViewer

/// A folder of numbered PNG pictures, such as ffmpeg takes: `000001.png` and so on.
struct PictureFolder {
    private let path: String

    init(_ path: String) { self.path = path }

    /// Draws the pictures with `rsvg-convert`. A picture that is like the one before is another
    /// name for its file.
    ///
    /// - Throws: The exit code; the reason is reported.
    func write(_ pictures: PictureWalk) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        } catch { throw failure(error) }
        var (written, last) = (0, "")
        func repeatLast(until end: Int) throws {
            while written > 0, written < end {
                written += 1
                let name = name(written)
                unlink(name)
                guard link(last, name) == 0 else {
                    throw failure(Descriptor.Failure(number: errno))
                }
            }
        }
        try pictures.forEach { number, picture in
            try repeatLast(until: number)
            let svg = path + "/picture.svg"
            // rsvg-convert reads no fonts from SVG.
            let text = SVGPicture.render(
                picture.mirror, metrics: picture.metrics, text: .outlined(PictureFaces()))
            do { try Data(text.utf8).write(to: URL(fileURLWithPath: svg)) } catch {
                throw failure(error)
            }
            written = number + 1
            last = name(written)
            // Not into the file itself: it may have other names from before.
            unlink(last)
            try draw(svg, as: last)
        }
        try repeatLast(until: pictures.count)
        unlink(path + "/picture.svg")
        Output.note("\(path): \(written) pictures, \(pictures.fps) in a second")
    }

    private func name(_ number: Int) -> String {
        let digits = String(number)
        return path + "/" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
            + ".png"
    }

    private func draw(_ svg: String, as png: String) throws {
        var process: pid_t = 0
        let words = ["rsvg-convert", "--output", png, svg]
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        let fault = posix_spawnp(&process, words[0], nil, nil, &arguments, environ)
        guard fault == 0 else {
            throw Output.failure(
                .failure, "rsvg-convert cannot be run: \(FileFailure.reason(number: fault))",
                try: "install librsvg2-bin, or give another --format")
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else {
            throw Output.failure(
                .failure, "rsvg-convert could not draw \(svg)", try: "look at what it said")
        }
    }

    private func failure(_ error: any Error) -> any Error {
        Output.failure(
            .failure, "\(path): \(FileFailure.reason(of: error))",
            try: "give a folder that this user may write")
    }
}
