/// Derives the `apns-id` of a notification from its record's offset: UUID version 5 (RFC 9562,
/// 5.5).
///
/// The name is `clusterID/group/topic/partition/offset/index`, with decimal numbers. Any member of
/// the group that reads the record again derives the same identifier; another group derives others.
public struct NotificationName: Sendable {
    /// The namespace of all identifiers derived from offsets. It never changes.
    public static let namespace = NotificationID(
        high: 0x89D4_8FA1_637F_443E, low: 0x807D_1387_39FA_B133)

    /// The digest of the part of the name shared by all records of a partition.
    private let prefix: SHA1

    /// Sets the part of the name shared by all records of a partition. `clusterID` is the broker's;
    /// `-` when it has none.
    public init(clusterID: String, group: String, topicPartition: TopicPartition) {
        var prefix = Self.begin(Self.namespace)
        let position = "\(topicPartition.topic)/\(topicPartition.partition)"
        for byte in "\(clusterID)/\(group)/\(position)/".utf8 { prefix.append(byte) }
        self.prefix = prefix
    }

    /// The identifier of one notification of the record at `offset`.
    public func identifier(offset: Int64, index: Int) -> NotificationID {
        var name = prefix
        name.append(decimal: offset)
        name.append(UInt8(ascii: "/"))
        name.append(decimal: Int64(index))
        return Self.version5(name.halves())
    }

    /// The identifiers of the only notifications of four records, the first of them at `offset`.
    func identifiers(from offset: Int64) -> InlineArray<4, NotificationID> {
        var names = InlineArray<4, SHA1>(repeating: prefix)
        names[0].append(decimal: offset)
        // Mostly the numbers differ in their last digit alone.
        let isLastDigit = offset >= 0 && offset % 10 <= 6
        let last = isLastDigit ? names[0].lastSlot : nil
        for position in 1..<4 {
            if let last {
                names[position] = names[0]
                names[position].raise(at: last, by: UInt32(position))
            } else {
                names[position].append(decimal: offset + Int64(position))
            }
        }
        for position in 0..<4 {
            names[position].append(UInt8(ascii: "/"))
            names[position].append(UInt8(ascii: "0"))
        }
        let digests = SHA1.halves(of: names)
        return InlineArray { Self.version5(digests[$0]) }
    }

    /// The identifier of one of several notifications of an event with its own `apns_id`.
    public static func identifier(of own: NotificationID, index: Int) -> NotificationID {
        var name = begin(own)
        name.append(decimal: Int64(index))
        return version5(name.halves())
    }

    /// The identifier of a notification of the record at `offset`: its own, or one derived from
    /// that or from the offset.
    @inlinable
    public func identifier(
        of notification: borrowing Notification, offset: Int64
    ) -> NotificationID {
        let index = notification.index
        guard let own = notification.ownID else { return identifier(offset: offset, index: index) }
        return notification.isOneOfSeveral ? Self.identifier(of: own, index: index) : own
    }

    private static func version5(_ digest: SHA1.Halves) -> NotificationID {
        NotificationID(
            high: digest.high & ~0xF000 | 0x5000,
            low: digest.low & ~(0b11 << 62) | 0b10 << 62)
    }

    /// Starts a name in a namespace.
    private static func begin(_ namespace: NotificationID) -> SHA1 {
        var name = SHA1()
        for half in [namespace.high, namespace.low] {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                name.append(UInt8(truncatingIfNeeded: half >> shift))
            }
        }
        return name
    }
}
