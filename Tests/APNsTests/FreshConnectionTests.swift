import Delivery
import Testing

@testable import APNs

@Suite struct `The probe of a suspended app` {
    private static func aged(_ connections: Int = 2) throws -> Bench {
        let bench = try Bench.warm(connections: connections) { $0.stagger = .seconds(1) }
        bench.pass(.seconds(3600))
        return bench
    }

    @Test func `is sent over a connection that is opened for it`() throws {
        let bench = try Self.aged()
        #expect(bench.sendProbe(1) == nil)
        bench.settle()
        #expect(bench.network.peers.count == 3)
        #expect(bench.sendProbe(1) == bench.network.now)
        bench.settle()
        #expect(bench.network.peers[2].requests.count == 1)
    }

    @Test func `shares its connection with no other push until APNs has accepted it`() throws {
        let bench = try Self.aged()
        _ = bench.sendProbe(1)
        bench.settle()
        _ = bench.sendProbe(1)
        bench.settle()
        for tag in 2...9 { #expect(bench.send(tag)) }
        bench.settle()
        #expect(bench.network.peers[2].requests.count == 1)
        #expect(!bench.network.peers[0].clientHasClosed)
        #expect(!bench.network.peers[1].clientHasClosed)
        bench.network.peers[2].respond(0, status: 403, body: #"{"reason":"TopicMismatch"}"#)
        bench.settle()
        #expect(bench.network.peers.filter(\.clientHasClosed).isEmpty)
    }

    @Test func `may use its connection again, which has no room for others`() throws {
        let bench = try Self.aged()
        _ = bench.sendProbe(1)
        bench.settle()
        let opening = try #require(bench.sendProbe(1))
        bench.settle()
        bench.network.peers[2].respond(0, status: 403, body: #"{"reason":"TopicMismatch"}"#)
        bench.settle()
        #expect(!bench.canSend(bodyBytes: 2, since: opening))
        #expect(bench.canSendProbe(bodyBytes: 2))
    }

    @Test func `opens a connection at most once a minute, and uses the newest between`() throws {
        let bench = try Self.aged()
        for second in 0..<150 {
            if bench.sendProbe(second) == nil {
                bench.settle()
                #expect(bench.sendProbe(second) != nil)
            }
            bench.settle()
            for peer in bench.network.peers.dropFirst(2) {
                peer.respondToAll(status: 403, body: #"{"reason":"TopicMismatch"}"#)
            }
            bench.pass(.seconds(1))
        }
        #expect(bench.network.peers.count == 5)
        let fresh = bench.network.peers.dropFirst(2)
        #expect(fresh.map(\.requests.count).reduce(0, +) == 150)
        // Only the newest stays beside those that other apps use.
        #expect(bench.network.peers.map(\.clientHasClosed) == [false, false, true, true, false])
    }

    @Test func `replaces the older connections one after the other once it is accepted`() throws {
        let bench = try Self.aged(3)
        _ = bench.sendProbe(1)
        bench.settle()
        let opening = try #require(bench.sendProbe(1))
        bench.settle()
        // Another app's push is in flight on each of the old connections.
        for tag in 2...4 { #expect(bench.send(tag)) }
        bench.settle()
        bench.network.peers[3].respond(0)
        bench.settle()
        #expect(bench.send(5, since: opening))
        bench.settle()
        #expect(bench.network.peers[3].requests.count == 2)
        for peer in bench.network.peers { peer.respondToAll() }
        bench.pass(.seconds(5))
        #expect(bench.network.peers.prefix(3).map(\.clientHasClosed) == [true, true, true])
        #expect(bench.network.peers.prefix(3).map(\.heardGoAway) == [true, true, true])
        #expect(bench.network.peers.count == 6)
        let dialled = bench.network.dialled.suffix(2).map(\.at)
        #expect(dialled[1] - dialled[0] >= .seconds(1))
        #expect(bench.ends.filter { $0.hasSuffix("answered 200") }.count == 5)
    }

    @Test func `uses the newest connection when no other can be opened`() throws {
        let bench = try Self.aged()
        bench.network.respond = { _ in .refused }
        #expect(bench.sendProbe(1) == nil)
        bench.settle()
        #expect(bench.sendProbe(1) != nil)
        bench.settle()
        #expect(bench.network.peers.map(\.requests.count).reduce(0, +) == 2)
    }
}

@Suite struct `A credential that APNs refuses` {
    @Test func `has all its connections closed after their last responses`() throws {
        let bench = try Bench.warm(connections: 2)
        bench.pass(.seconds(3600))
        #expect(bench.send(1))
        bench.settle()
        bench.replaceConnections()
        let busy = try #require(bench.network.peers.first { $0.requests.count == 2 })
        #expect(!busy.clientHasClosed)
        #expect(bench.network.peers.count == 4)
        busy.respondToAll()
        bench.settle()
        #expect(bench.network.peers.prefix(2).map(\.clientHasClosed) == [true, true])
        #expect(bench.ends == ["1 answered 200"])
        // Its probes use the new ones; nothing more is opened for a minute.
        #expect(bench.sendProbe(2) != nil)
        bench.replaceConnections()
        #expect(bench.network.peers.count == 4)
        // What was refused meanwhile is made up for then.
        bench.settle()
        for peer in bench.network.peers { peer.respondToAll() }
        bench.pass(.seconds(61))
        _ = bench.sendProbe(3)
        bench.settle()
        #expect(bench.network.peers.count >= 6)
        #expect(bench.network.peers[2...3].map(\.clientHasClosed) == [true, true])
    }
}
