public import APNs
internal import Delivery

extension RenderedRecord {
    /// The same notifications for other devices: each that differs in more than its device token
    /// goes once to each of them, with an identifier of its own.
    ///
    /// What is dropped stays as it is.
    public func redirected(to deviceTokens: [[UInt8]], now: Int64) -> RenderedRecord {
        var templates: [RenderedNotification] = []
        var found: [RenderedNotification] = []
        for rendered in notifications {
            guard case .send = rendered.verdict else {
                found.append(rendered)
                continue
            }
            if templates.contains(where: { $0.notification.isLike(rendered.notification) }) {
                continue
            }
            templates.append(rendered)
            for (index, token) in deviceTokens.enumerated() {
                var notification = rendered.notification
                notification.destination = Destination()
                notification.destination.identifier = token
                let id = NotificationName.identifier(of: rendered.id, index: index)
                found.append(RenderedNotification(notification, id: id, now: now))
            }
        }
        var record = self
        record.notifications = found
        return record
    }

    /// The notifications that would be sent, in order.
    public var pushes: [PushBatch.Push] {
        notifications.compactMap { rendered in
            guard case .send = rendered.verdict else { return nil }
            return PushBatch.Push(rendered.notification, id: rendered.id)
        }
    }
}

extension Notification {
    /// True when it differs in its device token at most.
    fileprivate func isLike(_ other: Notification) -> Bool {
        app == other.app && bundleID == other.bundleID && pushType == other.pushType
            && priority == other.priority && collapseID == other.collapseID
            && expiration == other.expiration && payload == other.payload
    }
}
