import AdminServer
import HTTPClient
import Testing

@Suite struct `A request over HTTP` {
    /// Responds to one client after the other, on a free port.
    private func withServer(_ body: (String) throws -> Void) throws {
        let server = AdminServer(
            settings: AdminSettings(),
            routes: [
                AdminRoute("GET", "/small") { _ in .text("well") },
                AdminRoute("GET", "/large") { _ in
                    AdminResponse(status: 200, body: [UInt8](repeating: 97, count: 300_000))
                },
                AdminRoute("GET", "/missing") { _ in .text("no such thing", status: 404) },
                AdminRoute("GET", "/login") { .text($0.headers["authorization"] ?? "nobody") },
                AdminRoute("POST", "/echo") { AdminResponse(status: 200, body: $0.body) },
                AdminRoute("POST", "/busy") { _ in
                    AdminResponse(status: 503, headers: ["Retry-After": "7"])
                },
                AdminRoute("PUT", "/count") { .text("\($0.body.count)") },
            ])
        let port = try server.start()
        defer { server.stop() }
        try body("http://127.0.0.1:\(port)")
    }

    private func getter(
        _ change: (inout HTTPGetterOptions) -> Void = { _ in }
    ) throws -> HTTPGetter {
        var options = HTTPGetterOptions()
        options.usesProxy = false
        change(&options)
        guard let getter = HTTPGetter(options) else { throw HTTPClientError.memory }
        return getter
    }

    private enum HTTPClientError: Error { case memory }

    private func text(_ status: Int, _ body: String) -> HTTPResponse {
        .responded(status: status, body: [UInt8](body.utf8))
    }

    @Test func `fails with a reason if nobody listens`() throws {
        var address = ""
        try withServer { address = $0 }
        var getter = try getter()
        guard case .failed(let reason) = getter.get("\(address)/small", while: { true }) else {
            Issue.record("it did not fail")
            return
        }
        #expect(reason.lowercased().contains("connect"))
    }

    @Test func `ends when its caller gives up, and the next one is sent`() throws {
        try withServer { address in
            var getter = try getter()
            #expect(getter.get("\(address)/large", while: { false }) == .abandoned)
            #expect(getter.get("\(address)/small", while: { true }) == text(200, "well"))
        }
    }

    @Test func `reads no more than allowed, and returns how it begins`() throws {
        try withServer { address in
            var getter = try getter { $0.maxBytes = 200_000 }
            let beginning = [UInt8](repeating: 97, count: 64 << 10)
            let response = getter.get("\(address)/large", while: { true })
            #expect(response == .tooLarge(status: 200, beginning: beginning))
            #expect(getter.get("\(address)/small", while: { true }) == text(200, "well"))
        }
    }

    @Test func `returns the body of an error`() throws {
        try withServer { address in
            var getter = try getter()
            let response = getter.get("\(address)/missing", while: { true })
            #expect(response == text(404, "no such thing"))
        }
    }

    @Test func `leaves nothing of a form to the next one`() throws {
        try withServer { address in
            var getter = try getter()
            for size in [0, 1, 60_000] {
                let form = [UInt8](repeating: 98, count: size)
                let response = getter.post(form, to: "\(address)/echo", while: { true })
                #expect(response == .responded(status: 200, body: form))
                #expect(getter.put("\(address)/count", while: { true }) == text(200, "0"))
                #expect(getter.get("\(address)/small", while: { true }) == text(200, "well"))
            }
        }
    }

    @Test func `names its user or its token`() throws {
        try withServer { address in
            var anonymous = try getter()
            #expect(anonymous.get("\(address)/login", while: { true }) == text(200, "nobody"))
            var named = try getter {
                $0.username = "ann"
                $0.password = "secret"
            }
            let response = named.get("\(address)/login", while: { true })
            #expect(response == text(200, "Basic YW5uOnNlY3JldA=="))
            var token = try getter { $0.token = "abc" }
            #expect(token.get("\(address)/login", while: { true }) == text(200, "Bearer abc"))
        }
    }

    @Test func `returns how long the server asks to wait`() throws {
        try withServer { address in
            let client = HTTPPoster(
                url: "\(address)/busy", contentType: "application/json", agent: "tests")
            guard var client else { throw HTTPClientError.memory }
            let body = [UInt8](repeating: 99, count: 60_000)
            for _ in 0..<3 {
                let reply = client.post(body, while: { true })
                #expect(reply == .responded(status: 503, retryAfter: 7))
            }
        }
    }
}
