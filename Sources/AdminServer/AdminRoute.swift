/// A handler and the requests that it responds to.
public struct AdminRoute: Sendable {
    /// Responds to a request; called on the server's thread, so it must not block.
    public typealias Handler = @Sendable (AdminRequest) -> AdminResponse
    /// Responds to a request after work that takes a while; others are served meanwhile.
    public typealias SlowHandler = @Sendable (AdminRequest) async -> AdminResponse

    /// The method, in capitals.
    public let method: String
    /// The path, such as `/devices/{token}`; a name in braces matches one segment.
    public let pattern: String
    /// True when no token is required.
    public let isOpen: Bool
    let reply: @Sendable (AdminRequest) -> AdminReply
    private let segments: [Substring]

    /// Creates a route for a method and a path.
    public init(
        _ method: String, _ pattern: String, isOpen: Bool = false, handler: @escaping Handler
    ) {
        self.init(method, pattern, isOpen) { .now(handler($0)) }
    }

    /// Creates a route whose responses take a while.
    public init(_ method: String, _ pattern: String, slow handler: @escaping SlowHandler) {
        self.init(method, pattern, false) { request in .later { await handler(request) } }
    }

    private init(
        _ method: String, _ pattern: String, _ isOpen: Bool,
        _ reply: @escaping @Sendable (AdminRequest) -> AdminReply
    ) {
        self.method = method
        self.pattern = pattern
        self.isOpen = isOpen
        self.reply = reply
        segments = Self.segments(of: pattern)
    }

    /// The segments that match the names; nil when the path does not match.
    func parameters(of path: String) -> [String: String]? {
        let found = Self.segments(of: path)
        guard found.count == segments.count else { return nil }
        var parameters: [String: String] = [:]
        for (segment, text) in zip(segments, found) {
            if segment.hasPrefix("{"), segment.hasSuffix("}") {
                parameters[String(segment.dropFirst().dropLast())] = String(text)
            } else if segment != text {
                return nil
            }
        }
        return parameters
    }

    private static func segments(of path: String) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: true)
    }
}

/// What a router has for a request.
enum AdminReply: Sendable {
    /// The response.
    case now(AdminResponse)
    /// Work that takes a while, and then has the response.
    case later(@Sendable () async -> AdminResponse)

    /// The response, unless it takes a while.
    var immediate: AdminResponse? {
        if case .now(let response) = self { response } else { nil }
    }
}
