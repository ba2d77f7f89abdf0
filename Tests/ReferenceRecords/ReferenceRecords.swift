public import Foundation
internal import Encoding
internal import EventLoop
internal import JSON
internal import Testing

/// Random records that a Python script writes, with what another library reads in them.
public enum ReferenceRecords {
    /// How many: `APNS_BRIDGE_RECORDS=100000` for more.
    public static let count =
        ProcessInfo.processInfo.environment["APNS_BRIDGE_RECORDS"].flatMap { Int($0) } ?? 3000

    /// A Python that has a module: that of `make python-clients`, or the machine's own; nil if
    /// neither has it.
    public static func python(with module: String) -> String? {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardized
        let own = root.appending(path: ".build/python-clients/bin/python3").path
        return [own, "/usr/bin/python3"].first { path in
            FileManager.default.isExecutableFile(atPath: path)
                && (try? output(path, ["-c", "import \(module)"])) != nil
        }
    }

    /// The records of a script, which `APNS_BRIDGE_SEED` changes; throws if it fails.
    public static func read(_ script: URL, with python: String) throws -> [ReferenceRecord] {
        let seed = ProcessInfo.processInfo.environment["APNS_BRIDGE_SEED"] ?? "1"
        let lines = try output(python, ["-B", script.path, "\(count)", seed])
            .split(separator: UInt8(ascii: "\n"))
        return lines.map { ReferenceRecord(line: [UInt8]($0)) }
    }

    /// What a program writes; throws if it fails.
    private static func output(_ program: String, _ arguments: [String]) throws -> [UInt8] {
        let ending = try ChildProcess.run(program, arguments, limit: 1 << 30)
        try #require(ending.exitCode == 0)
        return [UInt8](ending.output)
    }
}

/// A record with what another library reads in it: a line of JSON with strings.
public struct ReferenceRecord {
    private let line: [UInt8]

    init(line: [UInt8]) { self.line = line }

    /// A member such as `schema`; throws without it.
    public func text(_ name: String) throws -> String {
        var tape = JSONTape()
        try tape.read(line)
        return try #require(
            line.withBytes { bytes in
                tape.member(name, of: 0, in: bytes).flatMap { tape.text(of: $0, in: bytes) }
            })
    }

    /// The bytes of the record.
    public func bytes() throws -> [UInt8] {
        let digits = Array(try text("record").utf8)
        return stride(from: 0, to: digits.count, by: 2).map { index in
            (Hexadecimal.value(of: digits[index]) ?? 0) << 4
                | (Hexadecimal.value(of: digits[index + 1]) ?? 0)
        }
    }

    /// Expects that a text is the same JSON as what the library reads; the order of members counts
    /// if `isOrdered`.
    public func expect(_ found: String, isOrdered: Bool) throws {
        let expected = try text("json")
        guard found != expected else { return }
        let isSame =
            try NormalisedJSON.text(found, isOrdered) == NormalisedJSON.text(expected, isOrdered)
        let schema = try text("schema")
        #expect(isSame, "\(schema)\n\(found)\n\(expected)")
    }
}
