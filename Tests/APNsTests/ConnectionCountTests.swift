import Delivery
import HTTP2
import Testing

@testable import APNs

@Suite struct `A pool with two to four connections` {
    private var tag = 0

    private func bench(
        server: HTTP2ServerSettings = HTTP2ServerSettings(streamLimit: 10),
        tune: (inout PoolSettings) -> Void = { _ in }
    ) throws -> Bench {
        try Bench.warm(connections: 2, server: server) {
            $0.connections = 2...4
            $0.minHandshake = .zero
            tune(&$0)
        }
    }

    /// Offers more than the connections accept for a while, as a backlog does.
    private mutating func load(_ bench: Bench, _ time: Duration) {
        for _ in 0..<Int(time / .milliseconds(500)) {
            while bench.send(tag) { tag += 1 }
            bench.settle()
            bench.pass(.milliseconds(500))
            for peer in bench.network.peers { peer.respondToAll() }
            bench.settle()
        }
    }

    @Test mutating func `opens another one when requests were refused for ten seconds`() throws {
        let bench = try bench()
        load(bench, .seconds(9))
        #expect(bench.readyConnections == 2)
        load(bench, .seconds(3))
        #expect(bench.readyConnections == 3)
        load(bench, .seconds(6))
        #expect(bench.readyConnections == 3)
        load(bench, .seconds(5))
        #expect(bench.readyConnections == 4)
    }

    @Test mutating func `never opens more than four`() throws {
        let bench = try bench()
        load(bench, .seconds(60))
        #expect(bench.readyConnections == 4)
        #expect(bench.network.dialled.count == 4)
    }

    @Test mutating func `opens none if a second passed without a refused request`() throws {
        let bench = try bench()
        for _ in 0..<5 {
            load(bench, .seconds(9))
            bench.pass(.seconds(2))
        }
        #expect(bench.readyConnections == 2)
    }

    @Test mutating func `opens none if APNs is near`() throws {
        let bench = try bench { $0.minHandshake = .milliseconds(10) }
        load(bench, .seconds(30))
        #expect(bench.readyConnections == 2)
    }

    @Test mutating func `opens none while another one is broken`() throws {
        let bench = try bench()
        bench.network.respond = { _ in .lost }
        bench.network.peers[0].breakConnection()
        load(bench, .seconds(20))
        #expect(bench.readyConnections == 1)
        bench.network.respond = { _ in .accepted }
        load(bench, .seconds(6))
        #expect(bench.readyConnections == 2)
    }

    @Test mutating func `opens none while a new credential is on trial`() throws {
        let bench = try bench()
        let endpoint = bench.pool.dialer.endpoint
        bench.network.respond = { _ in .lost }
        bench.renew(
            APNsRoute(
                endpoint: endpoint, credential: try Bench.tokens(),
                settings: bench.pool.settings))
        load(bench, .seconds(30))
        #expect(bench.readyConnections == 2)
    }

    @Test mutating func `opens the next one only after the pause between connections`() throws {
        let bench = try bench { $0.stagger = .seconds(30) }
        bench.pass(.seconds(60))
        load(bench, .seconds(29))
        #expect(bench.readyConnections == 2)
        load(bench, .seconds(4))
        #expect(bench.readyConnections == 3)
    }

    @Test mutating func `closes one after ten minutes without a refused request`() throws {
        let bench = try bench()
        load(bench, .seconds(30))
        #expect(bench.readyConnections == 4)
        bench.pass(.seconds(598))
        #expect(bench.readyConnections == 4)
        bench.pass(.seconds(2))
        #expect(bench.readyConnections == 3)
        #expect(bench.network.peers[3].heardGoAway)
        bench.pass(.seconds(601))
        #expect(bench.readyConnections == 2)
        bench.pass(.seconds(3000))
        #expect(bench.readyConnections == 2)
    }

    @Test mutating func `waits for the responses of one that it closes`() throws {
        let bench = try bench { $0.requestTimeout = .seconds(3600) }
        load(bench, .seconds(30))
        bench.pass(.seconds(590))
        for number in 0..<4 { #expect(bench.send(1000 + number)) }
        bench.settle()
        bench.pass(.seconds(20))
        #expect(bench.readyConnections == 3)
        #expect(bench.openRequests == 4)
        for peer in bench.network.peers { peer.respondToAll() }
        bench.settle()
        #expect(bench.ends.suffix(4).allSatisfy { $0.hasSuffix("answered 200") })
        #expect(bench.network.peers[3].heardGoAway)
    }

    @Test mutating func `opens one that it closed again`() throws {
        let bench = try bench()
        load(bench, .seconds(30))
        bench.pass(.seconds(1300))
        #expect(bench.readyConnections == 2)
        load(bench, .seconds(30))
        #expect(bench.readyConnections == 4)
        #expect(bench.failures.isEmpty)
    }

    @Test mutating func `says that streams are the limit`() throws {
        let bench = try bench()
        #expect(bench.limit == nil)
        load(bench, .seconds(1))
        #expect(bench.limit == .streams)
        bench.pass(.seconds(2))
        #expect(bench.limit == nil)
    }

    @Test mutating func `says that flow control is the limit`() throws {
        let bench = try bench(server: HTTP2ServerSettings(streamLimit: 1000))
        while bench.send(tag, bytes: 4000) { tag += 1 }
        #expect(bench.limit == .flowControl)
    }
}
