/// A request as it came, nothing checked but HTTP/2's own rules.
public struct HTTP2ServerRequest: Sendable {
    /// All fields in their order, pseudo fields and repetitions included.
    public var fields: [(name: [UInt8], value: [UInt8])]
    /// The body, as far as the limit goes.
    public var body: [UInt8]
    /// The body was longer than the limit.
    public var bodyWasTooLong: Bool
    /// How each of the fields was compressed; empty when that is not known.
    public var representations = HeaderRepresentations()

    /// Describes a request.
    public init(
        fields: [(name: [UInt8], value: [UInt8])], body: [UInt8] = [], bodyWasTooLong: Bool = false
    ) {
        self.fields = fields
        self.body = body
        self.bodyWasTooLong = bodyWasTooLong
    }
}
