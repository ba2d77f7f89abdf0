/// The address of a service, taken apart.
struct AWSEndpoint: Equatable, Sendable {
    var scheme: String
    /// The host, with its port unless that is the scheme's own.
    var host: String
    var path: String

    init(scheme: String, host: String, path: String) {
        self.scheme = scheme
        self.host = host
        self.path = path
    }

    /// Nil unless it is an address of HTTP, without a user and a fragment, in characters that need
    /// no encoding. A query stays with the path.
    init?(_ text: String) {
        guard let mark = text.firstRange(of: "://"),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            !text.contains(where: { "\\#@".contains($0) })
        else { return nil }
        scheme = text[..<mark.lowerBound].lowercased()
        let rest = text[mark.upperBound...]
        host = rest.prefix { $0 != "/" && $0 != "?" }.lowercased()
        let path = String(rest.dropFirst(host.count))
        self.path = path.hasPrefix("/") ? path : "/" + path
        let ports = ["http": ":80", "https": ":443"]
        guard let port = ports[scheme], !host.isEmpty else { return nil }
        if host.hasSuffix(port) { host.removeLast(port.count) }
        guard !name.isEmpty else { return nil }
    }

    /// The whole address.
    var url: String { "\(scheme)://\(host)\(path)" }

    /// The address without its path and query, which may be secrets.
    var shown: String { "\(scheme)://\(host)" }

    /// The name or the address of the host, without the port, and without brackets.
    var name: String {
        if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }) }
        return String(host.prefix { $0 != ":" })
    }
}
