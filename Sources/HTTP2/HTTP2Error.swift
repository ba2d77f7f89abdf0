/// Why an HTTP/2 connection or one request on it cannot continue.
public struct HTTP2Error: Error, Equatable, Sendable, CustomStringConvertible {
    /// The stable identifier of a kind of failure.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The identifier as it appears in logs and metrics.
        public let rawValue: String

        /// Creates an identifier.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The identifier itself.
        public var description: String { rawValue }

        /// The peer's bytes are not HTTP/2, or violate its rules: the connection is unusable.
        public static let protocolViolation = Code(rawValue: "protocol_violation")
        /// The peer is flooding the connection, which is unusable.
        public static let flooded = Code(rawValue: "flooded")
        /// The connection was already closed.
        public static let ended = Code(rawValue: "ended")
        /// There is no room for the request now; call ``HTTP2Client/canSubmit(bodyBytes:)`` first.
        public static let noRoom = Code(rawValue: "no_room")
        /// A field of the request contains invalid characters; nothing was sent.
        public static let badField = Code(rawValue: "bad_field")
        /// The fields of the request are too long; nothing was sent.
        public static let fieldsTooLong = Code(rawValue: "fields_too_long")
        /// No such stream is open.
        public static let noSuchStream = Code(rawValue: "no_such_stream")
        /// nghttp2 itself failed: the connection is unusable.
        public static let library = Code(rawValue: "library")
    }

    /// The kind of failure.
    public var code: Code
    /// A description of what happened.
    public var detail: String

    /// Creates an error.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The description.
    public var description: String { detail }
}
