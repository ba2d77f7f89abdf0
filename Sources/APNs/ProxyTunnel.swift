/// Asks an HTTP proxy for a tunnel (CONNECT: RFC 9110, 9.3.6) before anything else is sent on a
/// connection: bytes in, bytes out, no socket.
struct ProxyTunnel {
    /// The longest response header accepted from a proxy.
    private static let maxResponseLength = 8192
    private let proxy: HTTPProxy
    /// Host and port of the tunnel's destination.
    private let target: String
    /// The part of the request that has not been sent.
    private(set) var output: [UInt8]
    private var response: [UInt8] = []
    /// The tunnel is open: from now on all bytes belong to the destination.
    private(set) var isOpen = false

    init(_ proxy: HTTPProxy, to target: String) {
        self.proxy = proxy
        self.target = target
        var lines = ["CONNECT \(target) HTTP/1.1", "Host: \(target)"]
        if let authorization = proxy.authorization {
            lines.append("Proxy-Authorization: \(authorization)")
        }
        output = [UInt8]((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// Removes bytes that were sent.
    mutating func sent(_ count: Int) { output.removeFirst(count) }

    /// Receives bytes from the proxy; returns those that already come from the destination.
    mutating func receive(_ bytes: [UInt8]) throws(ConnectionFailure) -> [UInt8] {
        response += bytes
        while let end = endOfHead {
            let status = try status(of: Array(response[..<end]))
            response.removeFirst(end)
            // Interim responses precede the final one.
            if (100..<200).contains(status.code), status.code != 101 { continue }
            guard (200..<300).contains(status.code) else { throw refusal(status) }
            isOpen = true
            return response
        }
        _ = try status(of: response, isWhole: false)
        guard response.count <= Self.maxResponseLength else {
            throw failure(
                "its response is longer than \(Self.maxResponseLength) bytes: "
                    + "'proxy' must be the address of an HTTP proxy")
        }
        return []
    }

    /// The proxy closed the connection.
    var closed: ConnectionFailure {
        failure(
            "it closed the connection without a response: check that it accepts CONNECT requests")
    }

    /// Where the empty line that terminates the response header ends.
    private var endOfHead: Int? {
        var lineIsEmpty = false
        for (index, byte) in response.prefix(Self.maxResponseLength).enumerated() {
            if byte == UInt8(ascii: "\n") {
                if lineIsEmpty { return index + 1 }
                lineIsEmpty = true
            } else if byte != UInt8(ascii: "\r") {
                lineIsEmpty = false
            }
        }
        return nil
    }

    /// Parses the status line: `HTTP/1.1 200 Connection established`. An incomplete one is checked
    /// as far as it has arrived.
    private func status(
        of head: [UInt8], isWhole: Bool = true
    ) throws(ConnectionFailure) -> (code: Int, phrase: String) {
        let start = Array("HTTP/1.".utf8)
        let line = head.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        let message = String(decoding: line, as: UTF8.self)
            .split(separator: " ", maxSplits: 2).map(String.init)
        let isHTTP = start.starts(with: line.prefix(start.count))
        if isHTTP, !isWhole { return (0, "") }
        guard isHTTP, message.count >= 2, message[1].utf8.count == 3, let code = Int(message[1]),
            code >= 100
        else {
            throw failure(
                "it does not respond like an HTTP proxy: check host and port in 'proxy'"
                    + (head.first == 0x15 ? ", which is contacted without TLS" : ""))
        }
        return (code, message.count > 2 ? message[2] : "")
    }

    private func refusal(_ status: (code: Int, phrase: String)) -> ConnectionFailure {
        let phrase = String(
            status.phrase.unicodeScalars.filter { (" "..."~").contains($0) }.map(Character.init)
                .prefix(80))
        let message = "it responded \(status.code)\(phrase.isEmpty ? "" : " \(phrase)")"
        switch (status.code, proxy.user) {
        case (407, nil):
            return failure(
                "\(message): it requires a user: write proxy: http://user:password@host:port")
        case (407, let user?):
            return failure("\(message): it rejected the password of '\(user)'")
        case (401, _), (403, _), (405, _):
            return failure("\(message): configure it to allow CONNECT to \(target)")
        default:
            return failure("\(message): ask its operator why it cannot reach \(target)")
        }
    }

    private func failure(_ message: String) -> ConnectionFailure {
        ConnectionFailure("the proxy \(proxy.address): \(message)", .proxy)
    }
}
