/// The identifiers of a partition's notifications, which are mostly asked for in the order of their
/// offsets: those of four records are then computed together.
public struct PartitionNames: Sendable {
    private let name: NotificationName
    /// The latest offset that an identifier was derived from.
    private var latest = Int64.min
    /// The identifiers of the records at `first` and the three offsets after it.
    private var group = InlineArray<4, NotificationID>(repeating: NotificationID(high: 0, low: 0))
    private var first = Int64.min

    /// Derives identifiers from `name`.
    public init(_ name: NotificationName) { self.name = name }

    /// The identifier of a notification of the record at `offset`: its own, or one derived from
    /// that or from the offset. It is given in parts, because a caller would copy all of it.
    public mutating func identifier(
        index: Int, own: NotificationID?, isOneOfSeveral: Bool, offset: Int64
    ) -> NotificationID {
        if let own {
            return isOneOfSeveral ? NotificationName.identifier(of: own, index: index) : own
        }
        guard index == 0 else { return name.identifier(offset: offset, index: index) }
        return identifier(offset: offset)
    }

    /// The identifier of the only notification of the record at `offset`.
    private mutating func identifier(offset: Int64) -> NotificationID {
        let isNext = offset == latest &+ 1 && offset <= Int64.max - 4
        latest = offset
        // Without a group the difference is larger: no offset is negative.
        if UInt64(bitPattern: offset &- first) >= 4 {
            guard isNext else { return name.identifier(offset: offset, index: 0) }
            group = name.identifiers(from: offset)
            first = offset
        }
        return group[Int(offset - first)]
    }
}
