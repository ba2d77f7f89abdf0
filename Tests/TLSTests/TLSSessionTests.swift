internal import TLS
internal import Testing

@Suite struct `A TLS session` {
    let authority: CertificateAuthority

    init() throws { authority = try CertificateAuthority.generate(name: "Test Authority") }

    @Test func `rejects a server of an unknown authority`() throws {
        let other = try CertificateAuthority.generate(name: "Another Authority")
        let wire = try Wire(authority, trusting: .pem(other.certificatePEM))
        wire.talk()
        let failure = wire.clientError
        let error = try #require(failure)
        #expect(error.code == .untrustedPeer)
        #expect(error.detail.contains("certificate verify failed: unable to get local issuer"))
        #expect(error.detail.contains("CN = localhost, issued by CN = Test Authority"))
        #expect(!wire.clientStands)
    }

    @Test func `rejects a server that only the system's roots would trust`() throws {
        let wire = try Wire(authority, trusting: .system)
        wire.talk()
        #expect(wire.clientError?.code == .untrustedPeer)
    }

    @Test func `sends a rejected server the reason`() throws {
        let other = try CertificateAuthority.generate(name: "Another Authority")
        let wire = try Wire(authority, trusting: .pem(other.certificatePEM))
        wire.talk()
        #expect(wire.serverError?.code == .refusedByPeer)
        #expect(wire.serverError?.cause.contains("unknown ca") == true)
    }

    @Test func `rejects a server with the certificate of another host`() throws {
        let wire = try Wire(authority, issuedTo: ["push.example.com", "10.0.0.1"])
        wire.talk()
        let failure = wire.clientError
        let error = try #require(failure)
        #expect(error.code == .hostNameMismatch)
        #expect(error.detail.contains("connected to localhost"))
        #expect(error.detail.contains("DNS:push.example.com, IP Address:10.0.0.1"))
    }

    @Test func `rejects an IP address that the certificate does not name`() throws {
        let wire = try Wire(authority, issuedTo: ["127.0.0.1"], calling: "127.0.0.2")
        wire.talk()
        #expect(wire.clientError?.code == .hostNameMismatch)
    }

    @Test func `rejects an expired certificate`() throws {
        let wire = try Wire(authority, validFor: -60)
        wire.talk()
        #expect(wire.clientError?.code == .untrustedPeer)
        #expect(wire.clientError?.detail.contains("has expired") == true)
    }

    @Test func `rejects a server without a common protocol`() throws {
        let wire = try Wire(authority, serverALPN: ["http/1.1"])
        wire.talk()
        #expect(wire.clientError?.code == .noCommonProtocol)
        #expect(wire.serverError?.code == .noCommonProtocol)
    }

    @Test func `rejects a server without ALPN`() throws {
        let wire = try Wire(authority, serverALPN: [])
        wire.talk()
        #expect(wire.clientError?.code == .noCommonProtocol)
        #expect(!wire.clientStands)
    }

    @Test func `rejects a client without ALPN`() throws {
        let wire = try Wire(authority, clientALPN: [])
        wire.talk()
        #expect(wire.serverError?.code == .noCommonProtocol)
        #expect(!wire.serverStands)
    }

    @Test func `refuses to write before the handshake is over`() throws {
        let wire = try Wire(authority)
        #expect(throws: TLSError(.notReady, "the handshake is not over")) {
            try wire.client.write(bytes: [1])
        }
    }

    @Test(arguments: ["", "a b", "local\u{0}host", "höst", String(repeating: "a", count: 300)])
    func `rejects an invalid host name`(name: String) throws {
        let context = try TLSContext.client(trustRoots: .pem(authority.certificatePEM))
        let error = #expect(throws: TLSError.self) {
            _ = try TLSSession(client: context, hostName: name)
        }
        #expect(error?.code == .badHostName)
    }

    @Test func `reports the same failure again if it is used after that`() throws {
        let wire = try Wire(authority)
        wire.talk()
        let garbage = [UInt8](repeating: 0x41, count: 100)
        let failure = #expect(throws: TLSError.self) {
            try wire.client.receive(bytes: garbage)
            _ = try wire.client.readAll()
        }
        let first = try #require(failure)
        #expect(throws: first) { try wire.client.receive(bytes: [1]) }
        #expect(throws: first) { try wire.client.write(bytes: [1]) }
    }

    @Test(arguments: ["localhost", "LOCALHOST", "localhost.", "127.0.0.1", "::1", "a.push.test"])
    func `accepts a server under each name of its certificate`(host: String) throws {
        let names = ["localhost", "127.0.0.1", "::1", "*.push.test"]
        let wire = try Wire(authority, issuedTo: names, calling: host)
        wire.talk()
        #expect(wire.clientError == nil)
        #expect(wire.clientStands && wire.serverStands)
        #expect(wire.agreed == ["h2", "h2"])
    }

    @Test func `carries many records both ways`() throws {
        let wire = try Wire(authority)
        wire.talk()
        let long = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try wire.client.write(bytes: long)
        try wire.server.write(bytes: [7, 8, 9])
        let fromServer = wire.server.takeOutput()
        try wire.server.receive(bytes: wire.client.takeOutput())
        try wire.client.receive(bytes: fromServer)
        #expect(try wire.server.readAll().bytes == long)
        #expect(try wire.client.readAll().bytes == [7, 8, 9])
    }

    @Test func `keeps output that was not taken`() throws {
        let wire = try Wire(authority)
        wire.talk()
        try wire.client.write(bytes: [UInt8](repeating: 5, count: 50_000))
        var received: [UInt8] = []
        var step = 1
        while wire.client.hasOutput {
            var piece: [UInt8] = []
            wire.client.withOutput { span in
                piece = Array(copy(of: span).prefix(step))
                return piece.count
            }
            step = step &* 3 % 40_009
            try wire.server.receive(bytes: piece)
            received += try wire.server.readAll().bytes
        }
        #expect(received == [UInt8](repeating: 5, count: 50_000))
    }

    @Test func `accepts its handshake byte by byte`() throws {
        let wire = try Wire(authority)
        try wire.client.start()
        while wire.client.hasOutput || wire.server.hasOutput {
            for byte in wire.client.takeOutput() { try wire.server.receive(bytes: [byte]) }
            for byte in wire.server.takeOutput() { try wire.client.receive(bytes: [byte]) }
        }
        #expect(wire.clientStands && wire.serverStands)
    }

    @Test func `sends and receives close_notify`() throws {
        let wire = try Wire(authority)
        wire.talk()
        try wire.client.write(bytes: [1, 2])
        wire.client.close()
        wire.talk()
        let last = try wire.server.readAll()
        #expect(last.bytes == [1, 2])
        #expect(!last.isOpen)
        #expect(throws: TLSError(.notReady, "this side is closed")) {
            try wire.client.write(bytes: [1])
        }
        try wire.server.write(bytes: [3])
        wire.talk()
        #expect(try wire.client.readAll().bytes == [3])
    }

    @Test func `uses TLS 1.3`() throws {
        let wire = try Wire(authority)
        try wire.client.start()
        try wire.server.receive(bytes: wire.client.takeOutput())
        let hello = wire.server.takeOutput()
        // The extension supported_versions (43) of the server's hello says 0x0304.
        #expect(
            hello.indices.dropLast(5).contains {
                Array(hello[$0..<$0 + 6]) == [0, 43, 0, 2, 3, 4]
            })
    }
}
