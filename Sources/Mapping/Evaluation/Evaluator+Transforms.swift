internal import JSON

extension Evaluator {
    /// Applies a transform to a present value.
    mutating func apply(
        _ transform: MappingPlan.Transform, to value: Value, hole: Int32, in bytes: RawSpan
    ) throws(MappingFault) -> Value {
        switch transform {
        case .standIn: return value
        case .upper: return .text(cased(try text(value, for: .upper, hole, in: bytes), upper: true))
        case .lower:
            return .text(cased(try text(value, for: .lower, hole, in: bytes), upper: false))
        case .trim: return .text(trimmed(try text(value, for: .trim, hole, in: bytes)))
        case .truncate(let count):
            return .text(try truncate(value, to: Int(count), hole, in: bytes))
        case .nonempty:
            let piece = try text(value, for: .nonempty, hole, in: bytes)
            return piece.start == piece.end ? .absent : .text(piece)
        case .text:
            switch shape(of: value) {
            case .object, .array: throw refused(value, by: .text, hole)
            default: return .text(copy(value, in: bytes))
            }
        case .json: return .text(json(value, in: bytes))
        case .parse: return .text(try parse(value, hole, in: bytes))
        case .language:
            let tag = try text(value, for: .language, hole, in: bytes)
            work.removeAll(keepingCapacity: true)
            LanguageTag.append(of: scratch, from: tag.start, to: tag.end, to: &work)
            return .text(takeWork())
        case .hex: return try hex(value, hole, in: bytes)
        case .number: return try number(value, hole, in: bytes)
        case .fixed(let digits):
            return try decimal(value, for: .fixed, hole, in: bytes) { $0.fixed(Int(digits)) }
        case .shift(let locations):
            return try decimal(value, for: .shift, hole, in: bytes) { $0.shifted(Int(locations)) }
        case .plus(let other):
            return try sum(value, for: .plus, hole, in: bytes) {
                $0.addingReportingOverflow(other)
            }
        case .minus(let other):
            return try sum(value, for: .minus, hole, in: bytes) {
                $0.subtractingReportingOverflow(other)
            }
        case .replace(let old, let new, let borders):
            let whole = try text(value, for: .replace, hole, in: bytes)
            return .text(replaced(whole, old, borders, by: new))
        case .length: return try length(value, hole, in: bytes)
        case .join(let separator): return try join(value, separator, hole, in: bytes)
        case .date(let format, let zone):
            return try date(value, format, zone, hole, in: bytes)
        case .map(let choices): return try map(value, choices, hole, in: bytes)
        }
    }

    /// The JSON type of a present value, whatever its origin.
    func shape(of value: Value) -> ValueShape {
        switch value {
        case .text, .absent: .text
        case .number, .time: .number
        case .boolean: .boolean
        case .everyElement: .array
        case .node(let node): shape(ofNode: node)
        }
    }

    func shape(ofNode node: Int) -> ValueShape {
        switch tape[node].kind {
        case .string: .text
        case .number: .number
        case .boolean: .boolean
        case .array: .array
        case .object: .object
        case .null: .null
        }
    }

    func refused(_ value: Value, by name: TransformName, _ hole: Int32) -> MappingFault {
        MappingFault(cause: .refused(by: name, shape(of: value)), hole: hole)
    }

    /// Copies a string to the end of the scratch buffer; rejects everything else.
    mutating func text(
        _ value: Value, for name: TransformName, _ hole: Int32, in bytes: RawSpan
    ) throws(MappingFault) -> TextPiece {
        guard shape(of: value) == .text else { throw refused(value, by: name, hole) }
        return copy(value, in: bytes)
    }

    /// Copies a scalar as a string to the end of the scratch buffer.
    mutating func copy(_ value: Value, in bytes: RawSpan) -> TextPiece {
        let start = scratch.count
        switch value {
        case .text(let piece), .number(let piece):
            if piece.isConstant {
                scratch.append(plan.constants, from: piece.start, to: piece.end)
            } else {
                for index in piece.start..<piece.end { scratch.append(scratch[index]) }
            }
        case .boolean(let value): scratch.appendASCII(value ? "true" : "false")
        case .time(let number): scratch.appendDecimal(number)
        case .node(let node): append(scalar: node, in: bytes)
        case .everyElement, .absent: break
        }
        spend(scratch.count - start)
        return piece(from: start)
    }

    /// Appends a scalar of the event as a string to the scratch buffer.
    mutating func append(scalar node: Int, in bytes: RawSpan) {
        switch tape[node].kind {
        case .string: scratch.appendText(of: node, on: tape, in: bytes)
        case .number, .boolean: scratch.appendJSON(of: node, on: tape, in: bytes)
        case .object, .array, .null: break
        }
    }

    /// The value as a string of compact JSON.
    private mutating func json(_ value: Value, in bytes: RawSpan) -> TextPiece {
        switch value {
        case .node(let node):
            let start = scratch.count
            scratch.appendJSON(of: node, on: tape, in: bytes)
            spend(scratch.count - start)
            return piece(from: start)
        case .everyElement(let array, let rest):
            let start = scratch.count
            scratch.append(UInt8(ascii: "["))
            var next = firstElement(of: array, rest, in: bytes)
            while let found = next {
                if scratch.count > start + 1 { scratch.append(UInt8(ascii: ",")) }
                scratch.appendJSON(of: found.node, on: tape, in: bytes)
                next = element(behind: found, rest, in: bytes)
            }
            scratch.append(UInt8(ascii: "]"))
            spend(scratch.count - start)
            return piece(from: start)
        case .text:
            let text = copy(value, in: bytes)
            work.removeAll(keepingCapacity: true)
            work.append(UInt8(ascii: "\""))
            work.appendJSONText(scratch, from: text.start, to: text.end)
            work.append(UInt8(ascii: "\""))
            return takeWork()
        default: return copy(value, in: bytes)
        }
    }

    /// Moves the content of the work buffer to the end of the scratch buffer.
    mutating func takeWork() -> TextPiece {
        let start = scratch.count
        scratch.append(work, from: 0, to: work.count)
        spend(work.count)
        return piece(from: start)
    }

    /// Looks up a value in a list of pairs.
    private mutating func map(
        _ value: Value, _ choices: MappingPlan.Run, _ hole: Int32, in bytes: RawSpan
    ) throws(MappingFault) -> Value {
        let shape = shape(of: value)
        if shape == .array || shape == .object { throw refused(value, by: .map, hole) }
        let written = copy(value, in: bytes)
        for index in choices.start..<choices.end {
            let choice = plan.choices[Int(index)]
            guard isMatch(choice.key, shape, written) else { continue }
            return try first(of: choice.value, hole: hole, in: bytes)
        }
        return .absent
    }

    /// True when a value matches the key of a pair: strings by their bytes, numbers by value.
    private mutating func isMatch(
        _ key: MappingPlan.Operand?, _ shape: ValueShape, _ written: TextPiece
    ) -> Bool {
        switch (key, shape) {
        case (nil, _): return true
        case (.text(let piece), .text):
            guard Int(piece.end - piece.start) == written.end - written.start else { return false }
            let shift = written.start - Int(piece.start)
            for index in Int(piece.start)..<Int(piece.end)
            where plan.constants[index] != scratch[index + shift] { return false }
            return true
        case (.number(let piece), .number):
            spend(written.end - written.start)
            guard workLeft >= 0 else { return false }
            work.removeAll(keepingCapacity: true)
            work.append(scratch, from: written.start, to: written.end)
            return JSONNumber.compare(
                work, plan.constants, from: Int(piece.start), to: Int(piece.end)) == 0
        case (.boolean(let wanted), .boolean):
            return wanted == (scratch[written.start] == UInt8(ascii: "t"))
        default: return false
        }
    }
}
