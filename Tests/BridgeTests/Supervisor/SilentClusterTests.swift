import BridgeSamples
import Configuration
import Foundation
import Telemetry
import Testing

@testable import Bridge

@Suite struct `The first check of clusters that do not respond` {
    @Test func `asks them side by side`() async throws {
        let peers = [try SilentPeer(), try SilentPeer(), try SilentPeer()]
        let connectors = try peers.map { peer in
            var connector = try Samples.connector(plan: Samples.canonicalPlan())
            connector.kafka = [("bootstrap.servers", "127.0.0.1:\(peer.port)")]
            return connector
        }
        async let results = onThread("check") { () throws(StartFailure) in
            try KafkaCheck.examine(connectors, Logger(label: "test", level: .critical))
        }
        for peer in peers { #expect(peer.accept()) }
        // One after the other, each would have been given up before the next was asked.
        for peer in peers { #expect(peer.isAwaited) }
        for peer in peers { peer.end() }
        let found = try await results.get()
        #expect(found.count == 3)
        for (result, peer) in zip(found, peers) {
            let failure = #expect(throws: StartFailure.self) { try result.get() }
            #expect(failure?.kind == .unavailable)
            let words = failure?.description ?? ""
            #expect(words.contains(":\(peer.port)"), "in their order")
        }
    }
}

@Suite struct `Work that is done side by side` {
    @Test func `is done at the same time, and its results are in the order of the items`() {
        let meeting = Meeting(of: 5)
        let found = SideBySide.map([4, 5, 6, 7, 8]) { number in
            meeting.attend()
            return number * 2
        }
        #expect(found == [8, 10, 12, 14, 16])
    }

    @Test func `is done for more items than there are threads`() {
        #expect(SideBySide.map(Array(0..<100)) { $0 } == Array(0..<100))
        #expect(SideBySide.map([Int]()) { $0 } == [])
    }
}
