internal import JSON
internal import TimeZones

extension Evaluator {
    /// A time formatted in a zone; absent when the zone is absent.
    mutating func date(
        _ value: Value, _ format: MappingPlan.Piece, _ zone: MappingPlan.Run, _ hole: Int32,
        in bytes: RawSpan
    ) throws(MappingFault) -> Value {
        let time = try time(value, hole, in: bytes)
        let name = try first(of: zone, hole: hole, in: bytes)
        if case .absent = name { return .absent }
        takeWork(of: try text(name, for: .date, hole, in: bytes))
        guard let number = zones.zone(named: work) else {
            throw MappingFault(cause: .invalid(.zone), hole: hole)
        }
        // Rounded down, even before 1970.
        let seconds = time >= 0 ? time / 1000 : -((999 - time) / 1000)
        let start = scratch.count
        DateFormat.append(
            plan.constants, Int(format.start), Int(format.end),
            zones.localTime(of: number, at: seconds), seconds, to: &scratch)
        return .text(piece(from: start))
    }

    /// Milliseconds since 1970, for everything that `expiration` accepts and for times before 1970.
    private mutating func time(
        _ value: Value, _ hole: Int32, in bytes: RawSpan
    ) throws(MappingFault) -> Int64 {
        // The record's own timestamp is in milliseconds, however small it is.
        if case .time(let time) = value { return time }
        if case .node(let node) = value, tape[node].kind == .array {
            guard let time = TimeText.milliseconds(parts: integers(of: node, in: bytes)) else {
                throw MappingFault(cause: .invalid(.time), hole: hole)
            }
            return time
        }
        let shape = shape(of: value)
        guard shape == .number || shape == .text else { throw refused(value, by: .date, hole) }
        takeWork(of: copy(value, in: bytes))
        if let time = TimeText.instant(work) { return time }
        let isNumber = DecimalNumber.isJSONNumber(work, 0, work.count)
        throw MappingFault(cause: .invalid(isNumber ? .timeRange : .time), hole: hole)
    }

    /// Copies a string from the scratch buffer to the work buffer.
    private mutating func takeWork(of piece: TextPiece) {
        work.removeAll(keepingCapacity: true)
        work.append(scratch, from: piece.start, to: piece.end)
    }
}
