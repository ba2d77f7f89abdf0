/// Reads `https://host[:port]`.
package enum EndpointText {
    /// Why a string is not the address of a service.
    package struct Failure: Error {
        /// What is wrong.
        package var message: String
        /// What to write instead.
        package var remedy: String
    }

    /// Host without brackets, and port.
    package static func read(_ text: String) throws(Failure) -> (host: String, port: UInt16) {
        guard let colon = text.firstRange(of: "://") else {
            throw Failure(
                message: "'endpoint' has no scheme", remedy: "start it with https://")
        }
        guard text[..<colon.lowerBound].lowercased() == "https" else {
            throw Failure(
                message: "'endpoint' must start with https://",
                remedy: "APNs requires TLS; the simulator provides its own ca_file")
        }
        var rest = text[colon.upperBound...]
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        guard !rest.contains(where: { "/?#@ ".contains($0) }) else {
            throw Failure(
                message: "'endpoint' must be only a host and a port",
                remedy: "write https://host:port without user, path or query")
        }
        let (host, port) = try hostAndPort(rest, of: "endpoint", scheme: "https")
        return (host, port ?? 443)
    }

    /// Host without brackets, and port; nil if there is none.
    static func hostAndPort(
        _ text: Substring, of key: String, scheme: String
    ) throws(Failure) -> (host: String, port: UInt16?) {
        let (host, portText) = try split(text, of: key, scheme: scheme)
        guard let portText else { return (host, nil) }
        let isNumber = portText.allSatisfy { $0.isASCII && $0.isNumber }
        guard isNumber, let port = UInt16(portText), port > 0 else {
            throw Failure(
                message: "'\(key)' has an invalid port", remedy: "write a port from 1 to 65535")
        }
        return (host, port)
    }

    private static func split(
        _ text: Substring, of key: String, scheme: String
    ) throws(Failure) -> (host: String, port: Substring?) {
        let noHost = Failure(
            message: "'\(key)' has no host", remedy: "write \(scheme)://host:port")
        if text.first == "[" {
            guard let close = text.firstIndex(of: "]") else { throw noHost }
            let host = text[text.index(after: text.startIndex)..<close]
            let after = text[text.index(after: close)...]
            let isAddress =
                host.contains(":")
                && host.allSatisfy { $0.isASCII && ($0.isHexDigit || ".:".contains($0)) }
            guard isAddress, after.isEmpty || after.first == ":" else { throw noHost }
            return (String(host), after.isEmpty ? nil : after.dropFirst())
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let host = parts.first, !host.isEmpty else {
            throw parts.count > 2
                ? Failure(
                    message: "'\(key)' has more than one ':' in its host",
                    remedy: "write an IPv6 address in brackets: \(scheme)://[::1]:2197") : noHost
        }
        let isName =
            host.utf8.count <= 253
            && host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
        guard isName else {
            throw Failure(
                message: "'\(key)' has an invalid host name",
                remedy: "write letters, digits, '-' and '.' only")
        }
        return (String(host), parts.count == 2 ? parts[1] : nil)
    }
}
