import Delivery
import Testing

@testable import APNs

@Suite struct `A pool whose peer falls silent` {
    @Test func `checks after a minute whether the peer is alive, and continues if it is`() throws {
        let bench = try Bench.warm { $0.maxAge = .seconds(1_000_000_000) }
        bench.pass(.seconds(5 * 3600))
        #expect(bench.failures.isEmpty)
        #expect(bench.network.dialled.count == 1)
        #expect(bench.send(1))
    }

    @Test func `replaces a connection that was silent for a minute and does not respond`() throws {
        let bench = try Bench.warm()
        bench.network.peers[0].isSilent = true
        bench.pass(.seconds(69))
        #expect(bench.failures.isEmpty)
        bench.pass(.seconds(1))
        #expect(
            bench.failures == [
                "localhost:2197 (127.0.0.1:2197): no response to a PING within 10 s"
            ])
        #expect(bench.network.peers.count == 2)
        #expect(bench.connected == 1)
    }

    @Test func `sends nothing more while a response is overdue and the peer is silent`() throws {
        let bench = try Bench.warm()
        _ = bench.send(1)
        bench.settle()
        bench.network.peers[0].isSilent = true
        bench.pass(.seconds(5) - .nanoseconds(1))
        #expect(bench.send(2))
        bench.pass(.nanoseconds(1))
        #expect(!bench.send(3))
        bench.network.peers[0].isSilent = false
        bench.settle()
        #expect(bench.send(3))
        bench.network.peers[0].respondToAll()
        bench.pass(.seconds(40))
        #expect(bench.failures.isEmpty)
        #expect(bench.network.dialled.count == 1)
    }

    @Test func `waits for a slow response while its peer answers PINGs`() throws {
        let bench = try Bench.warm()
        _ = bench.send(1)
        bench.pass(.seconds(19))
        #expect(bench.ends.isEmpty)
        #expect(bench.failures.isEmpty)
        #expect(bench.send(2))
        bench.settle()
        bench.network.peers[0].respondToAll()
        bench.settle()
        #expect(bench.ends == ["1 answered 200", "2 answered 200"])
    }

    @Test func `sends nothing after a timeout until the peer has answered a PING`() throws {
        let bench = try Bench.warm()
        _ = bench.send(1)
        bench.pass(.seconds(20) - .nanoseconds(1))
        bench.network.peers[0].isSilent = true
        bench.pass(.nanoseconds(1))
        #expect(bench.ends == ["1 in doubt"])
        #expect(!bench.send(2))
        bench.network.peers[0].isSilent = false
        bench.settle()
        #expect(bench.send(2))
    }

    @Test func `replaces a connection that responds to neither requests nor PINGs`() throws {
        let bench = try Bench.warm()
        _ = bench.send(1)
        bench.settle()
        bench.network.peers[0].isSilent = true
        bench.pass(.seconds(3))
        _ = bench.send(2)
        bench.pass(.seconds(12) - .nanoseconds(1))
        #expect(bench.ends.isEmpty)
        bench.pass(.nanoseconds(1))
        #expect(bench.ends == ["1 in doubt", "2 in doubt"])
        #expect(bench.failures.first?.hasSuffix("no response to a PING within 10 s") == true)
        #expect(bench.network.peers.count == 2)
        #expect(bench.send(3))
    }

    @Test func `continues on other connections while one waits for its pong`() throws {
        let bench = try Bench.warm(connections: 2)
        _ = bench.send(1)
        bench.settle()
        let silent = try #require(bench.network.peers.first { $0.requests.count == 2 })
        silent.isSilent = true
        bench.pass(.seconds(5))
        for tag in 2...9 { #expect(bench.send(tag)) }
        bench.settle()
        #expect(silent.requests.count == 2)
    }

    @Test func `opens another connection while it waits for the pong`() throws {
        let bench = try Bench.warm()
        _ = bench.send(1)
        bench.settle()
        bench.network.peers[0].isSilent = true
        bench.pass(.seconds(8))
        #expect(bench.network.peers.count == 2)
        #expect(bench.send(2))
        bench.settle()
        bench.network.peers[1].respondToAll()
        bench.settle()
        #expect(bench.send(3))
        #expect(bench.ends == ["2 answered 200"])
        bench.pass(.seconds(7))
        #expect(bench.ends.contains("1 in doubt"))
        #expect(bench.failures.first?.hasSuffix("no response to a PING within 10 s") == true)
        #expect(bench.network.peers.count == 2)
        #expect(bench.network.peers[0].clientHasClosed)
    }

    @Test func `opens no further connection if the pong arrived meanwhile`() throws {
        let bench = try Bench.warm()
        _ = bench.send(1)
        bench.settle()
        bench.network.peers[0].isSilent = true
        bench.network.respond = { _ in .refused }
        bench.pass(.milliseconds(7500))
        #expect(bench.network.dialled.count == 2)
        bench.network.respond = { _ in .accepted }
        bench.network.peers[0].isSilent = false
        bench.settle()
        bench.network.peers[0].respondToAll()
        bench.pass(.seconds(60))
        #expect(bench.network.dialled.count == 2)
        #expect(bench.send(2))
    }

    @Test(arguments: [nil, Duration.seconds(600)])
    func `carries nothing after a minute of silence until a PING has a response`(
        _ interval: Duration?
    ) throws {
        let bench = try Bench.warm { $0.pingInterval = interval }
        bench.pass(.seconds(60) - .nanoseconds(1))
        #expect(bench.canSend(bodyBytes: 2))
        bench.pass(.nanoseconds(1))
        #expect(!bench.send(1))
        #expect(!bench.canSend(bodyBytes: 2))
        bench.settle()
        #expect(bench.send(1))
        bench.settle()
        #expect(bench.network.peers.count == 1)
        #expect(bench.network.peers[0].requests.count == 2)
    }

    @Test func `sends nothing while nothing is to be sent and PINGs are off`() throws {
        let bench = try Bench.warm {
            $0.pingInterval = nil
            $0.maxAge = .seconds(1_000_000)
        }
        bench.network.peers[0].isSilent = true
        bench.pass(.seconds(36_000))
        #expect(bench.failures.isEmpty)
        #expect(bench.nextDeadline ?? .distantFuture > bench.network.now + .seconds(36_000))
    }

    @Test func `prefers a connection that has proved itself`() throws {
        let bench = try Bench.warm(connections: 2) { $0.pingInterval = nil }
        bench.pass(.seconds(61))
        bench.network.peers[0].isDead = true
        #expect(!bench.send(1))
        bench.settle()
        for tag in 1...4 { #expect(bench.send(tag)) }
        bench.settle()
        #expect(bench.network.peers.map(\.requests.count) == [1, 5])
    }

    @Test(arguments: [nil, Duration.seconds(60)])
    func `sends over a fresh connection after two seconds without a response to its PING`(
        _ interval: Duration?
    ) throws {
        let bench = try Bench.warm { $0.pingInterval = interval }
        bench.network.peers[0].isDead = true
        bench.pass(.seconds(61))
        // With an interval the PING went out a second ago.
        #expect(!bench.send(1))
        let left = Duration.seconds(interval == nil ? 2 : 1)
        bench.pass(left - .nanoseconds(1))
        #expect(bench.network.peers.count == 1)
        bench.pass(.nanoseconds(1))
        #expect(bench.network.peers.count == 2)
        #expect(bench.send(1))
        bench.settle()
        bench.network.peers[1].respondToAll()
        bench.settle()
        #expect(bench.ends == ["1 answered 200"])
    }

    @Test func `ignores a pong that it did not ask for`() {
        var heartbeat = Heartbeat(PoolSettings())
        let start = Instant.distantPast
        heartbeat.received(start)
        let number = heartbeat.doubt(start + .seconds(1))
        #expect(number == 1)
        heartbeat.pong(7)
        let again = heartbeat.doubt(start + .seconds(2))
        #expect(again == nil)
        let limit = start + .seconds(1) + PoolSettings().pingTimeout
        #expect(heartbeat.isInDoubt)
        #expect(!heartbeat.isOverdue(limit - .nanoseconds(1)))
        #expect(heartbeat.isOverdue(limit))
        heartbeat.pong(1)
        #expect(!heartbeat.isInDoubt)
        #expect(!heartbeat.isOverdue(.distantFuture))
    }
}
