/// The fields of a push that carry a value of its own, in the order in which they go out.
enum RequestField: UInt8, CaseIterable {
    case path
    case authority
    case authorization
    case identifier
    case pushType
    case expiration
    case priority
    case topic
    case collapseID

    var name: StaticString {
        switch self {
        case .path: ":path"
        case .authority: ":authority"
        case .authorization: "authorization"
        case .identifier: "apns-id"
        case .pushType: "apns-push-type"
        case .expiration: "apns-expiration"
        case .priority: "apns-priority"
        case .topic: "apns-topic"
        case .collapseID: "apns-collapse-id"
        }
    }

    /// Where the name stands in the static table (RFC 7541, appendix A); nil when it does not.
    var staticIndex: Int? {
        switch self {
        case .path: 4
        case .authority: 1
        case .authorization: 23
        default: nil
        }
    }
}

extension HTTP2Request {
    /// What all values may have together; nothing of Apple's comes near it.
    private static let longest = 8192

    func value(of field: RequestField) -> [UInt8] {
        switch field {
        case .path: path
        case .authority: authority
        case .authorization: authorization
        case .identifier: identifier
        case .pushType: pushType
        case .expiration: expiration
        case .priority: priority
        case .topic: topic
        case .collapseID: collapseID
        }
    }

    /// Looks whether all values may stand in a request; only when they may not, for which.
    func check() throws(HTTP2Error) {
        var isGood = true
        var length = 0
        isGood = Self.isGood(path, &length) && isGood
        isGood = Self.isGood(authority, &length) && isGood
        isGood = Self.isGood(authorization, &length) && isGood
        isGood = Self.isGood(identifier, &length) && isGood
        isGood = Self.isGood(pushType, &length) && isGood
        isGood = Self.isGood(expiration, &length) && isGood
        isGood = Self.isGood(priority, &length) && isGood
        isGood = Self.isGood(topic, &length) && isGood
        isGood = Self.isGood(collapseID, &length) && isGood
        guard isGood, length <= Self.longest else { throw fault }
    }

    /// Whether a value may stand in a field; `length` is that of all of them.
    @inline(__always)
    private static func isGood(_ value: [UInt8], _ length: inout Int) -> Bool {
        guard !value.isEmpty else { return true }
        length += value.count
        var found: UInt8 = 0
        for byte in value { found |= (byte < 0x20 ? 1 : 0) | (byte == 0x7F ? 1 : 0) }
        return found == 0 && !isBlank(value[0]) && !isBlank(value[value.count - 1])
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

    /// What is wrong with the values, of which something is.
    private var fault: HTTP2Error {
        var length = 0
        for field in RequestField.allCases {
            let value = value(of: field)
            guard let first = value.first, let last = value.last else { continue }
            length += value.count
            if length > Self.longest {
                let words = "all fields together pass \(Self.longest) bytes"
                return HTTP2Error(.fieldsTooLong, "\(field.name): \(words)")
            }
            if Self.isBlank(first) || Self.isBlank(last) {
                let words = "the value begins or ends with white space"
                return HTTP2Error(.badField, "\(field.name): \(words)")
            }
        }
        let culprit = RequestField.allCases.first { value(of: $0).contains(where: Self.isControl) }
        let name = culprit.map { "\($0.name)" } ?? "a field"
        return HTTP2Error(.badField, "\(name): the value holds a control character")
    }
}
