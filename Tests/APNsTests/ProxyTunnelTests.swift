import Testing

@testable import APNs

@Suite struct `A proxy's tunnel` {
    static let proxy = HTTPProxy(
        host: "proxy.corp", port: 3128, user: "apns", password: "p:s%word")

    static func tunnel(_ proxy: HTTPProxy = proxy) -> ProxyTunnel {
        ProxyTunnel(proxy, to: "api.push.apple.com:443")
    }

    /// Why a tunnel rejects a response; nil if it does not.
    static func refusal(_ response: String, _ proxy: HTTPProxy = proxy) -> String? {
        var tunnel = tunnel(proxy)
        do {
            _ = try tunnel.receive([UInt8](response.utf8))
            return nil
        } catch { return error.message }
    }

    @Test(arguments: [
        (
            "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n",
            "it responded 407 Proxy Authentication Required: it rejected the password of 'apns'"
        ),
        (
            "HTTP/1.1 403 Forbidden\r\nContent-Length: 4\r\n\r\nnope",
            "it responded 403 Forbidden: configure it to allow CONNECT to api.push.apple.com:443"
        ),
        (
            "HTTP/1.0 502\r\n\r\n",
            "it responded 502: ask its operator why it cannot reach api.push.apple.com:443"
        ),
        (
            "SSH-2.0-OpenSSH_9.2\r\n",
            "it does not respond like an HTTP proxy: check host and port in 'proxy'"
        ),
        (
            "\u{15}\u{3}\u{3}",
            "it does not respond like an HTTP proxy: check host and port in 'proxy', "
                + "which is contacted without TLS"
        ),
        (
            "HTTP/1.1 2000 OK\r\n\r\n",
            "it does not respond like an HTTP proxy: check host and port in 'proxy'"
        ),
        (
            "HTTP/1.1 \r\n\r\n",
            "it does not respond like an HTTP proxy: check host and port in 'proxy'"
        ),
    ])
    func `reports the proxy's response, and what to do, if it is refused`(
        response: String, message: String
    ) {
        #expect(Self.refusal(response) == "the proxy proxy.corp:3128: \(message)")
    }

    @Test func `without a user explains how to set one`() {
        let message = Self.refusal(
            "HTTP/1.1 407 No\r\n\r\n", HTTPProxy(host: "fd00::1", port: 8080))
        #expect(
            message == "the proxy [fd00::1]:8080: it responded 407 No: it requires a user: "
                + "write proxy: http://user:password@host:port")
    }

    @Test func `gives up an endless response`() {
        let endless = "HTTP/1.1 200 OK\r\n" + String(repeating: "a: b\r\n", count: 2000)
        #expect(
            Self.refusal(endless)
                == "the proxy proxy.corp:3128: its response is longer than 8192 bytes: "
                + "'proxy' must be the address of an HTTP proxy")
    }

    @Test func `never shows the password`() {
        let texts = [
            "\(Self.proxy)", String(reflecting: Self.proxy), Self.proxy.authorization ?? "",
            Self.refusal("HTTP/1.1 407 p:s%word\r\n\r\n", HTTPProxy(host: "h", port: 1)) ?? "",
        ]
        var dumped = ""
        dump(Self.proxy, to: &dumped)
        #expect(!texts[0].contains("p:s%word"))
        #expect(!texts[1].contains("p:s%word"))
        #expect(!texts[2].contains("p:s%word"))
        #expect(!dumped.contains("p:s%word"))
    }

    @Test func `names the destination and the user`() {
        let tunnel = Self.tunnel()
        #expect(
            String(decoding: tunnel.output, as: UTF8.self)
                == "CONNECT api.push.apple.com:443 HTTP/1.1\r\n"
                + "Host: api.push.apple.com:443\r\n"
                + "Proxy-Authorization: Basic YXBuczpwOnMld29yZA==\r\n\r\n")
    }

    @Test(arguments: [
        "HTTP/1.1 200 Connection established\r\n\r\n",
        "HTTP/1.0 200 OK\r\nVia: 1.1 proxy\r\nProxy-Agent: squid\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 299\r\nContent-Length: 12\r\n\r\n",
        "HTTP/1.1 200 OK\n\n",
    ])
    func `is opened by a response in pieces of any size`(response: String) throws {
        for size in 1...response.utf8.count {
            var tunnel = Self.tunnel()
            var rest = [UInt8](response.utf8) + [0x16, 0x03]
            var beyond: [UInt8] = []
            while !rest.isEmpty {
                let piece = Array(rest.prefix(size))
                rest.removeFirst(piece.count)
                beyond += tunnel.isOpen ? piece : try tunnel.receive(piece)
            }
            #expect(tunnel.isOpen)
            #expect(beyond == [0x16, 0x03])
        }
    }

    @Test func `never crashes on any response of a proxy`() {
        var random = Randomness(seed: 11)
        let response = [UInt8]("HTTP/1.1 407 Proxy\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\n\r\n".utf8)
        for _ in 0..<3000 {
            var bytes = response
            for _ in 0...random.below(4) {
                bytes[random.below(bytes.count)] = UInt8(random.below(256))
            }
            var tunnel = Self.tunnel()
            while !bytes.isEmpty, !tunnel.isOpen {
                let piece = Array(bytes.prefix(1 + random.below(20)))
                bytes.removeFirst(piece.count)
                do { _ = try tunnel.receive(piece) } catch { break }
            }
        }
    }
}
