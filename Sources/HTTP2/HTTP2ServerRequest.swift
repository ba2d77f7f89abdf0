/// A request as it came, nothing checked but HTTP/2's own rules.
public struct HTTP2ServerRequest: Sendable {
    /// All fields in their order, pseudo fields and repetitions included.
    public var fields = FieldList()
    /// The body, as far as the limit goes.
    public var body: [UInt8] = []
    /// The body was longer than the limit.
    public var bodyWasTooLong = false
    /// How each of the fields was compressed; empty when that is not known.
    public var representations = HeaderRepresentations()

    /// A request with nothing in it.
    public init() {}

    /// So much memory is kept for the next request at most: an ordinary push needs far less.
    private static let largest = 4096

    /// Forgets what it holds, and keeps the memory if it is not much.
    mutating func removeAll() {
        guard fields.capacity + body.capacity <= Self.largest else {
            self = HTTP2ServerRequest()
            return
        }
        fields.removeAll()
        body.removeAll(keepingCapacity: true)
        bodyWasTooLong = false
        representations = HeaderRepresentations()
    }
}
