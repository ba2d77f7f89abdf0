/// Why an HTTP/2 connection or one request on it cannot continue.
public struct HTTP2Error: Error, Equatable, Sendable, CustomStringConvertible {
    /// The stable name of a kind of failure.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name, as logs and metrics carry it.
        public let rawValue: String

        /// Names a kind of failure.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name itself.
        public var description: String { rawValue }

        /// The peer's bytes are not HTTP/2, or break its rules: the connection is over.
        public static let protocolViolation = Code(rawValue: "protocol_violation")
        /// The peer keeps us busy for nothing: the connection is over.
        public static let flooded = Code(rawValue: "flooded")
        /// The connection has ended before.
        public static let ended = Code(rawValue: "ended")
        /// There is no room for the request now; ask ``HTTP2Client/canSubmit(bodyBytes:)`` first.
        public static let noRoom = Code(rawValue: "no_room")
        /// A field of the request holds what no HTTP field may; nothing was sent.
        public static let badField = Code(rawValue: "bad_field")
        /// The fields of the request are too long; nothing was sent.
        public static let fieldsTooLong = Code(rawValue: "fields_too_long")
        /// No such stream is open.
        public static let noSuchStream = Code(rawValue: "no_such_stream")
        /// nghttp2 failed by itself: the connection is over.
        public static let library = Code(rawValue: "library")
    }

    /// What kind of failure it is.
    public var code: Code
    /// What happened, in words.
    public var detail: String

    /// Describes a failure.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The words.
    public var description: String { detail }
}
