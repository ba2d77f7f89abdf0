public import Mapping

/// What a record becomes, determined without sending anything.
public struct RenderedRecord: Sendable {
    /// True when `when` did not match: there is nothing to send and nothing to report.
    public var isSkipped: Bool
    /// The notifications, in order.
    public var notifications: [RenderedNotification]
    /// Which condition of `when` did not hold, one string per line; empty unless it is skipped.
    public var explanation: [String] = []
    /// The texts that were cut.
    public var cuts: [Cut] = []

    /// The elements of `for_each` that match no block although others do, one string per list.
    public var unmatchedElements: [String] = []

    /// Creates a rendered record.
    public init(isSkipped: Bool, notifications: [RenderedNotification]) {
        self.isSkipped = isSkipped
        self.notifications = notifications
    }
}
