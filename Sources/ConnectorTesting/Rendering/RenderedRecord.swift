/// What a record makes, examined without sending anything.
public struct RenderedRecord: Sendable {
    /// True when `when` did not match: there is nothing to send and nothing to report.
    public var isFiltered: Bool
    /// One for each notification, in order.
    public var notifications: [RenderedNotification]
    /// Which condition of `when` did not hold, line by line; empty unless it is filtered.
    public var explanation: [String] = []

    /// Puts the parts together.
    public init(isFiltered: Bool, notifications: [RenderedNotification]) {
        self.isFiltered = isFiltered
        self.notifications = notifications
    }
}
