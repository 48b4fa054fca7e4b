import Foundation
import SceneTestSupport

/// Whether a sanitizer is active, which makes everything some ten times slower.
let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

/// The program under test, which is built beside the tests, unless `SCENESYNC_UNDER_TEST` in the
/// environment names another.
enum Program {
    static var path: String {
        if let other = ProcessInfo.processInfo.environment["SCENESYNC_UNDER_TEST"] { return other }
        let own =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: own).deletingLastPathComponent()
            .appendingPathComponent("scenesync").path
    }

    struct Outcome {
        var status: Int32
        var output: String
        var errors: String
    }

    /// Runs the program to its end.
    static func run(
        _ arguments: [String], input: String = "", environment: [String: String] = [:]
    ) throws -> Outcome {
        let (standardInput, output, errors) = (Pipe(), Pipe(), Pipe())
        let process = try ChildProcess(
            [path] + arguments, environment: environment, input: .pipe(standardInput),
            output: .pipe(output), errors: .pipe(errors))
        standardInput.fileHandleForWriting.write(Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
        // Errors are short; the output may be long and is read first.
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        let complaint = try errors.fileHandleForReading.readToEnd() ?? Data()
        return Outcome(
            status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
            errors: String(decoding: complaint, as: UTF8.self))
    }
}
