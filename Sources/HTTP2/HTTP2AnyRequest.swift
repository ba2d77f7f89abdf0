/// A request with any method and any fields, for what is asked rarely.
public struct HTTP2AnyRequest: Equatable, Sendable {
    /// A field of a request.
    public struct Field: Equatable, Sendable {
        /// The name in lower case.
        public var name: String
        /// The value.
        public var value: [UInt8]

        /// Creates a field.
        public init(_ name: String, _ value: [UInt8]) {
            self.name = name
            self.value = value
        }
    }

    /// The value of `:method`.
    public var method: String
    /// The value of `:path`.
    public var path: [UInt8]
    /// The value of `:authority`: the host.
    public var authority: [UInt8]
    /// The other fields, in the order they are sent.
    public var fields: [Field]
    /// The body.
    public var body: [UInt8]
    /// The most bytes kept of the response's body.
    public var maxResponse: Int

    /// Creates a request.
    public init(
        method: String, path: [UInt8], authority: [UInt8], fields: [Field], body: [UInt8] = [],
        maxResponse: Int
    ) {
        self.method = method
        self.path = path
        self.authority = authority
        self.fields = fields
        self.body = body
        self.maxResponse = maxResponse
    }

    /// All fields, those of HTTP/2 itself first.
    var allFields: [Field] {
        [
            Field(":method", [UInt8](method.utf8)), Field(":scheme", [UInt8]("https".utf8)),
            Field(":path", path), Field(":authority", authority),
        ] + fields
    }

    /// Checks that all values are valid in a request.
    func check() throws(HTTP2Error) {
        var length = 0
        for field in allFields {
            guard HeaderFieldCheck.isGood(field.value, &length) else {
                throw HTTP2Error(
                    .badField,
                    "\(field.name): the value contains a control character, or starts or ends with"
                        + " whitespace")
            }
            length += field.name.utf8.count
            guard length <= HeaderFieldCheck.maxLength else {
                throw HTTP2Error(
                    .fieldsTooLong,
                    "\(field.name): all fields together exceed \(HeaderFieldCheck.maxLength) bytes")
            }
        }
    }
}
