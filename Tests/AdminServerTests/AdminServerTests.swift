import Testing

@testable import AdminServer

@Suite struct `An admin server` {
    private func withServer(_ body: (UInt16) throws -> Void) throws {
        let server = AdminServer(
            settings: AdminSettings(),
            routes: [
                AdminRoute("GET", "/health") { _ in .text("well\n") },
                AdminRoute("GET", "/devices/{token}") { request in
                    .text("\(request.parameters["token"] ?? "") \(request.query["limit"] ?? "-")")
                },
                AdminRoute("POST", "/echo") { .text(String(decoding: $0.body, as: UTF8.self)) },
                AdminRoute("DELETE", "/") { _ in AdminResponse(status: 204) },
            ])
        let port = try server.start()
        defer { server.stop() }
        try body(port)
    }

    @Test func `reports an address that it cannot use`() throws {
        try withServer { port in
            let second = AdminServer(settings: AdminSettings(port: port), routes: [])
            let error = #expect(throws: AdminError.self) { try second.start() }
            #expect(
                error?.description == "cannot listen on 127.0.0.1:\(port): address already in use")
        }
    }

    @Test func `reports an unknown host`() throws {
        let server = AdminServer(settings: AdminSettings(host: "256.1.1.1"), routes: [])
        let error = #expect(throws: AdminError.self) { try server.start() }
        #expect(error?.description.hasPrefix("cannot listen on 256.1.1.1:0: ") == true)
    }

    @Test func `responds to a client while hundreds of others are connected and silent`() throws {
        try withServer { port in
            let silent = try (0..<300).map { _ in try RawClient(port: port) }
            #expect(try RawClient.ask(port, "GET /health").hasPrefix("HTTP/1.1 200 "))
            #expect(silent.count == 300)
        }
    }

    @Test func `keeps an active client while silent ones come and go`() throws {
        try withServer { port in
            let speaker = try RawClient(port: port)
            var silent: [RawClient] = []
            for _ in 0..<300 {
                silent.append(try RawClient(port: port))
                speaker.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(speaker.response(until: "well\n").hasPrefix("HTTP/1.1 200 "))
            }
        }
    }

    @Test func `keeps a client that was served and is silent, like many others`() throws {
        try withServer { port in
            let speaker = try RawClient(port: port)
            speaker.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(speaker.response(until: "well\n").hasPrefix("HTTP/1.1 200 "))
            let silent = try (0..<300).map { _ in try RawClient(port: port) }
            #expect(try RawClient.ask(port, "GET /health").hasPrefix("HTTP/1.1 200 "))
            speaker.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(speaker.response(until: "well\n").hasPrefix("HTTP/1.1 200 "))
            #expect(silent.count == 300)
        }
    }

    @Test func `frees its port when it stops`() throws {
        let first = AdminServer(settings: AdminSettings(), routes: [])
        let port = try first.start()
        first.stop()
        first.stop()
        let second = AdminServer(settings: AdminSettings(port: port), routes: [])
        #expect(try second.start() == port)
        second.stop()
    }

    @Test func `responds to an unknown path with the known ones`() throws {
        try withServer { port in
            let response = try RawClient.ask(port, "GET /nothing")
            #expect(response.hasPrefix("HTTP/1.1 404 "))
            #expect(response.contains(#""error":"no such path""#))
            #expect(response.contains("GET /devices/{token}"))
        }
    }

    @Test func `responds to a wrong method with the allowed ones`() throws {
        try withServer { port in
            let response = try RawClient.ask(port, "DELETE /health")
            #expect(response.hasPrefix("HTTP/1.1 405 "))
            #expect(response.lowercased().contains("allow: get\r\n"))
        }
    }

    @Test func `rejects a body that is announced as too long without reading it`() throws {
        try withServer { port in
            let response = try RawClient.ask(
                port, "POST /echo", fields: ["Content-Length: 65537"])
            #expect(response.hasPrefix("HTTP/1.1 413 "))
            #expect(response.contains("send at most 65536 bytes"))
        }
    }

    @Test func `rejects a body that turns out too long`() throws {
        try withServer { port in
            let chunk = "8000\r\n" + String(repeating: "x", count: 0x8000) + "\r\n"
            let client = try RawClient(port: port)
            client.send(
                "POST /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n" + chunk + chunk + chunk + "0\r\n\r\n")
            #expect(client.response().hasPrefix("HTTP/1.1 413 "))
        }
    }

    @Test func `hands over a body whole`() throws {
        try withServer { port in
            let body = String(repeating: "0123456789", count: 6_000)
            let response = try RawClient.ask(port, "POST /echo", body: body)
            #expect(response.hasPrefix("HTTP/1.1 200 "))
            #expect(response.hasSuffix("\r\n\r\n" + body))
        }
    }

    @Test func `hands over path and query`() throws {
        try withServer { port in
            let response = try RawClient.ask(port, "GET /devices/a%20b?limit=7&limit=8&x")
            #expect(response.hasSuffix("\r\n\r\na b 8"))
        }
    }

    @Test func `responds to HEAD like GET without a body`() throws {
        try withServer { port in
            let response = try RawClient.ask(port, "HEAD /health")
            #expect(response.hasPrefix("HTTP/1.1 200 "))
            #expect(response.lowercased().contains("content-length: 5\r\n"))
            #expect(response.hasSuffix("\r\n\r\n"))
        }
    }

    @Test func `forbids caching and content sniffing`() throws {
        try withServer { port in
            let response = try RawClient.ask(port, "DELETE /").lowercased()
            #expect(response.hasPrefix("http/1.1 204 "))
            #expect(response.contains("cache-control: no-store\r\n"))
            #expect(response.contains("x-content-type-options: nosniff\r\n"))
            #expect(!response.contains("access-control-"))
        }
    }

    @Test func `continues if a client does not speak HTTP or disconnects early`() throws {
        try withServer { port in
            let noise = try RawClient(port: port)
            noise.send("\u{16}\u{3}\u{1} this is no HTTP\r\n\r\n")
            _ = noise.response()
            do {
                let half = try RawClient(port: port)
                half.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf")
            }
            #expect(try RawClient.ask(port, "GET /health").hasSuffix("well\n"))
        }
    }
}
