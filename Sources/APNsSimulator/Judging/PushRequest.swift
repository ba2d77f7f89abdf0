internal import HTTP2

/// One request as seen by the judge: the positions of the fields known to Apple, and the body.
///
/// The values share the memory of the received request; nothing is parsed or copied here.
public struct PushRequest: Sendable {
    /// The range of a value among the bytes of all fields.
    private struct FieldRange: BitwiseCopyable {
        var start: UInt32 = 0
        var end: UInt32 = 0
    }

    /// The request as received.
    private(set) var asked = HTTP2ServerRequest()
    private var ranges = InlineArray<11, FieldRange>(repeating: FieldRange())
    /// The kind of request, according to its path.
    private(set) var kind = RequestKind.push
    /// The bundle identifier in the path of a request about broadcasts.
    private(set) var pathApp: ArraySlice<UInt8> = []
    /// The fields that are present, possibly with an empty value.
    public private(set) var present: Fields = []
    /// The fields that occur more than once.
    public private(set) var repeated: Fields = []

    /// Creates an empty request.
    public init() {}

    /// Takes the request that a server has just announced, replacing the previous one.
    mutating func take(from http: inout HTTP2Server) {
        kind = .push
        pathApp = []
        present = []
        repeated = []
        http.take(&asked)
        let fields = asked.fields
        for position in fields.indices { look(at: position, of: fields) }
    }

    /// Adds one field; ignores names unknown to Apple.
    public mutating func set(_ name: [UInt8], to value: [UInt8]) {
        asked.fields.append(name, value)
        look(at: asked.fields.count - 1, of: asked.fields)
    }

    /// The payload, or its beginning if it is too long.
    public var body: [UInt8] {
        get { asked.body }
        set { asked.body = newValue }
    }

    /// The body exceeded the limit.
    public var bodyWasTooLong: Bool {
        get { asked.bodyWasTooLong }
        set { asked.bodyWasTooLong = newValue }
    }

    /// The value of a field; empty when it is absent.
    func value(of field: Fields) -> ArraySlice<UInt8> {
        guard present.contains(field) else { return [] }
        return asked.fields.bytes(range(of: field))
    }

    /// The length of a field's value; 0 when it is absent.
    func length(of field: Fields) -> Int { present.contains(field) ? range(of: field).count : 0 }

    /// Whether a field is absent, or its value empty.
    func isEmpty(_ field: Fields) -> Bool { length(of: field) == 0 }

    /// Whether a field has a value; an absent one counts as empty.
    func has(_ field: Fields, _ value: [UInt8]) -> Bool {
        guard present.contains(field) else { return value.isEmpty }
        return asked.fields.bytes(range(of: field), are: value)
    }

    /// True when the topic is this one; nil matches any.
    func isFor(_ topic: [UInt8]?) -> Bool { topic.map { has(.topic, $0) } ?? true }

    /// True when the priority is one of Apple's.
    var hasPriority: Bool {
        has(.priority, RequestBytes.ten) || has(.priority, RequestBytes.five)
            || has(.priority, RequestBytes.one)
    }

    private func range(of field: Fields) -> Range<Int> {
        let range = ranges[field.number]
        return Int(range.start)..<Int(range.end)
    }

    /// Records the position of a field's value, if it is known to Apple.
    private mutating func look(at position: Int, of fields: FieldList) {
        let name = fields.nameRange(of: position)
        guard let field = Fields.named(name, in: fields) else { return }
        if present.contains(field) { repeated.insert(field) }
        present.insert(field)
        let range = fields.valueRange(of: position)
        ranges[field.number] = FieldRange(
            start: UInt32(range.lowerBound), end: UInt32(range.upperBound))
        if field == .path { (kind, pathApp) = RequestKind.of(fields.bytes(range)) }
    }

    /// The part of the path after `/3/device/`; empty for other paths.
    public var deviceToken: ArraySlice<UInt8> {
        let path = path
        return path.starts(with: Self.devicePath) ? path.dropFirst(Self.devicePath.count) : []
    }

    static let devicePath = [UInt8]("/3/device/".utf8)
}

/// The values of the fields, in the memory of the request; empty for absent fields.
extension PushRequest {
    /// The value of `:method`.
    public var method: ArraySlice<UInt8> { value(of: .method) }
    /// The value of `:path`.
    public var path: ArraySlice<UInt8> { value(of: .path) }
    /// The value of `authorization`.
    public var authorization: ArraySlice<UInt8> { value(of: .authorization) }
    /// The value of `apns-topic`.
    public var topic: ArraySlice<UInt8> { value(of: .topic) }
    /// The value of `apns-push-type`.
    public var pushType: ArraySlice<UInt8> { value(of: .pushType) }
    /// The value of `apns-id`.
    public var identifier: ArraySlice<UInt8> { value(of: .identifier) }
    /// The value of `apns-expiration`.
    public var expiration: ArraySlice<UInt8> { value(of: .expiration) }
    /// The value of `apns-priority`.
    public var priority: ArraySlice<UInt8> { value(of: .priority) }
    /// The value of `apns-collapse-id`.
    public var collapseID: ArraySlice<UInt8> { value(of: .collapseID) }
    /// The value of `apns-channel-id`.
    public var channelID: ArraySlice<UInt8> { value(of: .channelID) }
    /// The value of `apns-request-id`.
    public var requestID: ArraySlice<UInt8> { value(of: .requestID) }
}
