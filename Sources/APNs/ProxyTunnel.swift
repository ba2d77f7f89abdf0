/// Asks an HTTP proxy for a tunnel (CONNECT: RFC 9110, 9.3.6) before anything else goes over a
/// connection: bytes in, bytes out, no socket.
struct ProxyTunnel {
    /// A proxy says no more than this before the tunnel is open.
    private static let longestAnswer = 8192
    private let proxy: HTTPProxy
    /// Host and port at the tunnel's far end.
    private let target: String
    /// What of the request was not sent yet.
    private(set) var output: [UInt8]
    private var answer: [UInt8] = []
    /// The tunnel is open: what comes and goes now is the far end's.
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

    /// Forgets what was sent.
    mutating func sent(_ count: Int) { output.removeFirst(count) }

    /// Takes bytes of the proxy; returns those that are the far end's already.
    mutating func receive(_ bytes: [UInt8]) throws(ConnectionFailure) -> [UInt8] {
        answer += bytes
        while let end = endOfHead {
            let status = try status(of: Array(answer[..<end]))
            answer.removeFirst(end)
            // An interim answer comes before the one that counts.
            if (100..<200).contains(status.code), status.code != 101 { continue }
            guard (200..<300).contains(status.code) else { throw refusal(status) }
            isOpen = true
            return answer
        }
        _ = try status(of: answer, isWhole: false)
        guard answer.count <= Self.longestAnswer else {
            throw failure(
                "its response is longer than \(Self.longestAnswer) bytes: "
                    + "'proxy' must be the address of an HTTP proxy")
        }
        return []
    }

    /// The proxy has ended the connection.
    var closed: ConnectionFailure {
        failure(
            "it closed the connection without a response: check that it accepts CONNECT requests")
    }

    /// Where the empty line ends that ends the head of the response.
    private var endOfHead: Int? {
        var lineIsEmpty = false
        for (index, byte) in answer.prefix(Self.longestAnswer).enumerated() {
            if byte == UInt8(ascii: "\n") {
                if lineIsEmpty { return index + 1 }
                lineIsEmpty = true
            } else if byte != UInt8(ascii: "\r") {
                lineIsEmpty = false
            }
        }
        return nil
    }

    /// The status line: `HTTP/1.1 200 Connection established`. Of one that is not whole as much is
    /// checked as is there.
    private func status(
        of head: [UInt8], isWhole: Bool = true
    ) throws(ConnectionFailure) -> (code: Int, phrase: String) {
        let start = Array("HTTP/1.".utf8)
        let line = head.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        let words = String(decoding: line, as: UTF8.self)
            .split(separator: " ", maxSplits: 2).map(String.init)
        let isHTTP = start.starts(with: line.prefix(start.count))
        if isHTTP, !isWhole { return (0, "") }
        guard isHTTP, words.count >= 2, words[1].utf8.count == 3, let code = Int(words[1]),
            code >= 100
        else {
            throw failure(
                "it does not respond like an HTTP proxy: check host and port in 'proxy'"
                    + (head.first == 0x15 ? ", which is contacted without TLS" : ""))
        }
        return (code, words.count > 2 ? words[2] : "")
    }

    private func refusal(_ status: (code: Int, phrase: String)) -> ConnectionFailure {
        let phrase = String(
            status.phrase.unicodeScalars.filter { (" "..."~").contains($0) }.map(Character.init)
                .prefix(80))
        let words = "it responded \(status.code)\(phrase.isEmpty ? "" : " \(phrase)")"
        switch (status.code, proxy.user) {
        case (407, nil):
            return failure(
                "\(words): it requires a user: write proxy: http://user:password@host:port")
        case (407, let user?):
            return failure("\(words): it rejected the password of '\(user)'")
        case (401, _), (403, _), (405, _):
            return failure("\(words): configure it to allow CONNECT to \(target)")
        default:
            return failure("\(words): ask its operator why it cannot reach \(target)")
        }
    }

    private func failure(_ words: String) -> ConnectionFailure {
        ConnectionFailure("the proxy \(proxy.address): \(words)", .proxy)
    }
}
