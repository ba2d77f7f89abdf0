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
