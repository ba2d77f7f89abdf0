/// Rejects requests with a foreign host name, and requests from foreign web pages.
///
/// A web page can make a browser send requests to this machine. It cannot read the responses,
/// because none allows it to, unless its own name resolves to this machine (DNS rebinding): then
/// `host` contains that name. And it cannot hide its origin, which is in `origin`.
struct AccessRules: Sendable {
    /// The host names, in lower case, accepted in requests; any address is accepted too.
    let hostNames: Set<String>

    init(hostNames: [String]) {
        self.hostNames = Set(hostNames.map { $0.lowercased() }).union(["localhost"])
    }

    /// The response to a request that is rejected; nil if it is allowed.
    func refusal(of request: AdminRequest) -> AdminResponse? {
        guard let host = request.headers["host"], !host.isEmpty else {
            return .refusal(400, "the request has no Host field", "send a Host field")
        }
        guard mayBeCalled(host) else {
            return .refusal(
                421, "the Host field names a different server",
                "use localhost or an IP address, or add the name: admin.host_names in bridge.yaml, "
                    + "--host-name of the simulator")
        }
        if let origin = request.headers["origin"], !isOwn(origin, host: host) {
            return .refusal(
                403, "requests from other web pages are not allowed",
                "send the request from outside a browser")
        }
        if request.method != "GET", request.method != "HEAD",
            let site = request.headers["sec-fetch-site"], site != "same-origin", site != "none"
        {
            return .refusal(
                403, "requests from other web pages are not allowed",
                "send the request from outside a browser")
        }
        return nil
    }

    /// A page of this server; with https, a proxy with TLS stands before it.
    private func isOwn(_ origin: String, host: String) -> Bool {
        ["http", "https"].contains { origin.lowercased() == "\($0)://\(host.lowercased())" }
    }

    private func mayBeCalled(_ host: String) -> Bool {
        guard let host = RequestHost(host) else { return false }
        return hostNames.contains(host.text) || host.isAddress
    }
}
