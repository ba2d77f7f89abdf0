internal import Encoding
internal import HTTP2
internal import TLS
internal import Testing

@Suite struct `An HTTP/2 session with a broken peer` {
    @Test func `never crashes on changed bytes, and accounts for each request`() throws {
        for seed in 0..<3000 {
            var random = SeededGenerator(seed: UInt64(seed))
            let link = Link()
            link.talk()
            for tag in 0..<4 { try link.submit(push(tag), tag: tag) }
            link.deliver(toServer: link.takeFromClient())
            for (stream, _) in link.requests {
                let body = stream == 3 ? #"{"reason":"BadDeviceToken"}"# : ""
                try link.respond(stream, stream == 3 ? 400 : 200, body: body)
            }
            if seed % 3 == 0 { link.server.goAway(lastStream: 5, debug: [1, 2, 3]) }
            if seed % 5 == 0 { link.server.changeStreamLimit(seed) }
            link.deliver(toClient: random.damage(link.takeFromServer()))
            _ = link.takeFromClient()
            var tags = Set(link.clientEvents.compactMap(\.finishedTag))
            #expect(tags.count == link.clientEvents.compactMap(\.finishedTag).count)
            for tag in link.abandon().keys { #expect(tags.insert(tag).inserted) }
            #expect(tags == [0, 1, 2, 3], "seed \(seed)")
        }
    }

    @Test func `never crashes on changed requests`() throws {
        for seed in 0..<3000 {
            var random = SeededGenerator(seed: UInt64(seed))
            let link = Link()
            link.talk()
            for tag in 0..<3 { try link.submit(push(tag), tag: tag) }
            link.deliver(toServer: random.damage(link.takeFromClient()))
            for (stream, _) in link.requests { try? link.respond(stream) }
            link.deliver(toServer: random.damage(Frame.bytes(kind: 6, [1, 2, 3, 4, 5, 6, 7, 8])))
            _ = link.takeFromServer()
        }
    }

    @Test func `accepts its bytes one by one`() throws {
        let link = Link()
        while link.client.wantsToSend || link.server.wantsToSend {
            for byte in link.takeFromClient() { link.deliver(toServer: [byte]) }
            for byte in link.takeFromServer() { link.deliver(toClient: [byte]) }
        }
        try link.submit(push(1), tag: 1)
        for byte in link.takeFromClient() { link.deliver(toServer: [byte]) }
        try link.respond(1, 400, body: "{}")
        for byte in link.takeFromServer() { link.deliver(toClient: [byte]) }
        let reply = HTTP2Response(status: 400, body: Array("{}".utf8))
        #expect(link.clientEvents.last == .response(tag: 1, reply))
    }

    @Test func `works over TLS`() throws {
        let authority = try CertificateAuthority.generate(name: "Test")
        let issued = try authority.issue()
        let clients = try TLSContext.client(trustRoots: .pem(authority.certificatePEM))
        let servers = try TLSContext.server(
            certificatePEM: issued.certificatePEM, keyPEM: issued.keyPEM)
        var tunnel = Tunnel(
            client: try TLSSession(client: clients, hostName: "localhost"),
            server: try TLSSession(server: servers))
        let link = Link()
        try tunnel.client.start()
        try tunnel.carry(link)
        for tag in 1...100 {
            while !link.canSubmit(3000) { try tunnel.carry(link) }
            try link.submit(push(tag, body: 3000), tag: tag)
        }
        try tunnel.carry(link)
        for (stream, _) in link.requests { try link.respond(stream) }
        try tunnel.carry(link)
        #expect(link.clientEvents.compactMap(\.finishedTag).sorted() == Array(1...100))
    }
}

extension HTTP2ClientEvent {
    /// The tag that this event frees.
    var finishedTag: Int? {
        switch self {
        case .response(let tag, _), .failed(let tag, _): tag
        default: nil
        }
    }
}

/// Two TLS sessions around a link.
private struct Tunnel: ~Copyable {
    var client: TLSSession
    var server: TLSSession

    /// Carries bytes both ways until neither side has any left.
    mutating func carry(_ link: Link) throws {
        repeat {
            if client.isEstablished { try unsafe client.write(link.takeFromClient().span.bytes) }
            if server.isEstablished { try unsafe server.write(link.takeFromServer().span.bytes) }
            try server.receive(Self.output(of: &client))
            _ = try server.read { link.deliver(toServer: copy(of: $0)) }
            try client.receive(Self.output(of: &server))
            _ = try client.read { link.deliver(toClient: copy(of: $0)) }
        } while client.hasOutput || server.hasOutput || link.client.wantsToSend
            || link.server.wantsToSend
    }

    private static func output(of session: inout TLSSession) -> [UInt8] {
        var bytes: [UInt8] = []
        session.withOutput { span in
            bytes = copy(of: span)
            return span.byteCount
        }
        return bytes
    }
}

extension TLSSession {
    fileprivate mutating func receive(_ bytes: [UInt8]) throws(TLSError) {
        try unsafe receive(bytes.span.bytes)
    }
}
