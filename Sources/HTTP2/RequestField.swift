/// The fields of a push with variable values, in the order they are sent.
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
    case channelID
    case requestID

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
        case .channelID: "apns-channel-id"
        case .requestID: "apns-request-id"
        }
    }

    /// The index of the name in the static table (RFC 7541, appendix A); nil when it is not there.
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
    func value(of field: RequestField) -> [UInt8] {
        switch field {
        case .path: path
        case .authority: authority
        case .authorization: authorization
        case .identifier: channelID.isEmpty ? identifier : []
        case .pushType: pushType
        case .expiration: expiration
        case .priority: priority
        case .topic: topic
        case .collapseID: collapseID
        case .channelID: channelID
        case .requestID: channelID.isEmpty ? [] : identifier
        }
    }

    /// Checks that all values are valid in a request; finds the invalid one only on failure.
    func check() throws(HTTP2Error) {
        var length = 0
        for field in RequestField.allCases {
            guard HeaderFieldCheck.isGood(value(of: field), &length) else { throw fault }
        }
        guard length <= HeaderFieldCheck.maxLength else { throw fault }
    }

    /// What is wrong with the values, one of which is invalid.
    var fault: HTTP2Error {
        var length = 0
        for field in RequestField.allCases {
            let value = value(of: field)
            guard let first = value.first, let last = value.last else { continue }
            length += value.count
            if length > HeaderFieldCheck.maxLength {
                let message = "all fields together exceed \(HeaderFieldCheck.maxLength) bytes"
                return HTTP2Error(.fieldsTooLong, "\(field.name): \(message)")
            }
            if HeaderFieldCheck.isBlank(first) || HeaderFieldCheck.isBlank(last) {
                let message = "the value starts or ends with whitespace"
                return HTTP2Error(.badField, "\(field.name): \(message)")
            }
        }
        let field = RequestField.allCases.first {
            value(of: $0).contains(where: HeaderFieldCheck.isControl)
        }
        let name = field.map { "\($0.name)" } ?? "a field"
        return HTTP2Error(.badField, "\(name): the value contains a control character")
    }
}
