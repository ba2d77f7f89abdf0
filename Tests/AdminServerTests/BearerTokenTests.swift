import Testing

@testable import AdminServer

@Suite struct `A path that requires a token` {
    private let router = AdminRouter(
        routes: [
            AdminRoute("GET", "/health", isOpen: true) { _ in .text("well") },
            AdminRoute("GET", "/status") { _ in .text("all of it") },
        ],
        access: AccessRules(hostNames: []), token: BearerToken(Array("secret".utf8)))

    private func respond(_ path: String, _ authorization: String? = nil) -> AdminResponse {
        var headers = ["host": "localhost"]
        headers["authorization"] = authorization
        let request = AdminRequest(method: "GET", path: path, headers: headers)
        return router.reply(to: request).immediate ?? AdminResponse(status: 0)
    }

    @Test(arguments: ["Bearer secret", "bearer secret"])
    func `responds to requests with the token`(authorization: String) {
        #expect(respond("/status", authorization).status == 200)
    }

    @Test(arguments: [
        nil, "", "Bearer", "Bearer ", "Bearer secre", "Bearer secrets", "Bearer secretsecret",
        "Basic secret", "secret", "Bearer secret x",
    ])
    func `rejects other requests, and says what it requires`(authorization: String?) {
        let response = respond("/status", authorization)
        #expect(response.status == 401)
        #expect(response.headers["www-authenticate"] == "Bearer")
        #expect(!String(decoding: response.body, as: UTF8.self).contains("all of it"))
    }

    @Test func `leaves the open paths open`() {
        #expect(respond("/health").status == 200)
    }

    @Test func `requires nothing if no token is set`() {
        var open = router
        open.token = nil
        let request = AdminRequest(
            method: "GET", path: "/status", headers: ["host": "localhost"])
        #expect(open.reply(to: request).immediate?.status == 200)
    }
}
