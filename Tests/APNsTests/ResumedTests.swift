import Testing

@testable import APNs

@Suite struct `A pool that reconnects` {
    @Test func `resumes the TLS session of a connection that was cut`() throws {
        let bench = try Bench.warm(connections: 2)
        for round in 1...5 {
            bench.pass(.seconds(20))
            for peer in bench.network.peers.suffix(2) { peer.breakConnection() }
            bench.settle()
            #expect(bench.connected == 2 * round)
            #expect(bench.resumed == 2 * round)
        }
    }

    @Test func `sends over a resumed session`() throws {
        let bench = try Bench.warm()
        bench.pass(.seconds(20))
        bench.network.peers[0].breakConnection()
        bench.settle()
        #expect(bench.resumed == 1)
        #expect(bench.send(1))
        bench.settle()
        bench.network.peers[1].respond(0)
        bench.settle()
        #expect(bench.ends == ["1 answered 200"])
    }
}
