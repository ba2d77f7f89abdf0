/// Formats JSON for display: whatever fits on one line stays on one.
///
///     {"aps": {"alert": {"title": "Order 7741 shipped", "body": "Hi Ana"},
///              "badge": 3},
///      "order_id": 7741}
public struct JSONLayout {
    private let json: [UInt8]
    private let width: Int

    /// `json` in lines of at most `width` characters if possible; nil when it is not valid JSON.
    ///
    /// Numbers and strings stay as written, except that control characters, which could manipulate
    /// a terminal, are escaped.
    public static func text(of json: [UInt8], width: Int = 80) -> String? {
        var tape = JSONTape()
        do throws(JSONError) { try tape.read(unsafe json.span.bytes) } catch { return nil }
        return JSONLayout(json: json, width: width).text(of: 0, on: tape, indent: 0, reserve: 0)
    }

    /// A value that starts in column `indent` and is followed by `reserve` characters.
    private func text(
        of node: Int, on tape: borrowing JSONTape, indent: Int, reserve: Int
    ) -> String {
        let line = line(of: node, on: tape)
        let isNested = tape[node].kind == .object || tape[node].kind == .array
        guard isNested, indent + line.count + reserve > width else { return line }
        let isObject = tape[node].kind == .object
        let end = tape.children(of: node).end
        var child = node + 1
        var parts: [String] = []
        while child < end {
            var part = ""
            if isObject {
                part = self.line(of: child, on: tape) + ": "
                child = tape.next(after: child)
            }
            let next = tape.next(after: child)
            part += text(
                of: child, on: tape, indent: indent + 1 + part.count,
                reserve: next < end ? 1 : reserve + 1)
            parts.append(part)
            child = next
        }
        let separator = ",\n" + String(repeating: " ", count: indent + 1)
        return (isObject ? "{" : "[") + parts.joined(separator: separator) + (isObject ? "}" : "]")
    }

    /// A value on one line.
    private func line(of node: Int, on tape: borrowing JSONTape) -> String {
        let entry = tape[node]
        switch entry.kind {
        case .null, .boolean, .number: return written(entry)
        case .string: return "\"" + written(entry) + "\""
        case .array, .object: break
        }
        let isObject = entry.kind == .object
        let end = tape.children(of: node).end
        var child = node + 1
        var text = isObject ? "{" : "["
        while child < end {
            if text.utf8.count > 1 { text += ", " }
            if isObject {
                text += line(of: child, on: tape) + ": "
                child = tape.next(after: child)
            }
            text += line(of: child, on: tape)
            child = tape.next(after: child)
        }
        return text + (isObject ? "}" : "]")
    }

    private func written(_ entry: JSONNode) -> String {
        let text = String(decoding: json[Int(entry.start)..<Int(entry.end)], as: UTF8.self)
        guard text.unicodeScalars.contains(where: Self.isControl) else { return text }
        var shown = ""
        for scalar in text.unicodeScalars {
            if Self.isControl(scalar) {
                let digits = String(scalar.value, radix: 16)
                shown += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    /// The control characters that JSON does not require to be escaped.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        (0x7F...0x9F).contains(scalar.value)
    }
}
