internal import TLS
internal import Testing

@Suite struct `A TLS session that is resumed` {
    let authority: CertificateAuthority
    let issued: CertificateAuthority.Issued
    let clients: TLSContext

    init() throws {
        authority = try CertificateAuthority.generate(name: "Test Authority")
        issued = try authority.issue(hostNames: ["localhost", "other.test"])
        clients = try TLSContext.client(trustRoots: .pem(authority.certificatePEM))
    }

    private func servers(tickets: Int = 2) throws -> TLSContext {
        try TLSContext.server(
            certificatePEM: issued.certificatePEM, keyPEM: issued.keyPEM, tickets: tickets)
    }

    /// An established connection over which the server has sent something.
    private func connect(
        _ clients: TLSContext? = nil, to servers: TLSContext, as host: String = "localhost"
    ) throws -> Wire {
        let wire = try Wire(
            client: TLSSession(client: clients ?? self.clients, hostName: host),
            server: TLSSession(server: servers))
        wire.talk()
        #expect(wire.clientError == nil)
        #expect(wire.clientStands && wire.serverStands)
        try wire.server.write(bytes: [1])
        wire.talk()
        #expect(try wire.client.readAll().bytes == [1])
        return wire
    }

    @Test func `is never that of another host name`() throws {
        let servers = try servers()
        _ = try connect(to: servers)
        #expect(try !connect(to: servers, as: "other.test").isResumed)
    }

    @Test func `is never that of a context with other roots or another credential`() throws {
        let servers = try servers()
        _ = try connect(to: servers)
        let others = try TLSContext.client(trustRoots: .pem(authority.certificatePEM))
        #expect(try !connect(others, to: servers).isResumed)
    }

    @Test func `starts over if the server no longer knows it`() throws {
        _ = try connect(to: servers())
        let restarted = try servers()
        let wire = try connect(to: restarted)
        #expect(!wire.isResumed)
        #expect(try connect(to: restarted).isResumed)
    }

    @Test func `starts over if the server offers none`() throws {
        let servers = try servers(tickets: 0)
        _ = try connect(to: servers)
        #expect(clients.savedSessions == 0)
        #expect(try !connect(to: servers).isResumed)
    }

    @Test func `is forgotten after a failed handshake`() throws {
        let servers = try servers()
        _ = try connect(to: servers)
        #expect(clients.savedSessions == 2)
        var session = try TLSSession(client: clients, hostName: "localhost")
        try session.start()
        var isBroken = false
        do { try session.receive(bytes: Array("HTTP/1.1 400\r\n\r\n".utf8)) } catch {
            isBroken = true
        }
        #expect(isBroken)
        #expect(clients.savedSessions == 0)
    }

    @Test func `survives a connection that was cut`() throws {
        let servers = try servers()
        var resumed = 0
        var first = try connect(to: servers)
        for _ in 0..<20 {
            // The connection is dropped without a close_notify.
            let wire = try connect(to: servers)
            resumed += wire.isResumed ? 1 : 0
            let agrees = wire.server.isResumed == wire.client.isResumed
            #expect(agrees)
            first = wire
        }
        #expect(first.clientStands)
        #expect(resumed == 20)
    }

    @Test func `survives a connection with corrupted bytes`() throws {
        let servers = try servers()
        let wire = try connect(to: servers)
        #expect(throws: TLSError.self) {
            try wire.client.receive(bytes: [UInt8](repeating: 9, count: 64))
            _ = try wire.client.readAll()
        }
        #expect(try connect(to: servers).isResumed)
    }

    @Test func `negotiates HTTP/2 again`() throws {
        let servers = try servers()
        _ = try connect(to: servers)
        let wire = try connect(to: servers)
        #expect(wire.isResumed)
        #expect(wire.agreed == ["h2", "h2"])
    }

    @Test func `keeps the client's certificate`() throws {
        let client = try authority.issueClient(bundleID: "com.example.shop")
        let clients = try TLSContext.client(
            trustRoots: .pem(authority.certificatePEM),
            certificate: ClientCertificate(pem: client.certificatePEM, keyPEM: client.keyPEM))
        let servers = try TLSContext.server(
            certificatePEM: issued.certificatePEM, keyPEM: issued.keyPEM,
            clientCertificates: .demanded(.pem(authority.certificatePEM)))
        _ = try connect(clients, to: servers)
        let wire = try connect(clients, to: servers)
        #expect(wire.isResumed)
        #expect(wire.peerCertificate?.bundleID == "com.example.shop")
    }

    @Test func `is kept in a bounded store`() throws {
        let servers = try servers(tickets: 10)
        // All begin before one of them could be resumed.
        let wires = try (0..<12).map { _ in
            try Wire(
                client: TLSSession(client: clients, hostName: "localhost"),
                server: TLSSession(server: servers))
        }
        for wire in wires {
            wire.talk()
            _ = try wire.client.readAll()
        }
        #expect(clients.savedSessions == 64)
    }
}
