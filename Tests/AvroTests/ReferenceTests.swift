import Avro
import Encoding
import EventLoop
import Foundation
import JSON
import Testing

/// A Python that has fastavro: that of `make python-clients`, or the machine's own.
private let python: String? = {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    let own = root.appending(path: ".build/python-clients/bin/python3").path
    return [own, "/usr/bin/python3"].first { path in
        FileManager.default.isExecutableFile(atPath: path)
            && (try? output(path, ["-c", "import fastavro"])) != nil
    }
}()

/// What a program writes; throws if it fails.
private func output(_ program: String, _ arguments: [String]) throws -> [UInt8] {
    let ending = try ChildProcess.run(program, arguments, limit: 1 << 30)
    try #require(ending.exitCode == 0)
    return [UInt8](ending.output)
}

@Suite struct `Random records of random schemas` {
    /// How many: `APNS_BRIDGE_RECORDS=100000` for more.
    private static let count =
        ProcessInfo.processInfo.environment["APNS_BRIDGE_RECORDS"].flatMap { Int($0) } ?? 3000

    @Test(.enabled(if: python != nil, "Python has no fastavro: make python-clients installs it"))
    func `become the JSON that fastavro reads in them`() throws {
        let program = try #require(python)
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "random_records.py").path
        let seed = ProcessInfo.processInfo.environment["APNS_BRIDGE_SEED"] ?? "1"
        let lines = try output(program, ["-B", script, "\(Self.count)", seed])
            .split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == Self.count)
        for line in lines { try check([UInt8](line)) }
    }

    private func check(_ line: [UInt8]) throws {
        var tape = JSONTape()
        try tape.read(line)
        func text(_ name: String) throws -> String {
            try #require(
                line.withBytes { bytes in
                    tape.member(name, of: 0, in: bytes).flatMap { tape.text(of: $0, in: bytes) }
                })
        }
        let digits = Array(try text("record").utf8)
        let record = stride(from: 0, to: digits.count, by: 2).map { index in
            (Hexadecimal.value(of: digits[index]) ?? 0) << 4
                | (Hexadecimal.value(of: digits[index + 1]) ?? 0)
        }
        let (schema, expected) = (try text("schema"), try text("json"))
        let found: String
        do {
            found = try json(record, schema)
        } catch {
            Issue.record("\(error) in \(schema)")
            return
        }
        let isSame = try found == expected || normalised(found) == normalised(expected)
        #expect(isSame, "\(schema)\n\(found)\n\(expected)")
    }

    /// JSON with each string escaped in the same way, and each number by its shortest digits.
    private func normalised(_ text: String) throws -> [UInt8] {
        let bytes = Array(text.utf8)
        var tape = JSONTape()
        try tape.read(bytes)
        var result: [UInt8] = []
        for node in 0..<tape.count {
            result.append(UInt8(ascii: " "))
            let position = tape[node]
            result += Array("\(position.next) ".utf8)
            switch position.kind {
            case .string:
                let text = bytes.withBytes { tape.text(of: node, in: $0) }
                result += Array((text ?? "").utf8)
            case .number: result += number(bytes[Int(position.start)..<Int(position.end)])
            case .array, .object: result.append(UInt8(ascii: position.kind == .array ? "[" : "{"))
            default: result += bytes[Int(position.start)..<Int(position.end)]
            }
        }
        return result
    }

    /// Digits without the zeros behind them, and the power of ten.
    private func number(_ token: ArraySlice<UInt8>) -> [UInt8] {
        let parts = String(decoding: token, as: UTF8.self).split(separator: "e")
        let isNegative = parts[0].hasPrefix("-")
        let halves = parts[0].drop { $0 == "-" }.split(separator: ".")
        var digits = Array(halves.joined())
        var exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        exponent -= halves.count > 1 ? halves[1].count : 0
        while digits.count > 1, digits.last == "0" {
            digits.removeLast()
            exponent += 1
        }
        let first = digits.firstIndex { $0 != "0" } ?? digits.count - 1
        let whole = String(digits[first...])
        return Array("\(isNegative ? "-" : "")\(whole)e\(whole == "0" ? 0 : exponent)".utf8)
    }
}
