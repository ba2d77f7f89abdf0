/// Names a result record while Kafka has it in hand: its push, and which of its records it is.
package struct Ticket: Equatable, Sendable, BitwiseCopyable {
    /// The push that owes the record.
    package let push: PushID
    /// One kind.
    package let kind: ResultKinds

    init(_ push: PushID, _ kind: ResultKinds) {
        self.push = push
        self.kind = kind
    }

    /// Reads what ``rawValue`` was.
    package init(rawValue: UInt64) {
        push = PushID(rawValue: rawValue >> 4)
        kind = ResultKinds(rawValue: UInt8(rawValue & 15))
    }

    /// The opaque value that goes with the record.
    package var rawValue: UInt64 { push.rawValue << 4 | UInt64(kind.rawValue) }
}
