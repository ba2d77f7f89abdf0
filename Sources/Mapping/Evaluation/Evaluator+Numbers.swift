internal import JSON

extension Evaluator {
    /// A number as it is, or a string that contains one.
    mutating func number(
        _ value: Value, _ hole: Int32, in bytes: RawSpan
    ) throws(MappingFault) -> Value {
        switch shape(of: value) {
        case .number: return value
        case .text: break
        default: throw refused(value, by: .number, hole)
        }
        let piece = copy(value, in: bytes)
        guard DecimalNumber.isJSONNumber(scratch, piece.start, piece.end) else {
            throw MappingFault(cause: .invalid(.number), hole: hole)
        }
        return .number(piece)
    }

    /// A whole number of at most 64 bits; nil for any other number.
    mutating func integer(_ value: Value, in bytes: RawSpan) -> Int64? {
        switch value {
        case .time(let number): number
        case .node(let node): tape.integer(of: node, in: bytes)
        case .number(let piece):
            piece.isConstant
                ? JSONNumber.integer(plan.constants, from: piece.start, to: piece.end)
                : JSONNumber.integer(scratch, from: piece.start, to: piece.end)
        case .absent, .everyElement, .text, .boolean: nil
        }
    }

    /// A number such as `5.0`.
    private mutating func wholeNumber(_ value: Value, in bytes: RawSpan) -> Int64? {
        let piece = copy(value, in: bytes)
        return WholeNumber.read(Array(scratch[piece.start..<piece.end]))
    }

    /// A whole number with another one added or subtracted.
    mutating func sum(
        _ value: Value, for name: TransformName, _ hole: Int32, in bytes: RawSpan,
        _ compute: (Int64) -> (partialValue: Int64, overflow: Bool)
    ) throws(MappingFault) -> Value {
        guard shape(of: value) == .number else { throw refused(value, by: name, hole) }
        guard let number = integer(value, in: bytes) ?? wholeNumber(value, in: bytes) else {
            let piece = copy(value, in: bytes)
            let isWhole = scratch[piece.start..<piece.end].allSatisfy {
                $0 &- UInt8(ascii: "0") < 10 || $0 == UInt8(ascii: "-")
            }
            throw MappingFault(
                cause: .invalid(isWhole ? .integerRange : .wholeNumber), hole: hole)
        }
        let (result, isTooLarge) = compute(number)
        guard !isTooLarge else {
            throw MappingFault(cause: .invalid(.integerRange), hole: hole)
        }
        // The record's own timestamp remains one: milliseconds, however small.
        if case .time = value { return .time(result) }
        let start = scratch.count
        scratch.appendDecimal(result)
        return .number(piece(from: start))
    }

    /// Applies an operation to the decimal digits of a number.
    mutating func decimal(
        _ value: Value, for name: TransformName, _ hole: Int32, in bytes: RawSpan,
        _ compute: (inout DecimalNumber) -> Bool
    ) throws(MappingFault) -> Value {
        guard shape(of: value) == .number else { throw refused(value, by: name, hole) }
        let piece = copy(value, in: bytes)
        // Moved in and out, so that the digits need no separate allocation.
        var buffer: [UInt8] = []
        swap(&buffer, &work)
        var number = DecimalNumber(scratch, piece.start, piece.end, digits: consume buffer)
        let fits = compute(&number)
        let start = scratch.count
        if fits { number.append(to: &scratch) }
        work = number.digits
        guard fits else { throw MappingFault(cause: .invalid(.tooManyDigits), hole: hole) }
        return .number(self.piece(from: start))
    }
}
