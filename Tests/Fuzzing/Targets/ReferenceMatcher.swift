/// One element of a pattern's list, compared as simply as possible.
enum ReferenceMatcher {
    static func takes(_ matcher: Tree, _ value: Tree) -> Bool {
        switch (matcher, value) {
        case (.null, .null): return true
        case (.boolean(let left), .boolean(let right)): return left == right
        case (.text(let left), .text(let right)): return left.utf8.elementsEqual(right.utf8)
        case (.number(let left), .number(let right)): return compare(right, left) == 0
        case (.object(let members), _):
            guard let member = members.first else { return false }
            return takes(member.name, member.value, value)
        default: return false
        }
    }

    private static func takes(_ name: String, _ argument: Tree, _ value: Tree) -> Bool {
        if name == "exists" { return true }
        if name == "anything-but" {
            switch argument {
            case .array(let denied): return !denied.contains { takes($0, value) }
            case .object(let members):
                guard let member = members.first else { return true }
                return !any(member.value) { takes(member.name, $0, value) }
            default: return !takes(argument, value)
            }
        }
        if name == "numeric", case .array(let list) = argument, case .number(let number) = value {
            return stride(from: 0, to: list.count, by: 2).allSatisfy {
                guard case .text(let sign) = list[$0], case .number(let limit) = list[$0 + 1] else {
                    return false
                }
                let order = compare(number, limit)
                return sign.contains("<") && order < 0 || sign.contains("=") && order == 0
                    || sign.contains(">") && order > 0
            }
        }
        guard case .text(let text) = value else { return false }
        if case .object(let members) = argument, let texts = members.first?.value {
            return any(texts) { takes(name, .text(folded($0)), .text(folded(text))) }
        }
        return any(argument) { compare(name, $0, text) }
    }

    private static func any(_ argument: Tree, _ body: (Tree) -> Bool) -> Bool {
        if case .array(let elements) = argument { return elements.contains(where: body) }
        return body(argument)
    }

    private static func folded(_ value: Tree) -> String {
        if case .text(let text) = value { folded(text) } else { "" }
    }

    private static func folded(_ text: String) -> String {
        text.lowercased().uppercased().lowercased()
    }

    private static func compare(_ name: String, _ argument: Tree, _ text: String) -> Bool {
        guard case .text(let wanted) = argument else { return false }
        switch name {
        case "prefix": return text.utf8.starts(with: wanted.utf8)
        case "suffix": return text.utf8.reversed().starts(with: wanted.utf8.reversed())
        case "equals-ignore-case": return folded(text).utf8.elementsEqual(folded(wanted).utf8)
        case "wildcard": return isWild(Array(wanted.utf8)[...], Array(text.utf8)[...])
        default: return false
        }
    }

    /// With a table of which prefixes of the wildcard match the text so far.
    private static func isWild(_ wildcard: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
        var tokens: [UInt8?] = []
        var rest = wildcard
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\") {
                tokens.append(rest.popFirst())
            } else {
                tokens.append(byte == UInt8(ascii: "*") ? nil : byte)
            }
        }
        var row = [true]
        for token in tokens { row.append(row[row.count - 1] && token == nil) }
        for byte in text {
            var next = [false]
            for (index, token) in tokens.enumerated() {
                next.append(
                    token == nil ? next[index] || row[index + 1] : row[index] && token == byte)
            }
            row = next
        }
        return row[tokens.count]
    }

    /// Compares all digits.
    private static func compare(_ left: String, _ right: String) -> Int {
        let (a, b) = (Digits(left), Digits(right))
        let locations = max(a.locations, b.locations)
        let (x, y) = (a.padded(locations), b.padded(locations))
        let width = max(x.count, y.count)
        let difference = zip(
            [Int](repeating: 0, count: width - x.count) + x,
            [Int](repeating: 0, count: width - y.count) + y
        ).map { $0 * a.sign - $1 * b.sign }
        // Both of one sign, or one is zero, or the signs decide: the first difference does.
        return difference.first { $0 != 0 } ?? 0
    }

    private struct Digits {
        var sign: Int
        var digits: [Int] = []
        var locations = 0

        init(_ token: String) {
            sign = token.hasPrefix("-") ? -1 : 1
            let parts = token.lowercased().split(separator: "e")
            var isFraction = false
            for character in parts[0] {
                if character == "." { isFraction = true }
                guard let digit = character.wholeNumberValue else { continue }
                digits.append(digit)
                if isFraction { locations += 1 }
            }
            locations -= parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        }

        func padded(_ wanted: Int) -> [Int] {
            digits + [Int](repeating: 0, count: wanted - locations)
        }
    }
}
