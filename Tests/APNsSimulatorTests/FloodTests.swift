import Delivery
import EventLoop
import TLS
import Testing

@testable import APNsSimulator

@Suite struct `A flood over a connection to the simulator` {
    private static let ping = HostileClient.frame(6, [1, 2, 3, 4, 5, 6, 7, 8])
    private static let settings = HostileClient.frame(4, [0, 3, 0, 0, 0, 100])

    private func client(_ service: SimulatorService? = nil) throws -> HostileClient {
        let service = try service ?? ScenarioStage("answers: [{device_token: aa}]").service
        var client = try HostileClient(service: service, identity: ScenarioStage.identity.get())
        try client.greet()
        return client
    }

    @Test(arguments: [("PING", ping), ("SETTINGS", settings)])
    func `ends with GOAWAY`(name: String, frame: [UInt8]) throws {
        var client = try client()
        for _ in 0..<900 { try client.say(frame) }
        #expect(client.goAwayCode == nil)
        for _ in 0..<200 where client.goAwayCode == nil { try client.say(frame) }
        #expect(client.goAwayCode == 11)
        let isEnded = client.server.isEnded
        #expect(isEnded)
    }

    @Test func `is tolerated if it is slow`() throws {
        var client = try client()
        for _ in 0..<3_000 {
            client.moment.now += .milliseconds(2)
            try client.say(Self.ping)
        }
        #expect(client.goAwayCode == nil)
    }

    @Test(arguments: [
        HostileClient.frame(2, stream: 5, [0, 0, 0, 0, 16]),
        HostileClient.frame(8, stream: 0, [0, 0, 0, 1]),
        HostileClient.frame(0xBE, stream: 7, [1]),
    ])
    func `of frames without a response costs no memory`(frame: [UInt8]) throws {
        var client = try client()
        let before = client.received.count
        for _ in 0..<20 { try client.say([[UInt8]](repeating: frame, count: 1_000).flatMap { $0 }) }
        #expect(client.goAwayCode == nil)
        #expect(client.received.count == before)
    }

    @Test func `of empty DATA frames does not delay a response`() throws {
        let stage = try ScenarioStage("answers: [{device_token: aa}]")
        var client = try client(stage.service)
        try client.say(HostileClient.frame(1, flags: 4, stream: 1, HostileClient.block))
        for _ in 0..<2_000 where client.goAwayCode == nil {
            try client.say(HostileClient.frame(0, stream: 1))
        }
        var other = try stage.client()
        #expect(try other.pushAtOnce(1) == ["200"])
    }

    @Test func `of a client that does not read is not read either`() throws {
        let service = try ScenarioStage("answers: [{device_token: aa}]").service
        var stage = try SocketStage(service: service)
        try stage.greet()
        let taken = try stage.flood(with: Self.ping, atMost: 64 << 20)
        #expect(taken < 64 << 20)
        #expect(service.snapshot.connections <= 1)
    }
}

/// One simulator and one client over a real socket, both on this thread.
private struct SocketStage: ~Copyable {
    private var kernel: LinuxKernel
    private var loop: SimulatorLoop
    private var tls: TLSSession
    private let socket: SocketID

    private static let clientToken: UInt64 = 0

    init(service: SimulatorService) throws {
        var loop = SimulatorLoop(service: service, firstToken: 1)
        var kernel = try LinuxKernel()
        let address = try loop.listen(on: .loopback(port: 0), kernel: &kernel)
        let socket = try kernel.connect(to: address, token: Self.clientToken)
        let context = try TLSContext.client(
            trustRoots: .pem(ScenarioStage.identity.get().authorityPEM))
        let tls = try TLSSession(client: context, hostName: "localhost")
        self.tls = tls
        self.socket = socket
        self.kernel = kernel
        self.loop = loop
    }

    /// Lets the simulator do what it can; false if it has nothing to do.
    private mutating func turn() -> Bool {
        var wakeups: [Wakeup] = []
        kernel.wait(until: kernel.now) { wakeups.append($0) }
        for wakeup in wakeups where wakeup.token != Self.clientToken {
            loop.wake(wakeup, kernel: &kernel)
        }
        return !wakeups.isEmpty
    }

    mutating func greet() throws {
        try tls.start()
        while !tls.isEstablished {
            _ = send()
            _ = turn()
            var received: [UInt8] = []
            let got = kernel.receive(from: socket) { bytes in
                unsafe bytes.withUnsafeBytes { unsafe received.append(contentsOf: $0) }
            }
            if case .bytes = got { try received.withRawSpan { try tls.receive($0) } }
        }
        let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + HostileClient.frame(4)
        try preface.withRawSpan { try tls.write($0) }
        _ = send()
    }

    /// Sends what it can; false if the socket accepts no more.
    private mutating func send() -> Bool {
        var isOpen = true
        while tls.hasOutput, isOpen {
            tls.withOutput { bytes in
                guard case .bytes(let count) = kernel.send(bytes, to: socket) else {
                    isOpen = false
                    return 0
                }
                return count
            }
        }
        return isOpen
    }

    /// Sends a frame again and again and reads nothing, until no more bytes are accepted.
    mutating func flood(with frame: [UInt8], atMost limit: Int) throws -> Int {
        let piece = [[UInt8]](repeating: frame, count: 900).flatMap { $0 }
        var taken = 0
        var idleTurns = 0
        while taken < limit, idleTurns < 100 {
            if !tls.hasOutput { try piece.withRawSpan { try tls.write($0) } }
            if send() {
                taken += piece.count
                idleTurns = 0
            } else {
                idleTurns += 1
            }
            _ = turn()
        }
        return taken
    }
}
