package import Delivery
internal import EventLoop
internal import JSON
internal import Mapping

/// The strings of a push, which are stored in the memory of its record.
extension Engine {
    /// Calls `body` with a push as it is sent, and its `apns-id`, in memory that the next one
    /// reuses.
    package mutating func withNotification<Result, Failure: Error>(
        of id: PushID,
        _ body: (borrowing Notification, NotificationID) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        outgoing.value.fill(from: pushes[id], pushes[recordOf: id].stored, bundleIDs)
        return try outgoing.value.with(body)
    }
}

/// The push that a connection is about to send, in buffers that are reused.
struct OutgoingPush: ~Copyable {
    private(set) var notification = Notification()
    private(set) var id = NotificationID(high: 0, low: 0)
    /// The app whose bundle identifier it has; nil when it has its own, or none.
    private var bundleApp: AppID?

    /// Passes the push to `body`. Mutating, because it would be copied otherwise.
    mutating func with<Result, Failure: Error>(
        _ body: (borrowing Notification, NotificationID) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(notification, id)
    }

    /// Fills in a push, whose strings are in the memory of its record.
    mutating func fill(
        from push: borrowing Push, _ stored: borrowing RecordCopy, _ bundleIDs: [[UInt8]]
    ) {
        let (content, app) = (push.content, push.app)
        id = push.id
        notification.app = app.index
        notification.index = Int(push.index)
        notification.destination.kind = push.destination
        notification.pushType = push.pushType
        notification.priority = push.priority
        notification.expiration = push.expiration
        notification.expiresAt = push.expiresAt
        notification.eventTime = push.eventTime
        stored.withDestination(content) { notification.destination.identifier.replace(with: $0) }
        stored.withCollapseID(content) { notification.collapseID.replace(with: $0) }
        if content.bundleCount != 0 || app != bundleApp {
            stored.readBundleID(of: app, content, bundleIDs, into: &notification.bundleID)
            bundleApp = content.bundleCount == 0 ? app : nil
        }
        stored.withPayload(content) { notification.payload.replace(with: $0) }
    }
}

extension RecordCopy {
    func withDestination<Result>(_ content: Push.Content, _ body: (RawSpan) -> Result) -> Result {
        withBytes(at: content.start, count: Int(content.destinationCount), body)
    }

    func withCollapseID<Result>(_ content: Push.Content, _ body: (RawSpan) -> Result) -> Result {
        withBytes(
            at: content.start + content.destinationCount, count: Int(content.collapseCount), body)
    }

    /// Reads the bundle identifier of a push: its own, its app's, or none.
    func readBundleID(
        of app: AppID, _ content: Push.Content, _ bundleIDs: [[UInt8]],
        into bundleID: inout [UInt8]
    ) {
        if content.bundleCount == 0, bundleIDs.indices.contains(app.index) {
            bundleID.replace(with: bundleIDs[app.index])
        } else if content.bundleCount == 0 || content.bundleCount == Push.Content.noBundleID {
            bundleID.removeAll(keepingCapacity: true)
        } else {
            let start = content.start + content.destinationCount + UInt32(content.collapseCount)
            withBytes(at: start, count: Int(content.bundleCount)) { bundleID.replace(with: $0) }
        }
    }

    /// Calls `body` with a push's own bundle identifier; empty without one.
    func withOwnBundleID<Result>(_ content: Push.Content, _ body: (RawSpan) -> Result) -> Result {
        let hasOwn = content.bundleCount != 0 && content.bundleCount != Push.Content.noBundleID
        let start = content.start + content.destinationCount + UInt32(content.collapseCount)
        return withBytes(at: start, count: hasOwn ? Int(content.bundleCount) : 0, body)
    }

    /// The labels of a push as a JSON object; nil without any.
    func copyLabels(_ content: Push.Content) -> [UInt8]? {
        guard content.labelsCount > 0 else { return nil }
        var labels: [UInt8] = []
        withLabels(content) { labels.replace(with: $0) }
        return labels
    }

    func withLabels<Result>(_ content: Push.Content, _ body: (RawSpan) -> Result) -> Result {
        withBytes(
            at: content.payloadStart + content.payloadCount, count: Int(content.labelsCount), body)
    }

    func withPayload<Result>(_ content: Push.Content, _ body: (RawSpan) -> Result) -> Result {
        withBytes(at: content.payloadStart, count: Int(content.payloadCount), body)
    }
}
