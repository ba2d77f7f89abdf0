/// A request that has been received completely and is allowed.
public struct AdminRequest: Sendable {
    /// The method, in capitals; a `HEAD` is handled as a `GET`, without a body in the response.
    public var method: String
    /// The path, without the query, percent-decoded.
    public var path: String
    /// The parts of the path that match the route's `{names}`.
    public var parameters: [String: String] = [:]
    /// The query parameters, percent-decoded; the last one if a name occurs several times.
    public var query: [String: String]
    /// The header fields by their lower-case names.
    public var headers: [String: String]
    /// The body.
    public var body: [UInt8]

    /// Creates a request.
    public init(
        method: String, path: String, query: [String: String] = [:],
        headers: [String: String] = [:], body: [UInt8] = []
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }
}
