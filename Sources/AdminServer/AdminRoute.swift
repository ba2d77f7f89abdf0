/// Which requests a handler answers.
public struct AdminRoute: Sendable {
    /// Answers one request; it is called on the server's thread and must not wait.
    public typealias Handler = @Sendable (AdminRequest) -> AdminResponse

    /// The method, in capitals.
    public let method: String
    /// The path, such as `/devices/{token}`; a name in braces stands for one segment.
    public let pattern: String
    /// True when it needs no token.
    public let isOpen: Bool
    let handler: Handler
    private let segments: [Substring]

    /// Lets a handler answer what fits method and path.
    public init(
        _ method: String, _ pattern: String, isOpen: Bool = false, handler: @escaping Handler
    ) {
        self.method = method
        self.pattern = pattern
        self.isOpen = isOpen
        self.handler = handler
        segments = Self.segments(of: pattern)
    }

    /// What stands in the path instead of the names; nil when it does not fit.
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
