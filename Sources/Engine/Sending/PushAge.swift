/// How new a push is among those that replace each other on a device.
///
/// With `delivery.supersede: backlog` a push of a Live Activity has the timestamp of its payload,
/// in seconds, which devices compare, too; or when it was taken, if it has none. Any other push has
/// 0. Equal ones are ordered by when their records were taken.
struct PushAge: Comparable, Sendable {
    var timestamp: Int64 = 0
    var sequence: UInt64

    static func < (left: Self, right: Self) -> Bool {
        left.timestamp == right.timestamp
            ? left.sequence < right.sequence : left.timestamp < right.timestamp
    }
}
