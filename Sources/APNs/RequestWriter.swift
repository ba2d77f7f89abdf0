package import Delivery
package import HTTP2
package import JSON

/// Writes notifications as requests of one connection, in reused buffers.
package struct RequestWriter: ~Copyable {
    /// The last request written.
    package private(set) var request = HTTP2Request()
    private static let path = [UInt8]("/3/device/".utf8)
    private static let broadcastPath = [UInt8]("/4/broadcasts/apps/".utf8)
    // The values that the fields of `request` were last written from.
    private var kind = Destination.Kind.device
    private var bundleID: [UInt8] = []
    /// Buffer for writing identifiers.
    private var text = ByteBuffer()
    private var pushType: PushType?
    private var priority: UInt8 = 0
    private var expiration = Expiration.absent

    /// Prepares the fields that every request shares.
    package init(authority: [UInt8]) {
        request.authority = authority
        request.path = Self.path
    }

    mutating func use(_ token: ProviderToken) { request.authorization = token.bytes }

    /// Fills the fields of `request` from a notification; unchanged fields are left alone, and its
    /// payload is not copied.
    package mutating func write(_ notification: borrowing Notification, id: NotificationID) {
        if notification.destination.kind != kind { change(to: notification.destination.kind) }
        if kind == .device {
            request.path.replace(from: Self.path.count, with: notification.destination.identifier)
        } else {
            request.channelID.replace(with: notification.destination.identifier)
        }
        text.removeAll()
        text.append(id)
        request.identifier.replace(with: text)
        request.collapseID.replace(with: notification.collapseID)
        if notification.pushType != pushType || !notification.bundleID.equals(bundleID) {
            writeTopic(of: notification)
        }
        if notification.priority != priority {
            priority = notification.priority
            request.priority.removeAll(keepingCapacity: true)
            if priority > 0 { request.priority.appendDecimal(Int64(priority)) }
        }
        if notification.expiration != expiration { writeExpiration(notification.expiration) }
    }

    /// The topic of the last request, which the connection's certificate must contain: for a
    /// broadcast the bundle identifier in its path.
    var topic: [UInt8] { kind == .device ? request.topic : bundleID }

    /// The next requests are of the other kind: all fields in which the two differ are written.
    private mutating func change(to changed: Destination.Kind) {
        kind = changed
        pushType = nil
        request.path = Self.path
        request.topic.removeAll(keepingCapacity: true)
        request.channelID.removeAll(keepingCapacity: true)
        writeExpiration(expiration)
    }

    private mutating func writeTopic(of notification: borrowing Notification) {
        pushType = notification.pushType
        bundleID.replace(with: notification.bundleID)
        if kind == .device {
            request.topic.replace(with: notification.bundleID)
            request.topic.append(contentsOf: notification.pushType.topicSuffix.utf8)
        } else {
            request.path = Self.broadcastPath + bundleID
        }
        request.pushType.removeAll(keepingCapacity: true)
        request.pushType.append(contentsOf: notification.pushType.rawValue.utf8)
    }

    private mutating func writeExpiration(_ changed: Expiration) {
        expiration = changed
        request.expiration.removeAll(keepingCapacity: true)
        switch changed {
        // A broadcast must say it, and every channel takes 0.
        case .absent where kind == .channel: request.expiration.append(UInt8(ascii: "0"))
        case .absent: break
        case .immediate: request.expiration.append(UInt8(ascii: "0"))
        case .at(let seconds): request.expiration.appendDecimal(seconds)
        }
    }
}

extension ByteBuffer {
    /// Appends the canonical form of an identifier.
    package mutating func append(_ id: NotificationID) {
        let message = id.characters
        append(word: message.0)
        append(word: message.1)
        append(word: message.2)
        append(word: message.3)
        append(half: UInt32(truncatingIfNeeded: message.4))
    }
}
