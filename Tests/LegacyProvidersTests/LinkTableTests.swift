import EventLoop
import TLS
import Testing

@testable import LegacyProviders

@Suite struct `A listener for legacy providers` {
    @Test func `admits a certificate of the app's own authority`() throws {
        let stage = try LinkStage()
        try stage.connect(1)
        stage.send(1, "hello")
        #expect(stage.owner.received == ["1 opened for 0", "1 said hello"])
    }

    @Test func `refuses in the handshake a certificate that names another app`() throws {
        let stage = try LinkStage(bundleID: "com.example.other")
        try stage.connect(1)
        #expect(!stage.isEstablished(1))
        #expect(stage.failure(1) == .refusedByPeer)
        #expect(stage.owner.received == [])
        let socket = try #require(stage.kernel.sockets[1])
        #expect(socket.hasShutDown && !socket.isReset, "the alert must not be overtaken")
        stage.pass(seconds: 2)
        #expect(stage.table.count == 0)
    }

    @Test func `refuses a provider without a certificate`() throws {
        let stage = try LinkStage(hasCertificate: false)
        try stage.connect(1)
        #expect(stage.failure(1) == .refusedByPeer)
        #expect(stage.owner.received == [])
    }

    @Test func `refuses what is not TLS`() throws {
        let stage = try LinkStage()
        try stage.connect(1, speaksTLS: false)
        stage.kernel.sockets[1]?.toTable = Array("GET / HTTP/1.1\r\n\r\n".utf8)
        stage.talk(1)
        stage.pass(seconds: 2)
        #expect(stage.table.count == 0)
        #expect(stage.owner.received == [])
    }

    @Test func `closes a handshake after ten seconds`() throws {
        let stage = try LinkStage()
        try stage.connect(1, speaksTLS: false)
        stage.pass(seconds: 9)
        #expect(stage.table.count == 1)
        stage.pass(seconds: 1)
        #expect(stage.table.count == 0)
        #expect(stage.kernel.sockets[1]?.isReset == true)
    }

    @Test(arguments: [1, 4, 5, 6, 20])
    func `closes a TLS record that stays unfinished for thirty seconds`(count: Int) throws {
        let stage = try LinkStage()
        try stage.connect(1)
        stage.send(1, "whole")
        stage.send(1, "in pieces", cutAt: count)
        stage.pass(seconds: 29)
        #expect(stage.table.count == 1)
        stage.pass(seconds: 1)
        #expect(stage.owner.received == ["1 opened for 0", "1 said whole", "1 ended"])
        #expect(stage.kernel.sockets[1]?.isReset == true)
        let isLogged = stage.table.events.contains { if case .stalled = $0 { true } else { false } }
        #expect(isLogged)
    }

    @Test func `leaves a provider alone that is silent between two TLS records`() throws {
        let stage = try LinkStage()
        try stage.connect(1)
        stage.send(1, "in pieces", cutAt: 7)
        stage.pass(seconds: 29)
        stage.sendRest(1)
        stage.pass(seconds: 3600)
        #expect(stage.owner.received == ["1 opened for 0", "1 said in pieces"])
        #expect(stage.table.count == 1)
    }

    @Test func `does not count the time in which its owner reads nothing`() throws {
        let stage = try LinkStage()
        try stage.connect(1)
        stage.send(1, "in pieces", cutAt: 7)
        stage.owner.isReading = false
        for _ in 0..<120 { stage.pass(seconds: 1) }
        stage.owner.isReading = true
        stage.pass(seconds: 29)
        stage.sendRest(1)
        #expect(stage.owner.received == ["1 opened for 0", "1 said in pieces"])
    }

    @Test func `breaks off handshakes as soon as it stops, and nobody else`() throws {
        let stage = try LinkStage()
        try stage.connect(1, speaksTLS: false)
        try stage.connect(2)
        stage.table.stopListening(&stage.kernel)
        stage.pass(seconds: 0)
        #expect(stage.table.count == 1)
        #expect(stage.kernel.sockets[1]?.isReset == true)
        #expect(stage.kernel.sockets[2]?.isClosed == false)
    }

    @Test func `closes the oldest unfinished handshake for a provider above the limit`() throws {
        let stage = try LinkStage()
        try stage.connect(1)
        for socket in 2...4 { try stage.connect(Int32(socket), speaksTLS: false) }
        #expect(stage.table.count == 3)
        #expect(stage.kernel.sockets.filter { $1.isReset }.map(\.key) == [2])
        try stage.connect(5)
        #expect(stage.kernel.sockets[3]?.isReset == true)
        #expect(stage.isEstablished(1) && stage.isEstablished(5))
        try stage.connect(6)
        try stage.connect(7, speaksTLS: false)
        #expect(stage.kernel.sockets[7]?.isReset == true, "all others are open")
        #expect(stage.table.count == 3)
        stage.send(1, "still here")
        #expect(stage.owner.received.last == "1 said still here")
    }

    @Test func `lets one address have a quarter of the handshakes at a time`() throws {
        let stage = try LinkStage(limit: 100)
        for socket in 1...30 as ClosedRange<Int32> {
            stage.kernel.addresses[socket] = SocketAddress(address: [10, 0, 0, 1], port: 1)
            try stage.connect(socket, speaksTLS: false)
        }
        #expect(stage.table.count == 25)
        stage.kernel.addresses[31] = SocketAddress(address: [10, 0, 0, 2], port: 1)
        try stage.connect(31, speaksTLS: false)
        #expect(stage.table.count == 26)
        #expect(stage.kernel.sockets[31]?.isReset == false)
    }

    @Test func `refuses connections above the limit until one has closed`() throws {
        let stage = try LinkStage()
        for socket in 1...3 { try stage.connect(Int32(socket)) }
        try stage.connect(4, speaksTLS: false)
        #expect(stage.table.count == 3)
        #expect(stage.kernel.sockets[4]?.isReset == true)
        stage.kernel.sockets[2]?.peerHasEnded = true
        stage.talk(2)
        try stage.connect(5)
        #expect(stage.owner.received.contains { $0.hasSuffix("opened for 0") })
    }

    @Test func `does not read while its owner does not want to`() throws {
        let stage = try LinkStage()
        try stage.connect(1)
        stage.owner.isReading = false
        stage.send(1, "later")
        #expect(stage.owner.received == ["1 opened for 0"])
        stage.owner.isReading = true
        stage.talk(1)
        #expect(stage.owner.received == ["1 opened for 0", "1 said later"])
    }

    @Test func `reads nothing with the handshake that its owner does not want`() throws {
        let stage = try LinkStage(requiresTLS13: true)
        stage.owner.isReading = false
        try stage.connect(1, firstLines: "early")
        #expect(stage.owner.received == ["1 opened for 0"])
        stage.owner.isReading = true
        #expect(!stage.table.pump(&stage.kernel, &stage.owner), "nothing more is there")
        #expect(stage.owner.received == ["1 opened for 0", "1 said early"])
    }

    @Test func `sends its response to a provider that has closed its side of TLS`() throws {
        let stage = try LinkStage()
        try stage.connect(1)
        stage.send(1, "wrong", thenCloses: true)
        #expect(stage.owner.received == ["1 opened for 0", "1 said wrong", "1 finished"])
        stage.perform(.send(Array("no".utf8)), on: 1)
        stage.perform(.finish, on: 1)
        stage.talk(1)
        #expect(stage.received(1) == "no")
    }

    @Test func `sends its response to a provider that has shut down its side of TCP`() throws {
        let stage = try LinkStage()
        try stage.connect(1)
        stage.send(1, "wrong")
        stage.kernel.sockets[1]?.peerHasEnded = true
        stage.talk(1)
        #expect(stage.owner.received == ["1 opened for 0", "1 said wrong", "1 finished"])
        stage.perform(.send(Array("no".utf8)), on: 1)
        stage.perform(.finish, on: 1)
        stage.talk(1)
        #expect(stage.received(1) == "no")
        #expect(stage.owner.received.last == "1 ended well")
        #expect(stage.table.count == 0)
    }

    @Test func `never calls an end clean that its owner asked for after a close`() throws {
        let stage = try LinkStage()
        try stage.connect(1)
        stage.perform(.close, on: 1)
        stage.perform(.send([1]), on: 1)
        stage.perform(.finish, on: 1)
        stage.talk(1)
        #expect(stage.received(1) == "")
        #expect(stage.owner.received == ["1 opened for 0", "1 ended"])
    }

    @Test func `sends its last response, and discards input until the provider closes`() throws {
        let stage = try LinkStage()
        try stage.connect(1)
        stage.perform(.send(Array("wrong".utf8)), on: 1)
        stage.perform(.finish, on: 1)
        stage.talk(1)
        #expect(stage.received(1) == "wrong")
        #expect(stage.kernel.sockets[1]?.hasShutDown == true)
        stage.send(1, "more")
        #expect(stage.kernel.sockets[1]?.toTable == [], "it must be taken off the socket")
        stage.kernel.sockets[1]?.peerHasEnded = true
        stage.talk(1)
        #expect(stage.owner.received == ["1 opened for 0", "1 drained", "1 ended well"])
        #expect(stage.kernel.sockets[1]?.isReset == false)
    }

    @Test func `calls an end clean once the provider's machine has everything`() throws {
        let stage = try LinkStage()
        try stage.connect(1)
        stage.kernel.sockets[1]?.undelivered = 6
        stage.perform(.send(Array("dead".utf8)), on: 1)
        stage.perform(.finish, on: 1)
        stage.kernel.sockets[1]?.peerHasEnded = true
        stage.talk(1)
        #expect(stage.owner.received == ["1 opened for 0", "1 drained"])
        stage.kernel.sockets[1]?.undelivered = 0
        stage.talk(1)
        #expect(stage.owner.received.last == "1 ended well")
    }

    @Test func `never calls an end clean after which the connection broke`() throws {
        let stage = try LinkStage()
        try stage.connect(1)
        stage.kernel.sockets[1]?.undelivered = 6
        stage.perform(.send(Array("dead".utf8)), on: 1)
        stage.perform(.finish, on: 1)
        stage.kernel.sockets[1]?.peerHasEnded = true
        stage.talk(1)
        stage.kernel.sockets[1]?.undelivered = nil
        stage.talk(1)
        #expect(stage.owner.received.last == "1 ended")
    }

    @Test func `never calls an end clean of which the provider's machine keeps silent`() throws {
        let stage = try LinkStage()
        try stage.connect(1)
        stage.kernel.sockets[1]?.undelivered = 6
        stage.perform(.finish, on: 1)
        stage.kernel.sockets[1]?.peerHasEnded = true
        stage.talk(1)
        stage.pass(seconds: 10)
        #expect(stage.owner.received == ["1 opened for 0", "1 ended"])
    }

    @Test func `breaks off a provider that does not close`() throws {
        let stage = try LinkStage()
        try stage.connect(1)
        stage.perform(.finish, on: 1)
        stage.talk(1)
        stage.pass(seconds: 10)
        #expect(stage.owner.received.last == "1 ended")
        #expect(stage.kernel.sockets[1]?.isReset == true)
    }

    @Test func `breaks off a provider that does not take what it is sent`() throws {
        let stage = try LinkStage()
        try stage.connect(1)
        stage.kernel.sockets[1]?.room = 10
        stage.perform(.send([UInt8](repeating: 1, count: 5000)), on: 1)
        _ = stage.table.pump(&stage.kernel, &stage.owner)
        stage.pass(seconds: 9)
        #expect(stage.table.count == 1)
        stage.pass(seconds: 1)
        #expect(stage.owner.received == ["1 opened for 0", "1 ended"])
    }

    @Test func `never reports a clean end before everything was sent`() throws {
        let stage = try LinkStage()
        try stage.connect(1)
        stage.kernel.sockets[1]?.room = 0
        stage.perform(.send([1, 2, 3]), on: 1)
        stage.perform(.finish, on: 1)
        stage.kernel.sockets[1]?.peerHasEnded = true
        stage.talk(1)
        #expect(stage.owner.received == ["1 opened for 0", "1 ended"])
    }

    @Test func `resets a link on request`() throws {
        let stage = try LinkStage()
        try stage.connect(1)
        stage.perform(.reset, on: 1)
        _ = stage.table.pump(&stage.kernel, &stage.owner)
        #expect(stage.kernel.sockets[1]?.isReset == true)
        #expect(stage.owner.received == ["1 opened for 0", "1 ended"])
    }
}
