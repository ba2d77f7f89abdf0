import Testing

@testable import AdminServer

@Suite struct `A request that two servers may read differently` {
    private func response(_ lines: [String], body: String = "") throws -> String {
        var settings = AdminSettings()
        settings.idleTimeout = 5
        let server = AdminServer(
            settings: settings,
            routes: [
                AdminRoute("GET", "/open", isOpen: true) { _ in .text("open") },
                AdminRoute("POST", "/open", isOpen: true) { _ in .text("open") },
            ])
        let port = try server.start()
        defer { server.stop() }
        let client = try RawClient(port: port)
        client.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
        return client.response()
    }

    @Test(arguments: [
        ["POST /open HTTP/1.1", "Host: localhost", "Content-Length: 3", "Content-Length: 5"],
        ["POST /open HTTP/1.1", "Host: localhost", "Content-Length: 3", "Content-Length: 3"],
        [
            "POST /open HTTP/1.1", "Host: localhost", "Content-Length: 3",
            "Transfer-Encoding: chunked",
        ],
        ["POST /open HTTP/1.1", "Host: localhost", "Content-Length: +3"],
        ["GET /open HTTP/1.1", "Host: localhost", "Host: evil.example"],
        ["GET /open%00/secret HTTP/1.1", "Host: localhost"],
        ["GET /open\0/secret HTTP/1.1", "Host: localhost"],
        ["GET /open?a=\0b HTTP/1.1", "Host: localhost"],
        ["GET /open HTTP/1.1\0", "Host: localhost"],
        ["GET /open HTTP/1.1", "Host: localhost\0.evil.example"],
        ["GET /open HTTP/1.1", "Host : localhost"], ["GET /open HTTP/1.1", "Host\t: localhost"],
        ["GET /open HTTP/1.1", "Host: localhost", "Content-Length : 3"],
        ["POST /open HTTP/1.1", "Host: localhost", "Transfer-Encoding : chunked"],
        [
            "POST /open HTTP/1.1", "Host: localhost", "Transfer-Encoding: chunked",
            "Transfer-Encoding: chunked",
        ],
        [
            "POST /open HTTP/1.1", "Host: localhost", "Transfer-Encoding: chunked",
            "Transfer-Encoding: identity",
        ],
        ["POST /open HTTP/1.1", "Host: localhost", "Transfer-Encoding: gzip, chunked"],
        ["POST /open HTTP/1.1", "Host: localhost", "Transfer-Encoding: identity"],
        ["POST /open HTTP/1.1", "Host: localhost", "Transfer-Encoding: xchunked"],
        ["POST /open HTTP/1.1", "Host: localhost", "Transfer-Encoding: "],
        ["POST /open HTTP/1.0", "Host: localhost", "Transfer-Encoding: chunked"],
        ["GET /open HTTP/1.1", "Host: localhost", "X-Long: a", " b"],
        ["GET /open HTTP/1.1", "Host: localhost", "X-Long: a", "\tContent-Length: 3"],
        ["GET /open HTTP/1.1", " Host: localhost"],
        ["GET /open HTTP/1.1", "Host: [evil].example"],
        ["GET /open HTTP/1.1", "Host: [evil.example]"],
        ["GET /open HTTP/1.1", "Host: [::1].evil.example"],
        ["GET /open HTTP/1.1", "Host: [::1"], ["GET /open HTTP/1.1", "Host: localhost:80:90"],
        ["GET /open HTTP/1.1", "Host: localhost:evil"],
        ["GET /open HTTP/1.1", "Host: localhost/evil"],
        ["GET /open HTTP/1.1", "Host: evil@localhost"],
        ["GET /open HTTP/1.1", "Host: localhost", "No colon"],
        ["GET /open HTTP/1.1", "Host: localhost", ": nothing"],
        ["GET /open HTTP/1.1", "Host: localhost", "A(b): c"],
    ])
    func `is refused, and its connection is closed`(lines: [String]) throws {
        let response = try response(lines, body: lines[0].hasPrefix("POST") ? "0\r\n\r\n" : "")
        #expect(response.hasPrefix("HTTP/1.1 400 ") || response.isEmpty, "\(response)")
        #expect(
            response.isEmpty || response.lowercased().contains("connection: close"),
            "\(response)")
    }

    @Test func `does not decode a zero byte in its query`() throws {
        let response = try response([
            "GET /open?name=a%00b HTTP/1.1", "Host: localhost", "Connection: close",
        ])
        #expect(response.hasSuffix("open"), "\(response)")
    }
}
