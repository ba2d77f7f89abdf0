internal import Encoding
internal import TLS
internal import Testing

@Suite struct `A TLS session with a broken peer` {
    let authority: CertificateAuthority

    init() throws { authority = try CertificateAuthority.generate(name: "Test Authority") }

    @Test func `reports a server that does not speak TLS`() throws {
        let wire = try Wire(authority)
        try wire.client.start()
        let error = #expect(throws: TLSError.self) {
            try wire.client.receive(bytes: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
        }
        #expect(error?.code == .protocolViolation)
        #expect(error?.detail.contains("does not speak TLS") == true)
    }

    @Test(arguments: [40, 42, 44, 80, 112, 116] as [UInt8])
    func `reports the number of the alert that ended the handshake`(number: UInt8) throws {
        let wire = try Wire(authority)
        try wire.client.start()
        let error = #expect(throws: TLSError.self) {
            try wire.client.receive(bytes: [0x15, 3, 3, 0, 2, 2, number])
        }
        #expect(error?.code == .refusedByPeer)
        #expect(error?.alert == number)
    }

    @Test func `reports a client that does not speak TLS`() throws {
        let wire = try Wire(authority)
        let error = #expect(throws: TLSError.self) {
            try wire.server.receive(bytes: Array("GET / HTTP/1.1\r\n\r\n".utf8))
        }
        #expect(error?.code == .protocolViolation)
        #expect(error?.detail.contains("does not speak TLS") == true)
    }

    @Test func `rejects a client with TLS 1.1`() throws {
        let wire = try Wire(authority)
        let error = #expect(throws: TLSError.self) {
            try wire.server.receive(bytes: Self.oldClientHello)
        }
        #expect(error?.code == .noCommonVersion)
    }

    @Test func `rejects a server with TLS 1.1`() throws {
        let wire = try Wire(authority)
        try wire.client.start()
        let error = #expect(throws: TLSError.self) {
            try wire.client.receive(bytes: Self.oldServerHello)
        }
        #expect(error?.code == .noCommonVersion)
    }

    @Test func `waits for the rest of a handshake, wherever it is split`() throws {
        let context = try TLSContext.client(trustRoots: .pem(authority.certificatePEM))
        let wire = try Wire(authority)
        try wire.client.start()
        try wire.server.receive(bytes: wire.client.takeOutput())
        let response = wire.server.takeOutput()
        for end in stride(from: 0, to: response.count, by: 7) {
            // Another client: the bytes are not meant for it, and it may only fail cleanly.
            var client = try TLSSession(client: context, hostName: "localhost")
            try client.start()
            do { try client.receive(bytes: Array(response[..<end])) } catch {
                #expect(error.code != .library)
            }
            let stands = client.isEstablished
            #expect(!stands)
        }
    }

    @Test func `survives handshakes with changed bytes`() throws {
        var random = SeededGenerator(seed: 20_260_101)
        for _ in 0..<300 {
            let wire = try Wire(authority)
            try? wire.client.start()
            for _ in 0..<6 {
                let toServer = random.damage(wire.client.takeOutput())
                try? wire.server.receive(bytes: toServer)
                let toClient = random.damage(wire.server.takeOutput())
                try? wire.client.receive(bytes: toClient)
            }
            _ = try? wire.client.readAll()
            _ = try? wire.server.readAll()
        }
    }

    @Test func `survives records with changed bytes and never returns them`() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<100 {
            let wire = try Wire(authority)
            wire.talk()
            try wire.client.write(bytes: Array("a push".utf8))
            var record = wire.client.takeOutput()
            let position = 5 + Int(random.next() % UInt64(record.count - 5))
            record[position] ^= UInt8(1 + random.next() % 255)
            let error = #expect(throws: TLSError.self) {
                try wire.server.receive(bytes: record)
                let read = try wire.server.readAll()
                #expect(read.bytes.isEmpty)
            }
            #expect(error?.code == .protocolViolation)
        }
    }

    /// A hello that offers TLS 1.1 as the highest version.
    static let oldClientHello: [UInt8] = {
        let suites: [UInt8] = [0, 4, 0xC0, 0x0A, 0xC0, 0x09]
        let body: [UInt8] = [3, 2] + [UInt8](repeating: 9, count: 32) + [0] + suites + [1, 0]
        return record(handshake: 1, body)
    }()

    /// A hello that chooses TLS 1.1.
    static let oldServerHello: [UInt8] = {
        let body: [UInt8] = [3, 2] + [UInt8](repeating: 9, count: 32) + [0, 0xC0, 0x0A, 0]
        return record(handshake: 2, body)
    }()

    private static func record(handshake kind: UInt8, _ body: [UInt8]) -> [UInt8] {
        let message = [kind, 0, 0, UInt8(body.count)] + body
        return [22, 3, 1, 0, UInt8(message.count)] + message
    }
}
