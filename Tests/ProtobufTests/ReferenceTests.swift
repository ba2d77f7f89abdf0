import Encoding
import EventLoop
import Foundation
import JSON
import Protobuf
import Testing

/// A Python that has Google's protobuf: that of `make python-clients`, or the machine's own.
private let python: String? = {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    let own = root.appending(path: ".build/python-clients/bin/python3").path
    return [own, "/usr/bin/python3"].first { path in
        FileManager.default.isExecutableFile(atPath: path)
            && (try? output(path, ["-c", "import google.protobuf.message_factory"])) != nil
    }
}()

/// What a program writes; throws if it fails.
private func output(_ program: String, _ arguments: [String]) throws -> [UInt8] {
    let ending = try ChildProcess.run(program, arguments, limit: 1 << 30)
    try #require(ending.exitCode == 0)
    return [UInt8](ending.output)
}

@Suite struct `Random messages of random schemas` {
    /// How many: `APNS_BRIDGE_RECORDS=100000` for more.
    private static let count =
        ProcessInfo.processInfo.environment["APNS_BRIDGE_RECORDS"].flatMap { Int($0) } ?? 3000

    @Test(.enabled(if: python != nil, "Python has no protobuf: make python-clients installs it"))
    func `become the JSON that Google's own library reads in them`() throws {
        let program = try #require(python)
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "random_messages.py").path
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
            found = try json(
                record, schema, files: [("first.proto", try text("import"))], location: .indexes)
        } catch {
            Issue.record("\(error) in \(schema)")
            return
        }
        let isSame = try found == expected || normalised(found) == normalised(expected)
        #expect(isSame, "\(schema)\n\(found)\n\(expected)")
    }

    /// JSON with the members of each object in the order of their names, each string escaped in the
    /// same way, and each number by its shortest digits.
    private func normalised(_ text: String) throws -> String {
        let bytes = Array(text.utf8)
        var tape = JSONTape()
        try tape.read(bytes)
        return normalised(0, tape, bytes)
    }

    private func normalised(_ node: Int, _ tape: borrowing JSONTape, _ bytes: [UInt8]) -> String {
        let position = tape[node]
        switch position.kind {
        case .string: return "\"\(bytes.withBytes { tape.text(of: node, in: $0) } ?? "")\""
        case .number: return number(bytes[Int(position.start)..<Int(position.end)])
        case .array, .object:
            var parts: [String] = []
            var (child, end) = tape.children(of: node)
            while child < end {
                var part = normalised(child, tape, bytes)
                child = tape.next(after: child)
                if position.kind == .object {
                    part += ":" + normalised(child, tape, bytes)
                    child = tape.next(after: child)
                }
                parts.append(part)
            }
            if position.kind == .object { return "{\(parts.sorted().joined(separator: ","))}" }
            return "[\(parts.joined(separator: ","))]"
        default:
            return String(decoding: bytes[Int(position.start)..<Int(position.end)], as: UTF8.self)
        }
    }

    /// Digits without the zeros behind them, and the power of ten.
    private func number(_ token: ArraySlice<UInt8>) -> String {
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
        return "\(isNegative ? "-" : "")\(whole)e\(whole == "0" ? 0 : exponent)"
    }
}
