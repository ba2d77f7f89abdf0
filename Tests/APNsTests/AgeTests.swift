import Delivery
import HTTP2
import Testing

@testable import APNs

@Suite struct `A pool whose connections grow old` {
    @Test func `replaces an idle connection at its age`() throws {
        let bench = try Bench.warm { $0.maxAge = .seconds(100) }
        bench.pass(.seconds(99))
        #expect(bench.network.dialled.count == 1)
        bench.pass(.seconds(1))
        #expect(bench.network.dialled.count == 2)
        #expect(bench.network.peers[0].heardGoAway)
        #expect(bench.network.peers[0].clientHasClosed)
        #expect(bench.readyConnections == 1)
        #expect(bench.failures.isEmpty)
    }

    @Test func `replaces it randomly up to a quarter earlier`() throws {
        let bench = try Bench.warm { $0.maxAge = .seconds(100) }
        bench.network.chance = 25_000_000_000
        bench.network.peers[0].breakConnection()
        bench.settle()
        bench.pass(.seconds(3))
        let start = try #require(bench.network.dialled.last).at
        bench.pass(.seconds(80))
        let gap = try #require(bench.network.dialled.last).at - start
        #expect(gap >= .seconds(75) && gap < .seconds(76))
    }

    @Test func `uses the old connection until the new one has proved itself`() throws {
        let bench = try Bench.warm { $0.maxAge = .seconds(100) }
        bench.pass(.seconds(99))
        _ = bench.send(1)
        bench.pass(.seconds(1))
        let old = bench.network.peers[0]
        let new = try #require(bench.network.peers.dropFirst().first)
        #expect(!old.heardGoAway)
        for tag in 2...5 { #expect(bench.send(tag)) }
        bench.settle()
        #expect(new.requests.count == 1)
        #expect(old.requests.count == 5)
        new.respond(0)
        bench.settle()
        for tag in 6...9 { #expect(bench.send(tag)) }
        bench.settle()
        #expect(new.requests.count == 5)
        old.respondToAll()
        new.respondToAll()
        bench.settle()
        #expect(old.heardGoAway && old.clientHasClosed)
        #expect(bench.ends.count == 9)
        #expect(bench.ends.allSatisfy { $0.hasSuffix("answered 200") })
    }

    @Test func `uses the old connection if no new one can be opened`() throws {
        let bench = try Bench.warm { $0.maxAge = .seconds(100) }
        bench.network.respond = { _ in .refused }
        bench.pass(.seconds(300))
        #expect(bench.failures.count > 3)
        #expect(bench.failures.allSatisfy { $0.hasSuffix("connect: connection refused") })
        #expect(bench.send(1))
        bench.settle()
        bench.network.peers[0].respondToAll()
        bench.network.respond = { _ in .accepted }
        bench.pass(.seconds(100))
        #expect(bench.network.peers.count >= 2)
        #expect(bench.network.peers[0].clientHasClosed)
        #expect(bench.readyConnections == 1)
    }

    @Test func `lets a successor that is being opened take over if the old one breaks`() throws {
        let bench = try Bench.warm { $0.maxAge = .seconds(100) }
        bench.network.makePeer = { [make = bench.network.makePeer] number in
            let peer = try make(number)
            peer.isSilent = true
            return peer
        }
        bench.pass(.seconds(100))
        #expect(bench.network.peers.count == 2)
        bench.network.peers[0].breakConnection()
        bench.settle()
        #expect(!bench.send(2))
        bench.network.peers[1].isSilent = false
        bench.settle()
        #expect(bench.network.dialled.count == 2)
        #expect(bench.send(2))
    }

    @Test func `replaces a connection before its stream numbers are used up`() throws {
        let bench = try Bench.warm { $0.minStreams = 1 << 30 - 10 }
        for tag in 0..<100 {
            #expect(bench.send(tag))
            bench.settle()
            for peer in bench.network.peers { peer.respondToAll() }
            bench.settle()
        }
        #expect((8...12).contains(bench.network.peers.count))
        #expect(bench.ends.allSatisfy { $0.hasSuffix("answered 200") })
        #expect(bench.ends.count == 100)
        #expect(bench.failures.isEmpty)
        #expect(bench.readyConnections == 1)
    }

    @Test func `also closes the successor when it is closed`() throws {
        let bench = try Bench.warm { $0.maxAge = .seconds(100) }
        bench.pass(.seconds(99))
        _ = bench.send(1)
        bench.pass(.seconds(1))
        bench.close()
        bench.settle()
        #expect(bench.ends == ["1 in doubt"])
        #expect(bench.network.sockets.isEmpty)
        #expect(bench.nextDeadline == nil)
    }
}
