internal import HTTP2

extension PushRequest {
    /// A set of the fields known to Apple.
    public struct Fields: OptionSet, Sendable {
        /// One bit per field.
        public var rawValue: UInt16

        /// Creates a set from its bits.
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

        /// The index of a single field.
        var number: Int { rawValue.trailingZeroBitCount }

        /// The field whose name is among the bytes of a list; nil when it is not known to Apple.
        static func named(_ name: Range<Int>, in fields: borrowing FieldList) -> Fields? {
            // Length and one byte leave a single candidate.
            let candidate: (field: Fields, name: StaticString)
            switch name.count {
            case 5: candidate = (.path, ":path")
            case 7:
                let isPseudo = fields.byte(at: name.lowerBound) == UInt8(ascii: ":")
                candidate = isPseudo ? (.method, ":method") : (.identifier, "apns-id")
            case 10: candidate = (.topic, "apns-topic")
            case 13:
                let isOurs = fields.byte(at: name.lowerBound + 1) == UInt8(ascii: "p")
                candidate =
                    isOurs ? (.priority, "apns-priority") : (.authorization, "authorization")
            case 14: candidate = (.pushType, "apns-push-type")
            case 15:
                switch fields.byte(at: name.lowerBound + 5) {
                case UInt8(ascii: "e"): candidate = (.expiration, "apns-expiration")
                case UInt8(ascii: "c"): candidate = (.channelID, "apns-channel-id")
                default: candidate = (.requestID, "apns-request-id")
                }
            case 16: candidate = (.collapseID, "apns-collapse-id")
            default: return nil
            }
            return fields.bytes(name, areASCII: candidate.name) ? candidate.field : nil
        }
    }
}
