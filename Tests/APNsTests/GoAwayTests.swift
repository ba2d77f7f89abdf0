import Delivery
import HTTP2
import Testing

@testable import APNs

@Suite struct `A pool whose peer sends GOAWAY` {
    @Test func `waits for the second GOAWAY before it resends`() throws {
        let bench = try Bench.warm()
        for tag in 1...3 { _ = bench.send(tag) }
        bench.settle()
        let peer = bench.network.peers[0]
        peer.announceGoAway()
        bench.settle()
        #expect(bench.ends.isEmpty)
        #expect(!bench.send(4))
        peer.goAway(afterRequest: 2)
        bench.settle()
        #expect(bench.ends == ["3 not sent"])
        peer.respond(1)
        peer.respond(2)
        bench.settle()
        #expect(Set(bench.ends) == ["3 not sent", "1 answered 200", "2 answered 200"])
        #expect(peer.clientHasClosed)
        #expect(bench.failures.isEmpty)
    }

    @Test func `does not wait for the second GOAWAY if no request is open`() throws {
        let bench = try Bench.warm()
        bench.pass(.seconds(10))
        bench.network.peers[0].announceGoAway()
        bench.settle()
        #expect(bench.network.peers[0].clientHasClosed)
        #expect(bench.network.peers.count == 2)
        #expect(bench.send(1))
    }

    @Test func `is in doubt if the second GOAWAY never comes`() throws {
        let bench = try Bench.warm()
        _ = bench.send(1)
        bench.settle()
        bench.network.peers[0].announceGoAway()
        bench.pass(.seconds(20))
        #expect(bench.ends == ["1 in doubt"])
        #expect(bench.network.peers[0].clientHasClosed)
    }

    @Test func `continues on another connection if a young one gets GOAWAY`() throws {
        let bench = try Bench.warm(connections: 2)
        for tag in 1...4 { _ = bench.send(tag) }
        bench.settle()
        bench.network.peers[0].goAway(afterRequest: nil)
        bench.settle()
        #expect(bench.notSent.count == 2)
        for tag in bench.notSent { #expect(bench.send(tag)) }
        bench.settle()
        #expect(bench.network.peers[1].openRequests.count == 4)
        #expect(bench.network.dialled.count == 2)
        bench.pass(.seconds(2))
        #expect(bench.network.dialled.count == 3)
    }

    @Test func `reports a reason at most twice, however often it is repeated`() throws {
        let bench = try Bench.warm()
        _ = bench.send(1)
        bench.settle()
        for _ in 0..<100 {
            bench.network.peers[0].goAway(afterRequest: 1, debug: #"{"reason":"Shutdown"}"#)
        }
        bench.settle()
        #expect(bench.failures.count == 2)
        #expect(bench.ends.isEmpty)
    }

    @Test func `opens one connection a second if each does some work before its GOAWAY`() throws {
        let bench = try Bench()
        bench.start()
        let start = bench.network.now
        while bench.network.now < start + .seconds(60) {
            _ = bench.send(1)
            bench.settle()
            for peer in bench.network.peers where !peer.openRequests.isEmpty {
                peer.respondToAll()
                bench.settle()
                peer.announceGoAway()
            }
            bench.pass(.milliseconds(100))
        }
        #expect((30...60).contains(bench.network.dialled.count))
        #expect(bench.ends.allSatisfy { $0.hasSuffix("answered 200") })
    }

    @Test func `does not storm a peer that sends GOAWAY on every connection`() throws {
        let bench = try Bench { $0.announceGoAway() }
        bench.start()
        bench.pass(.seconds(200))
        let times = bench.network.dialled.map { ($0.at - .distantPast).wholeSeconds }
        #expect(times == [1, 2, 4, 8, 16, 32, 64, 94, 124, 154, 184])
    }
}

@Suite struct `A pool whose peer refuses a stream` {
    @Test func `prefers another connection, even one with more requests`() throws {
        let bench = try Bench.warm(connections: 2)
        for tag in 1...5 { #expect(bench.send(tag)) }
        bench.settle()
        let refuser = try #require(bench.network.peers.first { $0.openRequests.count == 2 })
        let other = try #require(bench.network.peers.first { $0.openRequests.count == 3 })
        refuser.reset(refuser.openRequests[0], code: 7)
        bench.settle()
        let tag = try #require(bench.notSent.first)
        #expect(bench.send(tag))
        #expect(bench.send(6))
        bench.settle()
        #expect(other.openRequests.count == 5)
        refuser.respondToAll()
        bench.settle()
        #expect(bench.send(7))
        bench.settle()
        #expect(refuser.openRequests.count == 1)
    }

    @Test func `uses that connection if it is the only one`() throws {
        let bench = try Bench.warm()
        _ = bench.send(1)
        bench.settle()
        bench.network.peers[0].reset(1, code: 7)
        bench.settle()
        #expect(bench.send(1))
        bench.settle()
        bench.network.peers[0].respond(2)
        bench.settle()
        #expect(bench.ends == ["1 not sent", "1 answered 200"])
    }

    @Test(arguments: [UInt32(1), 13])
    func `reports that the peer called a request an HTTP/2 protocol error`(_ code: UInt32) throws {
        let bench = try Bench.warm()
        _ = bench.send(1)
        bench.settle()
        bench.network.peers[0].reset(1, code: code)
        bench.settle()
        #expect(bench.ends == ["1 unacceptable"])
        #expect(bench.send(1))
    }
}

@Suite struct `A pool whose peer has small stream windows` {
    private func bench(window: Int) throws -> Bench {
        var server = HTTP2ServerSettings()
        server.streamWindow = window
        server.restoresWindow = false
        return try Bench.warm(server: server)
    }

    @Test func `sends a body in parts`() throws {
        let bench = try bench(window: 50)
        #expect(bench.send(1, bytes: 4096))
        bench.settle()
        #expect(bench.network.peers[0].requests.count == 1)
        bench.network.peers[0].changeStreamWindow(4096)
        bench.settle()
        #expect(bench.network.peers[0].requests.last?.body.count == 4096)
        bench.network.peers[0].respond(1)
        bench.settle()
        #expect(bench.ends == ["1 answered 200"])
    }

    @Test func `resends a body that could not be finished in time on another connection`() throws {
        let bench = try bench(window: 50)
        for tag in 1...3 { #expect(bench.send(tag, bytes: 4096)) }
        bench.settle()
        bench.pass(.seconds(20))
        #expect(bench.ends == ["1 not sent", "2 not sent", "3 not sent"])
        #expect(
            bench.failures == [
                "localhost:2197 (127.0.0.1:2197): "
                    + "HTTP/2: no flow-control window for a request body within 20 s"
            ])
        #expect(bench.network.peers[0].clientHasClosed)
        #expect(bench.network.peers.count == 2)
        #expect(bench.openRequests == 0)
    }
}
