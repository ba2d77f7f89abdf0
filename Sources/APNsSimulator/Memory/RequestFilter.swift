/// Selects requests; nil matches anything.
public struct RequestFilter: Equatable, Sendable {
    /// The beginning of the device token, in either case.
    public var token: String?
    /// The app's bundle identifier.
    public var app: String?
    /// Apple's reason.
    public var reason: String?
    /// The HTTP status of the response; 0 for requests without one.
    public var status: Int?
    /// The maximum number of requests, newest first.
    public var limit = 100

    /// Creates a filter for the newest hundred requests.
    public init() {}

    func matches(_ request: JudgedRequest) -> Bool {
        if let status, request.judgement?.status ?? 0 != status { return false }
        if let reason, request.judgement?.reason != reason { return false }
        if let app, request.app != app { return false }
        guard let token else { return true }
        return request.deviceToken?.lowercased().hasPrefix(token.lowercased()) == true
    }
}
