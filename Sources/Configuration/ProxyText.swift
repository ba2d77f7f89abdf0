internal import APNs

/// Parses `http://[user:password@]host:port`. No message quotes any of it: it may be a secret.
enum ProxyText {
    static func read(_ text: String) throws(EndpointText.Failure) -> HTTPProxy {
        let form = "write http://host:port or http://user:password@host:port"
        guard let colon = text.firstRange(of: "://") else {
            throw EndpointText.Failure(message: "'proxy' has no scheme", remedy: form)
        }
        guard text[..<colon.lowerBound].lowercased() == "http" else {
            throw EndpointText.Failure(
                message: "'proxy' must begin with http://",
                remedy:
                    "the connection to the proxy is plain HTTP; the traffic through it is TLS to"
                    + " Apple"
            )
        }
        var rest = text[colon.upperBound...]
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        var user: String?
        var password = ""
        if let at = rest.lastIndex(of: "@") {
            let parts = rest[..<at].split(
                separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decoded(parts[0]), !name.isEmpty, !name.contains(":"),
                let word = parts.count > 1 ? decoded(parts[1]) : ""
            else {
                throw EndpointText.Failure(
                    message: "'proxy' has a user or password with invalid percent-encoding",
                    remedy: "write '%' as %25, ':' as %3A and '@' as %40 in them")
            }
            user = name
            password = word
            rest = rest[rest.index(after: at)...]
        }
        guard !rest.contains(where: { "/?# ".contains($0) }) else {
            throw EndpointText.Failure(
                message: "'proxy' must be only a user, a host and a port", remedy: form)
        }
        let (host, port) = try EndpointText.hostAndPort(rest, of: "proxy", scheme: "http")
        guard let port else {
            throw EndpointText.Failure(message: "'proxy' has no port", remedy: form)
        }
        return HTTPProxy(host: host, port: port, user: user, password: password)
    }

    /// Percent-decodes a string (RFC 3986, 2.1); nil for an invalid encoding, or a character that
    /// headers must not contain.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                rest.count >= 2
            else { return nil }
            rest = rest.dropFirst(2)
            bytes.append(value)
        }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
