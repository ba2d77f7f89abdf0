/// Which requests are allowed: none with a foreign host name, and none from a foreign web page.
///
/// A web page can make a browser send requests to this machine. It cannot read the responses,
/// because none allows it to, unless its own name resolves to this machine (DNS rebinding): then
/// that name is in `host`. And it cannot hide where it comes from: that is in `origin`.
struct AccessRules: Sendable {
    /// The names, in lower case, by which the server may be called; any address may be used too.
    let hostNames: Set<String>

    init(hostNames: [String]) {
        self.hostNames = Set(hostNames.map { $0.lowercased() }).union(["localhost"])
    }

    /// Why a request is refused; nil if it is not.
    func refusal(of request: AdminRequest) -> AdminResponse? {
        guard let host = request.headers["host"], !host.isEmpty else {
            return .refusal(400, "the request has no Host field", "send a Host field")
        }
        guard mayBeCalled(host) else {
            return .refusal(
                421, "the Host field names a different server",
                "use localhost or an IP address, or start the server with --host-name NAME")
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

    private func isOwn(_ origin: String, host: String) -> Bool {
        origin.lowercased() == "http://\(host.lowercased())"
    }

    private func mayBeCalled(_ host: String) -> Bool {
        let name = Self.name(of: host.lowercased())
        return hostNames.contains(name) || Self.isAddress(name)
    }

    /// A host without its port.
    private static func name(of host: String) -> String {
        if host.hasPrefix("[") { return String(host.prefix { $0 != "]" }) + "]" }
        return String(host.prefix { $0 != ":" })
    }

    private static func isAddress(_ name: String) -> Bool {
        if name.hasPrefix("["), name.hasSuffix("]") { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { (1...3).contains($0.utf8.count) && UInt8($0) != nil }
    }
}
