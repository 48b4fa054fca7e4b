import Foundation
import Testing

@testable import Essentials

@Suite("What Foundation's larger half is not linked for")
struct EssentialsTests {
    @Test(
        "white space goes at both ends and nowhere else",
        arguments: [
            ("", ""), (" \t\r\n", ""), ("a", "a"), (" a b\n", "a b"), ("\u{3000}é\u{A0}", "é"),
            ("\r\na\r\n", "a"),
        ])
    func trimmed(_ text: String, _ expected: String) {
        #expect(text.trimmed == expected)
    }

    @Test(
        "so many digits stand after the point, whatever stands before it",
        arguments: [
            (0, 0, "0"), (0, 2, "0.00"), (1, 1, "1.0"), (-1.5, 1, "-1.5"), (-0.04, 1, "0.0"),
            (0.07, 1, "0.1"), (9.96, 1, "10.0"), (99.999, 2, "100.00"), (0.999, 3, "0.999"),
            (1_234_567.891, 0, "1234568"), (1e9 + 0.125, 3, "1000000000.125"),
            (-12.3456, 3, "-12.346"),
            (.infinity, 1, "inf"), (.nan, 1, "nan"), (1e300, 2, "1e+300"),
        ] as [(Double, Int, String)])
    func digits(_ number: Double, _ digits: Int, _ expected: String) {
        #expect(number.text(digits: digits) == expected)
    }

    @Test("a file that is not there is told in the system's words")
    func reasons() {
        do {
            _ = try Data(contentsOf: URL(fileURLWithPath: "/nowhere/at-all"))
            Issue.record("it was read")
        } catch {
            #expect(FileFailure.reason(of: error) == "No such file or directory")
        }
        #expect(throws: Descriptor.Failure(number: ENOENT)) {
            try Descriptor.create("/nowhere/at-all")
        }
        #expect("\(Descriptor.Failure(number: ENOSPC))" == "No space left on device")
    }

    @Test("bytes go through a pipe whole, though neither end waits")
    func pipe() throws {
        var ends: [Int32] = [0, 0]
        #expect(Foundation.pipe(&ends) == 0)
        for end in ends { #expect(fcntl(end, F_SETFL, O_NONBLOCK) == 0) }
        let (reader, writer) = (Descriptor(ends[0]), Descriptor(ends[1]))
        defer { reader.close() }
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let thread = Thread {
            try? writer.write(bytes)
            writer.close()
        }
        thread.start()
        #expect(try reader.readAll() == bytes)
    }

    /// The fault that this guards: a stream at rest went on after its reader had gone.
    @Test(
        "the end of a pipe's reader is noticed though nothing is written; files and terminals have none"
    )
    func readers() async throws {
        var ends: [Int32] = [0, 0]
        #expect(Foundation.pipe(&ends) == 0)
        let (reader, writer) = (Descriptor(ends[0]), Descriptor(ends[1]))
        #expect(writer.hasReader && !Descriptor(-1).hasReader)
        let file = try Descriptor.create("/dev/null")
        #expect(!file.hasReader)
        file.close()
        await withCheckedContinuation { continuation in
            Thread {
                writer.waitForEndOfReader()
                continuation.resume()
            }.start()
            reader.close()
        }
        writer.close()
    }

    @Test("what is written to a file with no reader, or that is closed, is an error")
    func failures() throws {
        var ends: [Int32] = [0, 0]
        #expect(Foundation.pipe(&ends) == 0)
        signal(SIGPIPE, SIG_IGN)
        Descriptor(ends[0]).close()
        #expect(throws: Descriptor.Failure(number: EPIPE)) { try Descriptor(ends[1]).write([1]) }
        Descriptor(ends[1]).close()
        #expect(throws: Descriptor.Failure(number: EBADF)) { try Descriptor(-1).readAll() }
    }
}

@Suite("Text for XML")
struct XMLTextTests {
    @Test(
        "what has a meaning is escaped, and what XML does not allow is dropped",
        arguments: [
            ("Größe 😀", "Größe 😀"), ("a<b>&\"c\"", "a&lt;b&gt;&amp;&quot;c&quot;"),
            ("1\n2\t3\r", "1&#10;2&#9;3&#13;"), ("a\u{0}b\u{1B}\u{FFFE}c", "abc"), ("", ""),
        ])
    func escapes(text: String, expected: String) {
        #expect(text.escapedForXML == expected)
        #expect(text[...].escapedForXML == expected)
    }
}
