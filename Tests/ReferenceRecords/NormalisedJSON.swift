internal import JSON

/// JSON with each string escaped in the same way, and each number by its shortest digits.
enum NormalisedJSON {
    /// A text; the members of each object are in the order of their names unless `isOrdered`.
    static func text(_ text: String, _ isOrdered: Bool) throws -> String {
        let bytes = Array(text.utf8)
        var tape = JSONTape()
        try tape.read(bytes)
        return normalised(0, tape, bytes, isOrdered)
    }

    private static func normalised(
        _ node: Int, _ tape: borrowing JSONTape, _ bytes: [UInt8], _ isOrdered: Bool
    ) -> String {
        let position = tape[node]
        switch position.kind {
        case .string: return "\"\(bytes.withBytes { tape.text(of: node, in: $0) } ?? "")\""
        case .number: return number(bytes[Int(position.start)..<Int(position.end)])
        case .array, .object:
            var parts: [String] = []
            var (child, end) = tape.children(of: node)
            while child < end {
                var part = normalised(child, tape, bytes, isOrdered)
                child = tape.next(after: child)
                if position.kind == .object {
                    part += ":" + normalised(child, tape, bytes, isOrdered)
                    child = tape.next(after: child)
                }
                parts.append(part)
            }
            end = child
            if position.kind == .array { return "[\(parts.joined(separator: ","))]" }
            return "{\((isOrdered ? parts : parts.sorted()).joined(separator: ","))}"
        default:
            return String(decoding: bytes[Int(position.start)..<Int(position.end)], as: UTF8.self)
        }
    }

    /// Digits without the zeros behind them, and the power of ten.
    private static func number(_ token: ArraySlice<UInt8>) -> String {
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
