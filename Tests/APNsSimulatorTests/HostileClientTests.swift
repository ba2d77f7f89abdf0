import Delivery
import EventLoop
import TLS
import Testing

@testable import APNsSimulator

@Suite struct `A hostile client of the simulator` {
    private func client(_ service: SimulatorService? = nil) throws -> HostileClient {
        let service = try service ?? ScenarioStage("answers: [{device_token: aa}]").service
        var client = try HostileClient(service: service, identity: ScenarioStage.identity.get())
        try client.greet()
        return client
    }

    @Test(arguments: [
        (HostileClient.frame(1, flags: 5, stream: 0, HostileClient.block), 1),
        (HostileClient.frame(1, flags: 5, stream: 2, HostileClient.block), 1),
        (HostileClient.frame(0, flags: 1, stream: 5, [1, 2, 3]), 1),
        (HostileClient.frame(5, flags: 4, stream: 1, [0, 0, 0, 2] + HostileClient.block), 1),
        (HostileClient.frame(9, flags: 4, stream: 1, HostileClient.block), 1),
        (HostileClient.frame(8, stream: 0, [0, 0, 0, 0]), 1),
        (HostileClient.frame(8, stream: 0, [0x7F, 0xFF, 0xFF, 0xFF]), 3),
        (HostileClient.frame(6, [1, 2, 3]), 6),
        (HostileClient.frame(4, [1, 2, 3]), 6),
        (HostileClient.frame(4, [0, 4, 0xFF, 0xFF, 0xFF, 0xFF]), 3),
        (HostileClient.frame(3, stream: 9, [0, 0, 0, 8]), 1),
        (HostileClient.frame(1, flags: 5, stream: 1, [0xFF, 0xFF, 0xFF, 0xFF, 0x0F]), 9),
    ])
    func `receives a GOAWAY that says how it breaks HTTP/2`(bytes: [UInt8], code: Int) throws {
        var client = try client()
        try client.say(bytes)
        #expect(client.goAwayCode == code)
        let isEnded = client.server.isEnded
        #expect(isEnded)
    }

    @Test func `may send unknown frames`() throws {
        var client = try client()
        try client.say(HostileClient.frame(0xBE, flags: 255, stream: 77, [1, 2, 3]))
        try client.say(HostileClient.frame(6, [1, 2, 3, 4, 5, 6, 7, 8]))
        #expect(client.goAwayCode == nil)
        #expect(client.frames.last?.payload == [1, 2, 3, 4, 5, 6, 7, 8])
    }

    @Test func `is disconnected if it opens and resets streams endlessly`() throws {
        let service = try ScenarioStage("answers: [{device_token: aa}]").service
        var client = try client(service)
        for number in 0..<5000 where client.goAwayCode == nil {
            let stream = UInt32(2 * number + 1)
            try client.say(
                HostileClient.frame(1, flags: 4, stream: stream, HostileClient.block)
                    + HostileClient.frame(3, stream: stream, [0, 0, 0, 8]))
        }
        #expect(client.goAwayCode != nil)
        #expect(service.snapshot.responses == 0)
    }

    @Test func `is disconnected if its header block never ends`() throws {
        var client = try client()
        try client.say(HostileClient.frame(1, flags: 1, stream: 1, HostileClient.block))
        for _ in 0..<1000 {
            let isEnded = client.server.isEnded
            if isEnded { break }
            try client.say(HostileClient.frame(9, stream: 1, [0x00, 0x01, 0x61, 0x01, 0x62]))
        }
        let isEnded = client.server.isEnded
        #expect(isEnded)
    }

    @Test func `gets only an error for endless fields`() throws {
        var client = try client()
        let field = [0x00, 0x01, 0x61, 0x7F, 0x80, 0x01] + [UInt8](repeating: 0x62, count: 255)
        var block = HostileClient.block
        while block.count < 16_000 { block += field }
        try client.say(HostileClient.frame(1, flags: 1, stream: 1, block))
        for _ in 0..<6 { try client.say(HostileClient.frame(9, stream: 1, Array(block[9...]))) }
        try client.say(HostileClient.frame(9, flags: 4, stream: 1, []))
        let refused = client.frames.contains { $0.kind == 3 && $0.stream == 1 }
        #expect(refused || client.goAwayCode != nil)
    }

    @Test func `is rejected at once if its body is too long, and nothing of it is kept`() throws {
        var client = try client()
        try client.say(HostileClient.frame(1, flags: 4, stream: 1, HostileClient.block))
        let piece = [UInt8](repeating: 0x20, count: 6000)
        try client.say(HostileClient.frame(0, stream: 1, piece))
        #expect(client.frames.contains { $0.kind == 1 && $0.stream == 1 })
        for _ in 0..<100 {
            let isEnded = client.server.isEnded
            if isEnded { break }
            try client.say(HostileClient.frame(0, stream: 1, piece))
        }
        try client.say(HostileClient.frame(6, [8, 7, 6, 5, 4, 3, 2, 1]))
        #expect(client.frames.contains { $0.payload == [8, 7, 6, 5, 4, 3, 2, 1] })
    }

    @Test func `may close its window without disturbing others`() throws {
        let stage = try ScenarioStage("answers: [{device_token: aa}]")
        var client = try client(stage.service)
        try client.say(HostileClient.frame(4, [0, 4, 0, 0, 0, 0]))
        for number in 0..<900 {
            let stream = UInt32(2 * number + 1)
            try client.say(
                HostileClient.frame(1, flags: 5, stream: stream, HostileClient.block))
        }
        var other = try stage.client()
        #expect(try other.pushAtOnce(3) == ["200", "200", "200"])
    }

    @Test func `is disconnected if it never ends its handshake`() throws {
        let service = try ScenarioStage("answers: [{device_token: aa}]").service
        let start = SimulatorMoment(now: .distantPast, wallClock: 0)
        var connection = try SimulatorConnection(service: service, at: start)
        let due = connection.nextDeadline
        let deadline = try #require(due)
        connection.expire(at: SimulatorMoment(now: deadline - .nanoseconds(1), wallClock: 0))
        let isOpen = !connection.isEnded
        #expect(isOpen)
        connection.expire(at: SimulatorMoment(now: deadline, wallClock: 0))
        let isEnded = connection.isEnded
        #expect(isEnded)
    }

    @Test func `does no damage with changed bytes`() throws {
        let stage = try ScenarioStage("answers: [{device_token: aa}]")
        for seed in 0..<300 {
            var client = try client(stage.service)
            var bytes: [UInt8] = []
            for number in 0..<4 {
                let stream = UInt32(2 * number + 1)
                bytes += HostileClient.frame(1, flags: 4, stream: stream, HostileClient.block)
                bytes += HostileClient.frame(0, flags: 1, stream: stream, [0x7B, 0x7D])
            }
            var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
            for _ in 0..<4 {
                state = state &* 6_364_136_223_846_793_005 &+ 1
                bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 40)
            }
            try? client.say(bytes)
        }
        var other = try stage.client()
        #expect(try other.pushAtOnce(1) == ["200"])
        #expect(stage.service.snapshot.connections == 1)
    }

    @Test func `makes room itself if its address has too many unfinished handshakes`() throws {
        var kernel = try LinuxKernel()
        let server = try server(limit: 64, connecting: 17, &kernel)
        defer { server.stop() }
        var ended: [UInt64] = []
        let end = kernel.now + .seconds(10)
        while ended.isEmpty, kernel.now < end {
            kernel.wait(until: end) { if $0.readable { ended.append($0.token) } }
        }
        #expect(ended == [1])
        wait(for: server, connections: 16, &kernel)
    }

    @Test func `is refused if there are too many connections`() throws {
        var kernel = try LinuxKernel()
        let server = try server(limit: 2, connecting: 3, &kernel)
        defer { server.stop() }
        var ended = 0
        while ended == 0 {
            kernel.wait(until: kernel.now + .seconds(10)) { if $0.readable { ended += 1 } }
        }
        wait(for: server, connections: 2, &kernel)
    }

    /// A server with a limit of connections, and clients that connect and say nothing.
    private func server(
        limit: Int, connecting count: UInt64, _ kernel: inout LinuxKernel
    ) throws -> SimulatorServer {
        var configuration = SimulatorConfiguration(identity: try ScenarioStage.identity.get())
        configuration.connectionLimit = limit
        let server = SimulatorServer(configuration)
        let port = try server.start()
        for token in 1...count { _ = try kernel.connect(to: .loopback(port: port), token: token) }
        return server
    }

    /// The old connection ends before the new one is accepted.
    private func wait(
        for server: SimulatorServer, connections count: Int, _ kernel: inout LinuxKernel
    ) {
        let end = kernel.now + .seconds(60)
        while server.snapshot.connections != count, kernel.now < end {
            kernel.wait(until: kernel.now + .milliseconds(10)) { _ in }
        }
        #expect(server.snapshot.connections == count)
    }
}
