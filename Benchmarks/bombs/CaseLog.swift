import Foundation

/// A file that names the case being tried, so that it is known when the process ends in the middle.
final class CaseLog {
    private let file: FileHandle
    private var length: UInt64 = 0

    init(_ path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { throw CocoaError(.fileWriteUnknown) }
        self.file = file
    }

    func note(_ choices: Choices, _ views: Int) throws {
        let line = Data("\(choices.description) \(views)\n".utf8)
        try file.seek(toOffset: 0)
        try file.write(contentsOf: line)
        if UInt64(line.count) < length { try file.truncate(atOffset: UInt64(line.count)) }
        length = UInt64(line.count)
    }
}
