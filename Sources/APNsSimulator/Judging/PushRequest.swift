internal import HTTP2

/// One request as the judge sees it: where each field that Apple knows stands, and the body.
///
/// The values share the memory of the request as it came; nothing is parsed or copied here.
public struct PushRequest: Sendable {
    /// Where a value stands among the bytes of all fields.
    private struct Place: BitwiseCopyable {
        var start: UInt32 = 0
        var end: UInt32 = 0
    }

    /// The request as it came.
    private(set) var asked = HTTP2ServerRequest()
    private var places = InlineArray<11, Place>(repeating: Place())
    /// What the request is about, as its path tells.
    private(set) var kind = RequestKind.push
    /// The bundle identifier in the path of a request about broadcasts.
    private(set) var pathApp: ArraySlice<UInt8> = []
    /// The fields that are there, perhaps with an empty value.
    public private(set) var present: Fields = []
    /// The fields that came more than once.
    public private(set) var repeated: Fields = []

    /// A request with nothing in it.
    public init() {}

    /// Takes over the request that a server has just announced, instead of the one before.
    mutating func take(from http: inout HTTP2Server) {
        kind = .push
        pathApp = []
        present = []
        repeated = []
        http.take(&asked)
        let fields = asked.fields
        for position in fields.indices { look(at: position, of: fields) }
    }

    /// Adds one field; names that Apple does not know are passed over.
    public mutating func set(_ name: [UInt8], to value: [UInt8]) {
        asked.fields.append(name, value)
        look(at: asked.fields.count - 1, of: asked.fields)
    }

    /// The payload; at least its beginning, when it is too long to be kept.
    public var body: [UInt8] {
        get { asked.body }
        set { asked.body = newValue }
    }

    /// The body was longer than anybody keeps.
    public var bodyWasTooLong: Bool {
        get { asked.bodyWasTooLong }
        set { asked.bodyWasTooLong = newValue }
    }

    /// The value of a field; empty when it is not there.
    func value(of field: Fields) -> ArraySlice<UInt8> {
        guard present.contains(field) else { return [] }
        return asked.fields.bytes(range(of: field))
    }

    /// Whether a field has a value; one that is not there has the empty one.
    func has(_ field: Fields, _ value: [UInt8]) -> Bool {
        guard present.contains(field) else { return value.isEmpty }
        return asked.fields.bytes(range(of: field), are: value)
    }

    /// The topic is this one; nil stands for any.
    func isFor(_ topic: [UInt8]?) -> Bool { topic.map { has(.topic, $0) } ?? true }

    /// The priority is one of Apple's.
    var hasPriority: Bool {
        has(.priority, Bytes.ten) || has(.priority, Bytes.five) || has(.priority, Bytes.one)
    }

    private func range(of field: Fields) -> Range<Int> {
        let place = places[field.number]
        return Int(place.start)..<Int(place.end)
    }

    /// Remembers where the value of a field stands, if it is one that Apple knows.
    private mutating func look(at position: Int, of fields: FieldList) {
        let name = fields.nameRange(of: position)
        guard let field = Fields.named(name, in: fields) else { return }
        if present.contains(field) { repeated.insert(field) }
        present.insert(field)
        let range = fields.valueRange(of: position)
        places[field.number] = Place(
            start: UInt32(range.lowerBound), end: UInt32(range.upperBound))
        if field == .path { (kind, pathApp) = RequestKind.of(fields.bytes(range)) }
    }

    /// What follows `/3/device/` in the path; empty when that is not how it begins.
    public var deviceToken: ArraySlice<UInt8> {
        let path = path
        return path.starts(with: Self.devicePath) ? path.dropFirst(Self.devicePath.count) : []
    }

    static let devicePath = [UInt8]("/3/device/".utf8)
}

/// The values of the fields, in the memory of the request; empty where a field is not there.
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
