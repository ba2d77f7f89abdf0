/// Identifies a result record that Kafka has not acknowledged: its push and its kind.
package struct Ticket: Equatable, Sendable, BitwiseCopyable {
    /// The push that owes the record.
    package let push: PushID
    /// The kind of the record.
    package let kind: ResultKinds

    init(_ push: PushID, _ kind: ResultKinds) {
        self.push = push
        self.kind = kind
    }

    /// Restores a ticket from its ``rawValue``.
    package init(rawValue: UInt64) {
        push = PushID(rawValue: rawValue >> 4)
        kind = ResultKinds(rawValue: UInt8(rawValue & 15))
    }

    /// The opaque value of the record in librdkafka.
    package var rawValue: UInt64 { push.rawValue << 4 | UInt64(kind.rawValue) }
}
