import HTTP2
import Testing

@testable import APNs

@Suite struct `A pool and the limits of its connections` {
    @Test func `stays below its own stream limit if the peer allows more`() throws {
        let bench = try Bench.warm(server: HTTP2ServerSettings(streamLimit: 1000)) {
            $0.maxStreams = 3
        }
        #expect((0..<5).map { bench.send($0) } == [true, true, true, false, false])
        bench.settle()
        bench.network.peers[0].respond(1)
        bench.settle()
        #expect(bench.send(5))
        #expect(!bench.send(6))
    }

    @Test func `keeps to the peer's limit if its own is higher`() throws {
        let bench = try Bench.warm(server: HTTP2ServerSettings(streamLimit: 2)) {
            $0.maxStreams = 3
        }
        #expect((0..<3).map { bench.send($0) } == [true, true, false])
    }

    @Test func `follows the peer's limit from 1000 to 1 and back`() throws {
        let bench = try Bench.warm(server: HTTP2ServerSettings(streamLimit: 1000))
        for tag in 0..<1000 { #expect(bench.send(tag)) }
        #expect(!bench.send(1000))
        bench.settle()
        bench.network.peers[0].changeStreamLimit(1)
        bench.settle()
        for index in 1...999 { bench.network.peers[0].respond(index) }
        bench.settle()
        #expect(!bench.send(1001))
        bench.network.peers[0].respond(1000)
        bench.settle()
        #expect(bench.send(1001))
        #expect(!bench.send(1002))
        bench.network.peers[0].changeStreamLimit(1000)
        bench.settle()
        #expect((2000..<3000).count { bench.send($0) } == 999)
        #expect(bench.network.peers[0].complaint == nil)
    }
}
