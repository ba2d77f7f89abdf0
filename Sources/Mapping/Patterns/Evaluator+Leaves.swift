internal import JSON

extension Evaluator {
    /// True when one of a leaf's matchers accepts a value that is not an array.
    mutating func takes(
        _ leaf: PatternTable.Leaf, _ value: PatternValue, in bytes: RawSpan
    ) -> Bool {
        guard let kind = prepare(value, for: leaf.needs, in: bytes) else { return false }
        for index in leaf.matchers.start..<leaf.matchers.end {
            if takes(Int(index), kind, value, in: bytes) { return true }
        }
        return false
    }

    /// Prepares a value's string or digits in `token` and `folded`; nil if it is not a leaf.
    private mutating func prepare(
        _ value: PatternValue, for needs: LeafNeeds, in bytes: RawSpan
    ) -> LeafKind? {
        switch value {
        case .absent: return nil
        case .unreadable: return .unreadable
        case .number(let number):
            token.removeAll(keepingCapacity: true)
            token.appendDecimal(number)
            return .number
        case .text(let piece):
            token.removeAll(keepingCapacity: true)
            token.append(scratch, from: piece.start, to: piece.end)
        case .node(let node):
            switch tape[node].kind {
            case .object, .array: return nil
            case .null: return .null
            case .boolean: return .boolean
            case .number:
                guard needs.contains(.number) else { return .number }
                token.removeAll(keepingCapacity: true)
                token.appendJSON(of: node, on: tape, in: bytes)
                return .number
            case .string:
                guard needs.contains(.copy) else { return .text }
                token.removeAll(keepingCapacity: true)
                token.appendText(of: node, on: tape, in: bytes)
            }
        }
        if needs.contains(.folded) {
            folded.removeAll(keepingCapacity: true)
            folded.appendFolded(token)
        }
        return .text
    }

    private mutating func takes(
        _ matcher: Int, _ kind: LeafKind, _ value: PatternValue, in bytes: RawSpan
    ) -> Bool {
        switch plan.patterns.matchers[matcher] {
        case .anything: return true
        case .null: return kind == .null
        case .boolean(let wanted):
            guard kind == .boolean, case .node(let node) = value else { return false }
            return tape.isTrue(node, in: bytes) == wanted
        case .number(let piece): return kind == .number && compare(with: piece) == 0
        case .numeric(let run): return kind == .number && isTaken(by: run)
        case .version(let run):
            return (kind == .text || kind == .number) && isVersionTaken(by: run)
        case .anythingBut(let run):
            for index in run.start..<run.end where takes(Int(index), kind, value, in: bytes) {
                return false
            }
            return true
        case .text(let piece):
            guard case .node(let node) = value else {
                return kind == .text && isEqual(token, piece)
            }
            return tape.isText(
                node, plan.constants, from: Int(piece.start), to: Int(piece.end), in: bytes)
        case .equalIgnoringCase(let piece): return kind == .text && isEqual(folded, piece)
        case .prefix(let piece, let ignoresCase):
            return kind == .text && stands(piece, in: ignoresCase ? folded : token, atEnd: false)
        case .suffix(let piece, let ignoresCase):
            return kind == .text && stands(piece, in: ignoresCase ? folded : token, atEnd: true)
        case .wildcard(let index):
            return kind == .text && plan.patterns.wildcards[Int(index)].matches(token)
        case .addresses(let range):
            guard kind == .text, let address = Address(token, from: 0, to: token.count) else {
                return false
            }
            return range.contains(address)
        }
    }

    private mutating func isEqual(_ text: [UInt8], _ piece: MappingPlan.Piece) -> Bool {
        text.count == Int(piece.end - piece.start) && stands(piece, in: text, atEnd: false)
    }

    private mutating func stands(
        _ piece: MappingPlan.Piece, in text: [UInt8], atEnd: Bool
    ) -> Bool {
        let count = Int(piece.end - piece.start)
        guard text.count >= count else { return false }
        let start = atEnd ? text.count - count : 0
        for index in 0..<count
        where text[start + index] != plan.constants[Int(piece.start) + index] {
            return false
        }
        return true
    }

    /// Compares the number in `token` with a number of the pattern, as `token - piece`.
    private mutating func compare(with piece: MappingPlan.Piece) -> Int {
        JSONNumber.compare(token, plan.constants, from: Int(piece.start), to: Int(piece.end))
    }

    private mutating func isVersionTaken(by run: MappingPlan.Run) -> Bool {
        guard let version = VersionText(token, from: 0, to: token.count) else { return false }
        for index in run.start..<run.end {
            let comparison = plan.patterns.comparisons[Int(index)]
            let piece = comparison.number
            guard
                let other = VersionText(plan.constants, from: Int(piece.start), to: Int(piece.end)),
                comparison.takes(
                    version.compare(in: token, with: other, in: plan.constants))
            else { return false }
        }
        return true
    }

    private mutating func isTaken(by run: MappingPlan.Run) -> Bool {
        for index in run.start..<run.end {
            let comparison = plan.patterns.comparisons[Int(index)]
            guard comparison.takes(compare(with: comparison.number)) else { return false }
        }
        return true
    }
}

/// The kind of a value, as a leaf's matchers see it.
enum LeafKind: BitwiseCopyable {
    case null, boolean, number, text, unreadable
}

extension PatternTable.Comparison {
    /// True when the comparison accepts less, equal or greater, given by the sign of `order`.
    func takes(_ order: Int) -> Bool {
        order < 0 ? takesLess : order == 0 ? takesEqual : takesGreater
    }
}
