import ArgumentParser
import Dispatch
import Essentials
import FoundationEssentials
import InterfaceBuilder
import SceneLint
import Synchronization

/// Checks the layouts of a project.
struct Lint: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check layouts: .storyboard, .xib and documents, on many devices.",
        discussion: """
            Solves the constraints of every scene: on Xcode's canvas, and on each device, in both directions, text \
            sizes and languages. Folders are searched for .storyboard and .xib files; documents are named one by one.

              scenesync lint .
              scenesync lint --format sarif . > lint.sarif
              scenesync lint --write-baseline lint-baseline.json .
              scenesync lint --baseline lint-baseline.json .

            Exit codes: 0 no findings, 1 warnings or errors, 2 wrong usage or a file that cannot be read. Notes fail no \
            run. docs/lint.md describes the rules.
            """)

    @Argument(help: "Files and folders.")
    var paths: [String]

    @Option(
        help: "text, json, sarif, checkstyle, junit or github. (default: text)",
        transform: { try choice($0, LintFormat.self) })
    var format = LintFormat.text

    @Option(
        help: "The least level that is shown: note, warning or error. (default: warning)",
        transform: { try choice($0, LintLevel.self) })
    var level = LintLevel.warning

    @Option(help: "The configuration. (default: .scenesync-lint.json, if it is there)")
    var config: String?

    @Option(help: "Findings that are accepted; only others are shown.")
    var baseline: String?

    @Option(help: "Accept the present findings: write them to this file.")
    var writeBaseline: String?

    @Flag(help: "Correct what is certain: stored frames and duplicate constraints.")
    var fix = false

    @Option(help: "Threads. (default: one for each processor)")
    var jobs: Int?

    private static let standardConfiguration = ".scenesync-lint.json"
    private static let usage = ExitCode(2)

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ text: String, _ type: Choice.Type
    ) throws -> Choice where Choice.RawValue == String {
        guard let value = Choice(rawValue: text) else {
            let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("\"\(text)\" is none of \(known)")
        }
        return value
    }

    func validate() throws {
        if let jobs, !(1...256).contains(jobs) { throw ValidationError("--jobs is 1 to 256") }
        if level == .off { throw ValidationError("--level is note, warning or error") }
    }

    func run() throws {
        let configuration = try configuration()
        let accepted = try baseline.map { path in
            try Self.decode(path) { bytes throws(LintConfigurationError) in
                try LintBaseline(bytes)
            }
        }
        let files = try LintFiles.find(paths, excluded: configuration.excluded)
        let reports = check(files, configuration)
        var isUnreadable = false
        var findings: [LintFinding] = []
        for report in reports {
            isUnreadable = isUnreadable || report.isUnreadable
            findings += report.findings
        }
        if fix { findings = try correct(files, reports, findings) }
        if let writeBaseline {
            try Self.write(Array(LintBaseline(findings).text.utf8), writeBaseline)
            return Output.note("\(findings.count) findings are accepted in \(writeBaseline)")
        }
        if let accepted { findings = accepted.new(findings) }
        let shown = findings.filter { $0.level >= level }
        let text = format.report(shown, files: files)
        if !text.isEmpty { Output.result(text) }
        let scenes = reports.reduce(0) { $0 + $1.sceneCount }
        let failing = findings.count { $0.level >= .warning }
        Output.note(
            [(files.count, "file"), (scenes, "scene"), (failing, "finding")]
                .map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: ", "))
        if isUnreadable { throw Self.usage }
        if failing > 0 { throw ExitCode(1) }
    }

    // MARK: Checking

    /// Bytes of the files that are in memory at a time, but for a larger one.
    private static let batchBytesTarget = 4 << 20

    /// Checks files, several scenes at a time, though they may be of one file; the reports are in
    /// the order of the files.
    private func check(_ files: [String], _ configuration: LintConfiguration) -> [LintReport] {
        let linter = Linter(configuration, ruler: .registered)
        let cache = AssetCache()
        var reports: [LintReport] = []
        for batch in Self.batches(files) {
            let read = inParallel(batch.count) { Self.read(batch[$0], linter, cache) }
            let places = read.indices.flatMap { file in
                (0..<read[file].sceneCount).map { (file: file, scene: $0) }
            }
            let findings = inParallel(places.count) { index in
                read[places[index].file].check(places[index].scene)
            }
            var ofFiles = [[[LintFinding]?]](repeating: [], count: read.count)
            for (place, found) in zip(places, findings) { ofFiles[place.file].append(found) }
            for (file, found) in zip(read, ofFiles) {
                reports.append(file.report(found))
            }
        }
        return reports
    }

    private static func batches(_ files: [String]) -> [[String]] {
        var batches: [[String]] = []
        var room = 0
        for path in files {
            let size = FileSize.bytes(atPath: path) ?? 0
            if batches.isEmpty || room < size {
                batches.append([])
                room = batchBytesTarget
            }
            batches[batches.count - 1].append(path)
            room -= size
        }
        return batches
    }

    /// Does something for each index on the threads of the run; the results are in order.
    private func inParallel<Result: Sendable>(
        _ count: Int, _ body: @Sendable (Int) -> Result
    ) -> [Result] {
        let results = Mutex<[Int: Result]>([:])
        let next = Mutex(0)
        let processors = max(1, ProcessInfo.processInfo.activeProcessorCount)
        DispatchQueue.concurrentPerform(iterations: min(jobs ?? processors, max(1, count))) { _ in
            while true {
                let index = next.withLock { value in
                    defer { value += 1 }
                    return value
                }
                guard index < count else { return }
                let result = body(index)
                results.withLock { $0[index] = result }
            }
        }
        return results.withLock { done in (0..<count).compactMap { done[$0] } }
    }

    /// Reads a file with what lies beside it.
    private static func read(_ path: String, _ linter: Linter, _ cache: AssetCache) -> LintFile {
        let bytes: [UInt8]
        do throws(InputFailure) { bytes = try Input.bytes(path) } catch {
            return linter.unread(path, error.text)
        }
        var source = LintSource(path: path, bytes: bytes)
        let folder = ProjectFolder(beside: path, cache: cache)
        source.strings = folder.strings
        source.assets = folder.assets
        source.faults = folder.faults
        return linter.read(source)
    }

    // MARK: Fixing

    /// Writes the corrected files.
    ///
    /// - Returns: The findings that are left.
    private func correct(
        _ files: [String], _ reports: [LintReport], _ findings: [LintFinding]
    ) throws -> [LintFinding] {
        var count = 0
        for (path, report) in zip(files, reports) {
            let fixes = report.findings.count { $0.fix != nil }
            guard fixes > 0 else { continue }
            let bytes = try Input.read(path)
            let fixed = report.fixed(bytes)
            // A correction that Xcode could not read must not reach the disk.
            _ = try InterfaceInput.file(fixed, path)
            try Self.write(fixed, path)
            count += fixes
        }
        Output.note("\(count) findings corrected")
        return findings.filter { $0.fix == nil }
    }

    // MARK: Files

    private func configuration() throws -> LintConfiguration {
        let path = config ?? Self.standardConfiguration
        guard config != nil || FileManager.default.fileExists(atPath: path) else {
            return LintConfiguration()
        }
        return try Self.decode(path) { bytes throws(LintConfigurationError) in
            try LintConfiguration(bytes)
        }
    }

    private static func decode<Value>(
        _ path: String, _ body: ([UInt8]) throws(LintConfigurationError) -> Value
    ) throws -> Value {
        do throws(InputFailure) {
            let bytes = try Input.bytes(path)
            do throws(LintConfigurationError) { return try body(bytes) } catch {
                throw InputFailure(kind: .malformed, text: "\(path): \(error)")
            }
        } catch {
            throw Output.failure(usage, error.text, try: "docs/lint.md describes the file")
        }
    }

    private static func write(_ bytes: [UInt8], _ path: String) throws {
        do throws(Descriptor.Failure) { try FileReplacement.replace(path, with: bytes) } catch {
            throw Output.failure(
                usage, "\(path): \(error)",
                try: "give a file that this user may write")
        }
    }
}

/// Finds the files of a lint run.
enum LintFiles {
    /// The files that the paths name, and those of Interface Builder in the folders, sorted.
    static func find(_ paths: [String], excluded: [String]) throws -> [String] {
        let excluded = Set(excluded)
        var found: [String] = []
        for path in paths {
            var isFolder: Bool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw Output.failure(
                    ExitCode(2), "\(path) does not exist", try: "name files and folders")
            }
            guard isFolder else {
                found.append(path)
                continue
            }
            var folders = [path]
            while let folder = folders.popLast() {
                let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
                for name in names where !excluded.contains(name) {
                    let inner = folder == "." ? name : "\(folder)/\(name)"
                    if name.hasSuffix(".storyboard") || name.hasSuffix(".xib") {
                        found.append(inner)
                    } else if isPlainFolder(inner) {
                        folders.append(inner)
                    }
                }
            }
        }
        var seen: Set<String> = []
        return found.filter { seen.insert($0).inserted }.sorted()
    }

    /// Whether a path is a folder and no link, which may lead in circles.
    private static func isPlainFolder(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.type] as? FileAttributeType == .typeDirectory
    }
}
