import HTTP2
import Testing

@testable import APNs

@Suite struct `A young connection` {
    private func fill(_ bench: Bench, from tag: inout Int) -> Int {
        var sent = 0
        while bench.send(tag) {
            sent += 1
            tag += 1
        }
        bench.settle()
        return sent
    }

    @Test func `starts with 8 requests and doubles that when all have responses`() throws {
        let bench = try Bench.warm(server: HTTP2ServerSettings(streamLimit: 100)) {
            $0.firstRequests = 8
        }
        var tag = 1
        // The first 200 of the warm connection counts among the first eight.
        var taken: [Int] = []
        for _ in 0..<5 {
            taken.append(fill(bench, from: &tag))
            bench.network.peers[0].respondToAll()
            bench.settle()
        }
        #expect(taken == [8, 16, 32, 64, 100])
    }

    @Test func `accepts more only as responses arrive`() throws {
        let bench = try Bench.warm { $0.firstRequests = 8 }
        var tag = 1
        #expect(fill(bench, from: &tag) == 8)
        bench.network.peers[0].respondToAll(atMost: 4)
        bench.settle()
        #expect(fill(bench, from: &tag) == 4)
    }

    @Test func `starts with 8 again after the previous one was cut`() throws {
        let bench = try Bench.warm { $0.firstRequests = 8 }
        var tag = 1
        for _ in 0..<4 {
            _ = fill(bench, from: &tag)
            bench.network.peers[0].respondToAll()
            bench.settle()
        }
        bench.network.peers[0].breakConnection()
        bench.settle()
        bench.pass(.seconds(5))
        try #require(bench.network.peers.count == 2)
        #expect(bench.send(tag))
        bench.settle()
        bench.network.peers[1].respond(0)
        bench.settle()
        tag += 1
        #expect(fill(bench, from: &tag) == 8)
    }
}
