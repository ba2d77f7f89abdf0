import BridgeSamples
import Configuration
import Delivery
import Kafka
import Testing

@testable import ConnectorTesting

@Suite struct `The totals of a dry run` {
    private func totals(_ events: [String]) throws -> DryRunTotals {
        var renderer = RecordRenderer(
            plan: try Samples.selectivePlan(), group: "g", explains: false)
        var totals = DryRunTotals(
            connector: "orders",
            spans: [
                PartitionReader.Span(
                    partition: TopicPartition(topic: "shop.orders", partition: 0), start: 5,
                    end: 1500)
            ])
        for event in events {
            let record = Record.owning(
                assignment: AssignmentID(1),
                topicPartition: TopicPartition(topic: "shop.orders", partition: 0), offset: 0,
                timestamp: 1000, key: nil, value: Array(event.utf8), headers: [])
            totals.count(renderer.render(record, now: 1000))
        }
        return totals
    }

    @Test func `count verdicts, reasons and sizes`() throws {
        let good = Samples.event(Samples.token("ab01"))
        var totals = try totals(Array(repeating: good, count: 1200) + ["{", "}"])
        totals.countDone()
        #expect(totals.records == 1203 && totals.alreadyDone == 1)
        #expect(totals.sentCount == 1200 && totals.dropped == ["unparsable": 2])
        #expect(totals.sizes.reduce(0, +) == 1200)
        #expect(totals.smallest == totals.largest && totals.bytes == 1200 * totals.largest)
        let lines = totals.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0] == "orders: 1,203 records read from shop.orders (1 partition)")
        #expect(lines[1] == "  would send        1,200   alert 1,200")
        #expect(lines[2] == "  would drop            2   unparsable 2")
        #expect(lines[3] == "  already done          1")
        #expect(lines[5] == "    <= 256          1,200")
    }

    @Test func `say how to read more when there was nothing to read`() throws {
        #expect(
            try totals([]).text == """
                orders: 0 records read from shop.orders (1 partition)
                  would send            0
                  would drop            0
                  There was nothing to read: --from-beginning reads all.

                """)
    }

    @Test func `say that they are not complete`() throws {
        var totals = try totals([])
        totals.wasStopped = true
        #expect(totals.text.contains("(1 partition), stopped before the end\n"))
        #expect(String(decoding: totals.json(), as: UTF8.self).contains(#""complete":false"#))
    }

    @Test(
        arguments: [
            (nil, .earliest, 5), (nil, .latest, 20), (12, .latest, 12), (2, .earliest, 5),
            (20, .earliest, 20), (21, .earliest, 5),
        ] as [(Int64?, SourceSettings.Start, Int64)])
    func `begin where the group would`(
        committed: Int64?, start: SourceSettings.Start, wanted: Int64
    ) {
        let partition = TopicPartition(topic: "shop.orders", partition: 0)
        let span = DryRun.span(
            PartitionReader.Span(partition: partition, start: 5, end: 20),
            CommittedOffset(topicPartition: partition, next: committed, metadata: ""), start)
        #expect(span.start == wanted && span.end == 20)
    }

    @Test func `know which partitions were added since the group began`() {
        let committed = [("n2;", 7), ("", nil), ("", nil)] as [(String, Int64?)]
        let locations = committed.enumerated().map { number, location in
            CommittedOffset(
                topicPartition: TopicPartition(topic: "shop.orders", partition: Int32(number)),
                next: location.1, metadata: location.0)
        }
        #expect(DryRun.firstCounts(locations) == ["shop.orders": 2])
        #expect(DryRun.firstCounts(Array(locations.dropFirst())) == ["shop.orders": 2])
    }

    @Test func `know which topics have appeared since the group began with a pattern`() {
        let topics: TopicSelection = ["shop.pay", "^shop\\..*", "^news"]
        let committed = [("shop.orders", 7), ("shop.new", nil), ("shop.pay", 1), ("news", nil)]
            .map { (topic: String, next: Int64?) in
                CommittedOffset(
                    topicPartition: TopicPartition(topic: topic, partition: 0), next: next,
                    metadata: "")
            }
        let begun = DryRun.begunPatterns(committed, topics)
        #expect(begun == ["^shop\\..*"])
        #expect(DryRun.hasAppeared("shop.new", begun, topics))
        #expect(!DryRun.hasAppeared("shop.pay", begun, topics))
        #expect(!DryRun.hasAppeared("news", begun, topics))
        #expect(DryRun.begunPatterns(Array(committed.dropFirst()), topics) == [])
    }
}
