package import Delivery
package import HTTP2

/// Turns notifications into the requests of one connection, in buffers that are used again.
package struct RequestWriter: ~Copyable {
    /// The request as last written.
    package private(set) var request = HTTP2Request()
    private static let path = [UInt8]("/3/device/".utf8)

    /// Prepares the fields that are the same in every request.
    package init(authority: [UInt8]) {
        request.authority = authority
        request.path = Self.path
    }

    /// True until a provider token was given.
    var needsToken: Bool { request.authorization.isEmpty }

    mutating func use(_ token: ProviderToken) { request.authorization = token.bytes }

    /// Fills the fields of `request` from a notification.
    package mutating func write(_ notification: borrowing Notification, id: NotificationID) {
        request.path.removeSubrange(Self.path.count...)
        request.path.append(contentsOf: notification.deviceToken)
        request.topic.replace(with: notification.bundleID)
        request.topic.append(contentsOf: notification.pushType.topicSuffix.utf8)
        request.pushType.removeAll(keepingCapacity: true)
        request.pushType.append(contentsOf: notification.pushType.rawValue.utf8)
        request.identifier.removeAll(keepingCapacity: true)
        id.write(to: &request.identifier)
        request.priority.removeAll(keepingCapacity: true)
        request.priority.appendDecimal(Int64(notification.priority))
        request.expiration.removeAll(keepingCapacity: true)
        switch notification.expiration {
        case .absent: break
        case .immediate: request.expiration.append(UInt8(ascii: "0"))
        case .at(let seconds): request.expiration.appendDecimal(seconds)
        }
        request.collapseID.replace(with: notification.collapseID)
        request.body.replace(with: notification.payload)
    }
}

extension [UInt8] {
    /// Takes over other bytes and keeps the buffer.
    fileprivate mutating func replace(with other: borrowing [UInt8]) {
        removeAll(keepingCapacity: true)
        append(contentsOf: copy other)
    }

    /// Appends a number in decimal digits.
    fileprivate mutating func appendDecimal(_ number: Int64) {
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
