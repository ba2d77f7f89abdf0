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
    public var place: MappingPlace?
    /// The length of the whole text.
    public var before: Int
    /// The length that is left, with the ellipsis.
    public var after: Int
    /// How both are counted.
    public var unit: Unit

    /// What was cut and by how much, without a full stop.
    public var words: String {
        let reason = unit == .bytes ? ", so that the payload fits" : ""
        return "\(written) was cut from \(before) to \(after) \(unit.rawValue)\(reason)"
    }
}

extension Evaluator {
    /// Applies `truncate`, and notes what it cuts off.
    mutating func notingCut(
        of piece: TextPiece, to count: Int, hole: Int32
    ) -> TextPiece {
        let text = String(decoding: scratch[piece.start..<piece.end], as: UTF8.self)
        let result = truncated(piece, to: count)
        guard hole >= 0, text.count > count else { return result }
        let origin = plan.holeOrigins[Int(hole)]
        note(
            Cut(
                written: origin.written, place: origin.place, before: text.count, after: count,
                unit: .characters))
        return result
    }

    /// Several notifications may have the same text.
    mutating func note(_ cut: Cut) {
        if !cuts.contains(cut) { cuts.append(cut) }
    }
}
