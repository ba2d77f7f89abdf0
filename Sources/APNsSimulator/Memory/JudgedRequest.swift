public import HTTP2

/// A request as received, and its response.
public struct JudgedRequest: Sendable {
    /// The number of the request, from 1.
    public internal(set) var number = 0
    /// When it was received, in milliseconds since 1970.
    public let arrivedAt: Int64
    /// All fields in order, including pseudo-header fields and duplicates.
    public let fields: FieldList
    /// The body, as far as it was stored.
    public let body: [UInt8]
    /// The response; nil if the connection was cut instead.
    public let judgement: Judgement?
    /// The `apns-id` of the response.
    public let identifier: [UInt8]

    /// The topic of the client certificate, used because `apns-topic` was absent.
    public let certificateTopic: [UInt8]?

    /// Creates a request with its response.
    public init(
        arrivedAt: Int64, fields: FieldList, body: [UInt8], judgement: Judgement?,
        identifier: [UInt8], certificateTopic: [UInt8]? = nil
    ) {
        self.arrivedAt = arrivedAt
        self.fields = fields
        self.body = body
        self.judgement = judgement
        self.identifier = identifier
        self.certificateTopic = certificateTopic
    }

    /// Creates a request from arrays of its fields.
    public init(
        arrivedAt: Int64, fields: [(name: [UInt8], value: [UInt8])], body: [UInt8],
        judgement: Judgement?, identifier: [UInt8]
    ) {
        self.init(
            arrivedAt: arrivedAt, fields: FieldList(fields), body: body, judgement: judgement,
            identifier: identifier)
    }

    /// The value of a field as a string; nil when it is absent.
    public func field(_ name: String) -> String? {
        let name = [UInt8](name.utf8)
        return fields.first { $0.name == name }.map { String(decoding: $0.value, as: UTF8.self) }
    }

    /// The device token in the path; nil for other paths.
    public var deviceToken: String? {
        guard let path = field(":path"), path.hasPrefix("/3/device/") else { return nil }
        return String(path.dropFirst(10))
    }

    /// The app's bundle identifier: the topic without a push type's suffix.
    public var app: String? {
        let topic =
            field("apns-topic").map { [UInt8]($0.utf8) } ?? certificateTopic ?? broadcastApp
        return topic.map { String(decoding: PushTypeTable.bundleID(of: $0[...]), as: UTF8.self) }
    }

    /// The bundle identifier in the path of a request about broadcasts.
    private var broadcastApp: [UInt8]? {
        let (kind, app) = RequestKind.of([UInt8]((field(":path") ?? "").utf8)[...])
        return kind == .push ? nil : [UInt8](app)
    }

    /// Until when it may be stored, in milliseconds since 1970; nil when it does not say.
    var expiresAt: Int64? {
        field("apns-expiration").flatMap { Int64($0) }.map {
            $0 > Int64.max / 1000 ? Int64.max : $0 * 1000
        }
    }
}
