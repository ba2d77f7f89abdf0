package import Delivery
package import HTTP2
package import JSON

/// Writes notifications as requests of one connection, in reused buffers.
package struct RequestWriter: ~Copyable {
    /// The last request written.
    package private(set) var request = HTTP2Request()
    private static let path = [UInt8]("/3/device/".utf8)
    // The values that the fields of `request` were last written from.
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
        request.path.replace(from: Self.path.count, with: notification.deviceToken)
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
            request.priority.appendDecimal(Int64(priority))
        }
        if notification.expiration != expiration { writeExpiration(notification.expiration) }
    }

    private mutating func writeTopic(of notification: borrowing Notification) {
        pushType = notification.pushType
        bundleID.replace(with: notification.bundleID)
        request.topic.replace(with: notification.bundleID)
        request.topic.append(contentsOf: notification.pushType.topicSuffix.utf8)
        request.pushType.removeAll(keepingCapacity: true)
        request.pushType.append(contentsOf: notification.pushType.rawValue.utf8)
    }

    private mutating func writeExpiration(_ changed: Expiration) {
        expiration = changed
        request.expiration.removeAll(keepingCapacity: true)
        switch changed {
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
