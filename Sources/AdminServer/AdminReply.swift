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
