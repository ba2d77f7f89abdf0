/// A request as received, checked only against HTTP/2's own rules.
public struct HTTP2ServerRequest: Sendable {
    /// All fields in order, including pseudo-header fields and duplicates.
    public var fields = FieldList()
    /// The body, up to the limit.
    public var body: [UInt8] = []
    /// The body was longer than the limit.
    public var bodyWasTooLong = false

    /// Creates an empty request.
    public init() {}

    /// The most memory kept for the next request: an ordinary push needs far less.
    private static let largest = 4096

    /// Clears the request, keeping its memory unless there is too much of it.
    mutating func removeAll() {
        guard fields.capacity + body.capacity <= Self.largest else {
            self = HTTP2ServerRequest()
            return
        }
        fields.removeAll()
        body.removeAll(keepingCapacity: true)
        bodyWasTooLong = false
    }
}
