/// The response to a request.
public struct AdminResponse: Equatable, Sendable {
    /// The HTTP status.
    public var status: Int
    /// The header fields besides those of every response.
    public var headers: [String: String]
    /// The body.
    public var body: [UInt8]

    /// Creates a response.
    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Creates a JSON response.
    public static func json(_ body: [UInt8], status: Int = 200) -> AdminResponse {
        AdminResponse(status: status, headers: ["content-type": "application/json"], body: body)
    }

    /// Creates a text response with a content type.
    public static func text(
        _ text: String, status: Int = 200, type: String = "text/plain; charset=utf-8"
    ) -> AdminResponse {
        AdminResponse(status: status, headers: ["content-type": type], body: [UInt8](text.utf8))
    }

    /// An error response: `{"error":"what is wrong","remedy":"what to do"}`.
    ///
    /// Both strings are constants that need no escapes in JSON.
    static func refusal(_ status: Int, _ error: StaticString, _ remedy: String) -> AdminResponse {
        json([UInt8]("{\"error\":\"\(error)\",\"remedy\":\"\(remedy)\"}\n".utf8), status: status)
    }
}
