/// A request that has come whole and may be answered.
public struct AdminRequest: Sendable {
    /// The method, in capitals; a `HEAD` gets a response as a `GET` without its body.
    public var method: String
    /// The path, without the query, percent-decoded.
    public var path: String
    /// What stands in the path instead of the route's `{names}`.
    public var parameters: [String: String] = [:]
    /// The query's items, percent-decoded; of several with one name the last.
    public var query: [String: String]
    /// The header fields by their lower-case names.
    public var headers: [String: String]
    /// The body.
    public var body: [UInt8]

    /// Describes a request.
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
