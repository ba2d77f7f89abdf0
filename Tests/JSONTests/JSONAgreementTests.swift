import Encoding
import Foundation
import JSON
import Testing

@Suite struct `Our reader and Foundation's` {
    @Test func `accept the same generated texts and find the same values`() throws {
        var random = SeededGenerator(seed: 20_260_101)
        for _ in 0..<2000 {
            let bytes = Array(random.json(depth: 4).utf8)
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(try normal(bytes) == normal(Array(copied(text).utf8)), "\(text)")
        }
    }

    @Test func `agree about mutated texts wherever Foundation is strict`() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<20_000 {
            var bytes = Array(random.json(depth: 3).utf8)
            for _ in 0...random.below(2) { random.mutate(&bytes) }
            let ours = fault(bytes)
            if isKnownDifference(bytes) { continue }
            let theirs = try? JSONSerialization.jsonObject(
                with: Data(bytes), options: .fragmentsAllowed)
            #expect(
                (ours == nil) == (theirs != nil),
                "\(bytes)"
            )
        }
    }

    /// Foundation accepts `[1,]`, rejects numbers outside of Double, and guesses other encodings.
    private func isKnownDifference(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        return bytes.isEmpty || bytes[0] >= 0xEF || text.contains(/,[ \n\t]*\]/)
            || text.contains(/[0-9][eE][-+]?[0-9]{3}/)
    }

    private func normal(_ bytes: [UInt8]) throws -> Data {
        let value = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
        return try JSONSerialization.data(
            withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys])
    }
}

extension SeededGenerator {
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    mutating func json(depth: Int) -> String {
        let space = ["", "", " ", "\n\t"][below(4)]
        switch below(depth > 0 ? 8 : 5) {
        case 0: return ["null", "true", "false"][below(3)]
        case 1: return "\(Int(truncatingIfNeeded: next()) >> below(60))"
        case 2: return ["0.5", "-1.25e3", "1E-2", "12.0", "-0", "3e+4"][below(6)]
        case 3, 4: return string()
        case 5, 6:
            let items = (0..<below(4)).map { _ in json(depth: depth - 1) }
            return "[" + space + items.joined(separator: "," + space) + space + "]"
        default:
            let items = (0..<below(4)).map { "\"k\($0)\":" + space + json(depth: depth - 1) }
            return "{" + items.joined(separator: space + ",") + "}"
        }
    }

    mutating func string() -> String {
        let pieces = [
            "a", "hello world", "é", "😀", "\\n", "\\u00e9", "\\ud83d\\ude00", "\\\\", "\\\"", "漢",
            "\\/",
        ]
        return "\"" + (0..<below(6)).map { _ in pieces[below(pieces.count)] }.joined() + "\""
    }

    mutating func mutate(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        let position = below(bytes.count)
        let interesting =
            Array("{}[]\",:\\/0123456789-+.eEtfnu \n".utf8) + [0x01, 0x80, 0xC3, 0xED, 0xF4]
        switch below(4) {
        case 0: bytes.remove(at: position)
        case 1: bytes.insert(interesting[below(interesting.count)], at: position)
        case 2: bytes[position] = interesting[below(interesting.count)]
        default: bytes.removeSubrange(position...)
        }
    }
}
