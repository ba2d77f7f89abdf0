/// Finds the handler for a request, after checking that the request is allowed.
struct AdminRouter: Sendable {
    let routes: [AdminRoute]
    let access: AccessRules
    /// The token required on routes that are not open.
    var token: BearerToken?

    func reply(to request: AdminRequest) -> AdminReply {
        if let refusal = access.refusal(of: request) { return .now(refusal) }
        let method = request.method == "HEAD" ? "GET" : request.method
        var allowed: [String] = []
        for route in routes {
            guard let parameters = route.parameters(of: request.path) else { continue }
            guard route.method == method else {
                allowed.append(route.method)
                continue
            }
            var request = request
            request.parameters = parameters
            if !route.isOpen, let token, !token.isPresented(by: request) {
                return .now(token.refusal)
            }
            return route.reply(request)
        }
        return .now(allowed.isEmpty ? unknownPath : wrongMethod(allowed))
    }

    private var unknownPath: AdminResponse {
        let list = routes.map { "\($0.method) \($0.pattern)" }.joined(separator: ", ")
        return .refusal(404, "no such path", "use one of: \(list)")
    }

    private func wrongMethod(_ allowed: [String]) -> AdminResponse {
        let list = allowed.joined(separator: ", ")
        var response = AdminResponse.refusal(
            405, "method not allowed on this path", "use \(list)")
        response.headers["allow"] = list
        return response
    }
}
