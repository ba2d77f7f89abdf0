/// One request as the judge sees it: a slot for each field that Apple knows, and the body.
///
/// The slots share the bytes of whoever filled them; nothing is parsed or copied here.
public struct PushRequest: Sendable {
    /// The value of `:method`.
    public private(set) var method: [UInt8] = []
    /// The value of `:path`.
    public private(set) var path: [UInt8] = []
    /// The value of `authorization`.
    public private(set) var authorization: [UInt8] = []
    /// The value of `apns-topic`.
    public private(set) var topic: [UInt8] = []
    /// The value of `apns-push-type`.
    public private(set) var pushType: [UInt8] = []
    /// The value of `apns-id`.
    public private(set) var identifier: [UInt8] = []
    /// The value of `apns-expiration`.
    public private(set) var expiration: [UInt8] = []
    /// The value of `apns-priority`.
    public private(set) var priority: [UInt8] = []
    /// The value of `apns-collapse-id`.
    public private(set) var collapseID: [UInt8] = []
    /// The value of `apns-channel-id`.
    public private(set) var channelID: [UInt8] = []
    /// The value of `apns-request-id`.
    public private(set) var requestID: [UInt8] = []
    /// What the request is about, as its path tells.
    private(set) var kind = RequestKind.push
    /// The bundle identifier in the path of a request about broadcasts.
    private(set) var pathApp: ArraySlice<UInt8> = []
    /// The payload; at least its beginning, when it is too long to be kept.
    public var body: [UInt8] = []
    /// The body was longer than anybody keeps.
    public var bodyWasTooLong = false
    /// The fields that are there, perhaps with an empty value.
    public private(set) var present: Fields = []
    /// The fields that came more than once.
    public private(set) var repeated: Fields = []

    /// A request with nothing in it.
    public init() {}

    /// Forgets every field and the body.
    public mutating func reset() { self = PushRequest() }

    /// Puts one field into its slot; names that Apple does not know are passed over.
    public mutating func set(_ name: borrowing [UInt8], to value: [UInt8]) {
        switch name.count {
        case 5 where name == Name.path:
            path = note(.path, value)
            (kind, pathApp) = RequestKind.of(value)
        case 7 where name == Name.method: method = note(.method, value)
        case 7 where name == Name.identifier: identifier = note(.identifier, value)
        case 10 where name == Name.topic: topic = note(.topic, value)
        case 13 where name == Name.authorization: authorization = note(.authorization, value)
        case 13 where name == Name.priority: priority = note(.priority, value)
        case 14 where name == Name.pushType: pushType = note(.pushType, value)
        case 15 where name == Name.expiration: expiration = note(.expiration, value)
        case 15 where name == Name.channelID: channelID = note(.channelID, value)
        case 15 where name == Name.requestID: requestID = note(.requestID, value)
        case 16 where name == Name.collapseID: collapseID = note(.collapseID, value)
        default: break
        }
    }

    /// Writes down that a field is there, and gives its value back.
    private mutating func note(_ field: Fields, _ value: [UInt8]) -> [UInt8] {
        if present.contains(field) { repeated.insert(field) }
        present.insert(field)
        return value
    }

    /// What follows `/3/device/` in the path; empty when that is not how it begins.
    public var deviceToken: ArraySlice<UInt8> {
        path.starts(with: Self.devicePath) ? path.dropFirst(Self.devicePath.count) : []
    }

    static let devicePath = [UInt8]("/3/device/".utf8)

    private enum Name {
        static let method = [UInt8](":method".utf8)
        static let path = [UInt8](":path".utf8)
        static let authorization = [UInt8]("authorization".utf8)
        static let topic = [UInt8]("apns-topic".utf8)
        static let pushType = [UInt8]("apns-push-type".utf8)
        static let identifier = [UInt8]("apns-id".utf8)
        static let expiration = [UInt8]("apns-expiration".utf8)
        static let priority = [UInt8]("apns-priority".utf8)
        static let collapseID = [UInt8]("apns-collapse-id".utf8)
        static let channelID = [UInt8]("apns-channel-id".utf8)
        static let requestID = [UInt8]("apns-request-id".utf8)
    }

    /// A set of the fields that Apple knows.
    public struct Fields: OptionSet, Sendable {
        /// One bit for each field.
        public var rawValue: UInt16

        /// A set from its bits.
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// `:method`.
        public static let method = Fields(rawValue: 1 << 0)
        /// `:path`.
        public static let path = Fields(rawValue: 1 << 1)
        /// `authorization`.
        public static let authorization = Fields(rawValue: 1 << 2)
        /// `apns-topic`.
        public static let topic = Fields(rawValue: 1 << 3)
        /// `apns-push-type`.
        public static let pushType = Fields(rawValue: 1 << 4)
        /// `apns-id`.
        public static let identifier = Fields(rawValue: 1 << 5)
        /// `apns-expiration`.
        public static let expiration = Fields(rawValue: 1 << 6)
        /// `apns-priority`.
        public static let priority = Fields(rawValue: 1 << 7)
        /// `apns-collapse-id`.
        public static let collapseID = Fields(rawValue: 1 << 8)
        /// `apns-channel-id`.
        public static let channelID = Fields(rawValue: 1 << 9)
        /// `apns-request-id`.
        public static let requestID = Fields(rawValue: 1 << 10)
    }
}
