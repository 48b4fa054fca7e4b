import Foundation
import Testing

@Suite("The same in every process")
struct DeterminismTests {
    /// Hashing is seeded anew in every process, so an answer that hangs on the order of a set shows here.
    @Test("several processes solve the same script to the same bits", arguments: ["tree", "cells"])
    func solver(workload: String) throws {
        let program = URL(fileURLWithPath: Program.path).deletingLastPathComponent()
            .appendingPathComponent("solver-bench")
        var answers: Set<[String]> = []
        for _ in 0..<4 {
            let process = Process()
            process.executableURL = program
            process.arguments = ["replay", workload, "60"]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let text = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
            #expect(lines.count == 6)
            // A line is a name, seconds, a sum, bytes, then the values in full precision.
            answers.insert(
                lines.map { $0.split(separator: " ").dropFirst(4).joined(separator: " ") })
        }
        #expect(answers.count == 1)
        #expect(answers.first?.allSatisfy { $0.split(separator: " ").count >= 240 } == true)
    }
}
