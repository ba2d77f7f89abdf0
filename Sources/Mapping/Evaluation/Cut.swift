/// A text that was cut for the last record.
public struct Cut: Equatable, Sendable {
    /// How its length is counted.
    public enum Unit: String, Sendable {
        /// Of a payload that is too large.
        case bytes
        /// By the transform `truncate`.
        case characters
    }

    /// The template as written, from `${` to `}`, or the path in the payload.
    public var written: String
    /// The position of the template, or of `policy`, in the file; nil if it is not written there.
    public var location: MappingLocation?
    /// The length of the whole text.
    public var before: Int
    /// The length that is left, with the ellipsis.
    public var after: Int
    /// How both are counted.
    public var unit: Unit

    /// What was cut and by how much, without a full stop.
    public var message: String {
        let reason = unit == .bytes ? ", so that the payload fits" : ""
        return "\(written) was cut from \(before) to \(after) \(unit.rawValue)\(reason)"
    }
}

extension Evaluator {
    /// Notes what `truncate` cuts off a string.
    mutating func noteCut(
        of value: Value, to count: Int, _ hole: Int32, in bytes: RawSpan
    ) throws(MappingFault) {
        let work = workLeft
        let whole = try text(value, for: .truncate, hole, in: bytes)
        let before = Graphemes.count(scratch, whole.start, whole.end)
        scratch.removeLast(scratch.count - whole.start)
        workLeft = work
        guard hole >= 0, before > count else { return }
        let origin = plan.holeOrigins[Int(hole)]
        note(
            Cut(
                written: origin.written, location: origin.location, before: before, after: count,
                unit: .characters))
    }

    /// Several notifications may have the same text.
    mutating func note(_ cut: Cut) {
        if !cuts.contains(cut) { cuts.append(cut) }
    }
}
