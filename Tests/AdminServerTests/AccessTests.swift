import Testing

@testable import AdminServer

@Suite struct `A request to an admin server` {
    private func status(
        _ headers: [String: String], _ method: String = "GET", hostNames: [String] = []
    ) -> Int? {
        let request = AdminRequest(method: method, path: "/", headers: headers)
        return AccessRules(hostNames: hostNames).refusal(of: request)?.status
    }

    @Test(arguments: ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "1.2.3"])
    func `is rejected if it names a foreign host`(host: String) {
        #expect(status(["host": host]) == 421)
        #expect(status(["host": "\(host):2198"]) == 421)
    }

    @Test func `is rejected if it names no host`() {
        #expect(status([:]) == 400)
        #expect(status(["host": ""]) == 400)
    }

    @Test(arguments: [
        "http://evil.example", "null", "http://localhost:1", "https://localhost:1",
    ])
    func `is rejected if it comes from a foreign page`(origin: String) {
        #expect(status(["host": "localhost:2198", "origin": origin], "POST") == 403)
        #expect(status(["host": "localhost:2198", "origin": origin], "GET") == 403)
    }

    @Test(arguments: ["cross-site", "same-site"])
    func `is rejected if a browser says that a foreign page requests a change`(site: String) {
        #expect(status(["host": "localhost", "sec-fetch-site": site], "DELETE") == 403)
    }

    @Test(arguments: [
        "localhost", "LOCALHOST:2198", "127.0.0.1:2198", "[::1]:2198", "10.0.0.7", "Simulator:2198",
    ])
    func `is accepted if it names the server's own host`(host: String) {
        #expect(status(["host": host], hostNames: ["simulator"]) == nil)
    }

    @Test(arguments: ["http", "https"])
    func `is accepted if it comes from the server's own page, also behind TLS`(scheme: String) {
        let headers = [
            "host": "localhost:2198", "origin": "\(scheme)://localhost:2198",
            "sec-fetch-site": "same-origin",
        ]
        #expect(status(headers, "POST") == nil)
    }
}
