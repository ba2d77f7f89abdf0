import EventLoop
import Foundation
import Testing

/// A wall clock that a process which a test starts may be given: it is ahead by as many seconds as
/// the test says, and changes while the process runs. The clock of the machine stays.
final class ShiftedClock {
    /// Skips a test where there is no C compiler for it.
    static var available: some TestTrait & SuiteTrait {
        ConditionTrait.enabled(
            if: FileManager.default.isExecutableFile(atPath: compiler),
            "needs a C compiler: install gcc")
    }

    private static let compiler = "/usr/bin/cc"
    private static let source = URL(filePath: #filePath)
        .appending(path: "../../Chaos/clock.c").standardized.path

    private let library: URL
    private let file: URL

    /// Compiles it into a folder.
    init(in folder: URL, ahead seconds: Int64 = 0) throws {
        library = folder.appending(path: "clock.so")
        file = folder.appending(path: "clock")
        let ending = try ChildProcess.run(
            Self.compiler, ["-O1", "-shared", "-fPIC", "-o", library.path, Self.source])
        try #require(ending.exitCode == 0, "\(String(decoding: ending.output, as: UTF8.self))")
        try Data(count: 8).write(to: file)
        try set(ahead: seconds)
    }

    /// What a process needs to have it.
    var environment: [String: String] {
        ["LD_PRELOAD": library.path, "CLOCK_FILE": file.path]
    }

    /// Sets it: the file stays the same, since a process has it in its memory.
    func set(ahead seconds: Int64) throws {
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        let bits = UInt64(bitPattern: seconds)
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }
        try handle.write(contentsOf: Data(bytes))
    }
}
