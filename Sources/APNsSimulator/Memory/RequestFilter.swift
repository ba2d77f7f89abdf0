/// Which requests somebody wants to see; what is nil fits everything.
public struct RequestFilter: Equatable, Sendable {
    /// How the device token begins, in any case.
    public var token: String?
    /// The app's bundle identifier.
    public var app: String?
    /// Apple's word for what was wrong.
    public var reason: String?
    /// The HTTP status of the response; 0 for those that got none.
    public var status: Int?
    /// How many of the newest.
    public var limit = 100

    /// Fits the newest hundred.
    public init() {}

    func matches(_ request: JudgedRequest) -> Bool {
        if let status, request.judgement?.status ?? 0 != status { return false }
        if let reason, request.judgement?.reason != reason { return false }
        if let app, request.app != app { return false }
        guard let token else { return true }
        return request.deviceToken?.lowercased().hasPrefix(token.lowercased()) == true
    }
}
