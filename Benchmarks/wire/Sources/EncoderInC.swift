import Foundation

/// A program that encodes the same workloads in C, in a process of its own that works when it is
/// asked to.
struct EncoderInC {
    /// The compiler it was built with: the end of the program's name, after the last hyphen.
    let name: String
    private let questions = Pipe()
    private let answers = Pipe()

    /// Starts it. It ends when this process does, as nobody is left to ask it.
    init(program: String, ticks: String) throws {
        name = String(program.split(separator: "-").last ?? "")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [ticks]
        process.standardInput = questions
        process.standardOutput = answers
        try process.run()
    }

    /// Nanoseconds of a round of a workload, the best of as many as we take.
    func time(workload: Int) throws -> UInt64 {
        try questions.fileHandleForWriting.write(contentsOf: Data("\(workload)\n".utf8))
        var answer = Data()
        while answer.last != UInt8(ascii: "\n") {
            let more = answers.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Failure(text: "the encoder in C ended") }
            answer.append(more)
        }
        guard let nanoseconds = UInt64(String(decoding: answer.dropLast(), as: UTF8.self)) else {
            throw Failure(text: "a time of the encoder in C")
        }
        return nanoseconds
    }
}

struct Failure: Error {
    var text: String
}
