/// Makes the `apns-id` of a notification from its place in Kafka: UUID version 5 (RFC 9562, 5.5).
///
/// The name is `clusterID/topic/partition/offset/index`, numbers in decimal. Whoever reads the
/// record again, on whatever member, finds the same identifier.
public struct NotificationName: Sendable {
    /// The namespace of every identifier that follows from a record's place. It never changes.
    public static let namespace = NotificationID(
        high: 0x89D4_8FA1_637F_443E, low: 0x807D_1387_39FA_B133)

    private var name: [UInt8]
    private let prefixCount: Int

    /// Fixes the part of the name that the records of a partition share.
    /// `clusterID` is what the broker gives; `-` when it gives none.
    public init(clusterID: String, topicPartition: TopicPartition) {
        name = Self.bytes(of: Self.namespace)
        name.append(
            contentsOf: "\(clusterID)/\(topicPartition.topic)/\(topicPartition.partition)/".utf8)
        prefixCount = name.count
    }

    /// The identifier of one notification of the record at `offset`.
    public mutating func identifier(offset: Int64, index: Int) -> NotificationID {
        name.removeLast(name.count - prefixCount)
        name.appendDecimal(offset)
        name.append(UInt8(ascii: "/"))
        name.appendDecimal(Int64(index))
        return Self.version5(of: name)
    }

    /// The identifier of one of several notifications of an event that brought its own.
    public static func identifier(of own: NotificationID, index: Int) -> NotificationID {
        var name = bytes(of: own)
        name.appendDecimal(Int64(index))
        return version5(of: name)
    }

    /// The identifier of a notification of the record at `offset`: its own, or what follows from
    /// that or from the record's place.
    public mutating func identifier(
        of notification: borrowing Notification, offset: Int64
    ) -> NotificationID {
        let index = notification.index
        guard let own = notification.ownID else { return identifier(offset: offset, index: index) }
        return notification.isOneOfSeveral ? Self.identifier(of: own, index: index) : own
    }

    private static func version5(of name: [UInt8]) -> NotificationID {
        let (high, low) = SHA1.halves(of: name)
        return NotificationID(
            high: high & ~0xF000 | 0x5000,
            low: low & ~(0b11 << 62) | 0b10 << 62)
    }

    private static func bytes(of id: NotificationID) -> [UInt8] {
        (0..<16).map { index in
            UInt8(truncatingIfNeeded: (index < 8 ? id.high : id.low) >> (56 - 8 * (index % 8)))
        }
    }
}

extension [UInt8] {
    /// Appends a number in decimal.
    mutating func appendDecimal(_ number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        var digits: InlineArray<20, UInt8> = .init(repeating: 0)
        var first = 20
        repeat {
            first -= 1
            digits[first] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        } while rest > 0
        for index in first..<20 { append(digits[index]) }
    }
}
