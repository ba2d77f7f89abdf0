import Configuration
import Delivery
import EventLoop
import Foundation
import Telemetry
import Testing
import Tracing

@testable import Bridge

/// Finished spans for tests.
private enum Made {
    static func spans(_ count: Int) throws -> [Span] {
        try (1...count).map { number in
            var span = Span(
                trace: try #require(TraceID(high: 7, low: UInt64(number))),
                id: try #require(SpanID(UInt64(number))), parent: nil, name: "send apns",
                kind: .client, start: 1_767_261_600_000, end: 1_767_261_600_010)
            span.add("apns.stream", Int64(number))
            return span
        }
    }
}

@Suite struct `A queue of spans` {
    @Test func `hands them over in batches, oldest first`() throws {
        let queue = SpanQueue(sampler: TraceSampler(share: 1))
        queue.add(try Made.spans(600))
        let first = queue.take()
        #expect(first.count == 512 && first.first?["apns.stream"] == .integer(1))
        #expect(queue.take().count == 88)
        #expect(queue.take().isEmpty)
        #expect(queue.totals == SpanQueue.Totals())
    }

    @Test func `drops and counts spans that do not fit`() throws {
        let queue = SpanQueue(sampler: TraceSampler(share: 1))
        queue.add(try Made.spans(2000))
        queue.add(try Made.spans(100), dropped: 3)
        #expect(queue.count == 2048)
        #expect(queue.totals == SpanQueue.Totals(exported: 0, dropped: 55))
        queue.add(try Made.spans(10))
        #expect(queue.totals.dropped == 65)
        #expect(queue.take().count == 512)
        queue.add(try Made.spans(10))
        #expect(queue.totals.dropped == 65)
    }

    @Test func `wakes the exporter for its first span and for a whole batch only`() throws {
        let queue = SpanQueue(sampler: TraceSampler(share: 1))
        func wakeups() -> Int {
            var count = 0
            queue.mailbox.drain { _ in count += 1 }
            return count
        }
        queue.add(try Made.spans(1))
        #expect(wakeups() == 1)
        queue.add(try Made.spans(500))
        #expect(wakeups() == 0)
        queue.add(try Made.spans(11))
        #expect(wakeups() == 1)
        queue.add(try Made.spans(1800))
        #expect(wakeups() == 0)
    }
}

// A limit only for what would otherwise wait for ever.
@Suite(.timeLimit(.minutes(15))) struct `An exporter of spans` {
    /// How long the last exports may take here: what runs beside a test may be slow.
    private let timeout = Duration.seconds(86_400)

    private func exporter(_ url: String, log: Lines = Lines()) -> SpanExporter {
        let logger = Logger(label: "apns-bridge", level: .info, sink: log)
        return SpanExporter(TracingSettings(url: url, sample: 1), version: "1.2", logger: logger)
    }

    @Test func `sends what OTLP's schema allows, and counts it`() async throws {
        let collector = Collector()
        let exporter = exporter(try collector.start())
        exporter.start()
        exporter.queue.add(try Made.spans(3))
        let request = try #require(await collector.requests { $0.count == 1 }.first)
        #expect(request.faults == [] && request.contentType == "application/json")
        #expect(request.spans.map { $0["apns.stream"] } == ["1", "2", "3"])
        exporter.stop(within: timeout)
        #expect(exporter.queue.totals == SpanQueue.Totals(exported: 3, dropped: 0))
    }

    @Test func `sends a batch again when the collector is busy, and says so once`() async throws {
        let collector = Collector(statuses: [503, 429], headers: ["retry-after": "1"])
        let log = Lines()
        let exporter = exporter(try collector.start(), log: log)
        exporter.start()
        exporter.queue.add(try Made.spans(2))
        let requests = await collector.requests { $0.last?.status == 200 }
        #expect(requests.map(\.status) == [503, 429, 200])
        #expect(requests.allSatisfy { $0.spans == requests[0].spans })
        exporter.stop(within: timeout)
        #expect(exporter.queue.totals == SpanQueue.Totals(exported: 2, dropped: 0))
        #expect(log.all.count == 2)
        #expect(log.all.first?.contains("traces not exported") == true)
        #expect(log.all.first?.contains("503") == true)
        #expect(log.all.last?.contains("traces exported again") == true)
    }

    @Test func `drops a batch that the collector refuses, and continues`() async throws {
        let collector = Collector(statuses: [400])
        let exporter = exporter(try collector.start())
        exporter.start()
        exporter.queue.add(try Made.spans(512))
        _ = await collector.requests { $0.count == 1 }
        exporter.queue.add(try Made.spans(512))
        let requests = await collector.requests { $0.count == 1 }
        #expect(requests.map(\.status) == [200])
        exporter.stop(within: timeout)
        #expect(exporter.queue.totals == SpanQueue.Totals(exported: 512, dropped: 512))
    }

    @Test func `exports what is left when it stops`() async throws {
        let collector = Collector()
        let exporter = exporter(try collector.start())
        exporter.start()
        exporter.queue.add(try Made.spans(1500))
        exporter.stop(within: timeout)
        #expect(exporter.queue.totals == SpanQueue.Totals(exported: 1500, dropped: 0))
        let requests = await collector.requests { $0.count == 3 }
        #expect(requests.map(\.spans.count) == [512, 512, 476])
    }

    @Test func `stops after two seconds when the collector is away or silent`() throws {
        #expect(ExportLoop.timeout == .seconds(2))
        // The first refuses connections; the second accepts them and never responds.
        var kernel = try LinuxKernel()
        let silent = try kernel.listen(
            on: SocketAddress(address: [127, 0, 0, 1], port: 0), token: 1)
        let address = kernel.localAddress(of: silent)
        let port = try #require(address).port
        for url in ["http://127.0.0.1:1/v1/traces", "http://127.0.0.1:\(port)/v1/traces"] {
            let log = Lines()
            let exporter = exporter(url, log: log)
            exporter.start()
            exporter.queue.add(try Made.spans(600))
            let start = MonotonicClock.now
            exporter.stop()
            let end = try #require(exporter.queue.end)
            #expect(start + ExportLoop.timeout <= end && end <= MonotonicClock.now)
            #expect(exporter.queue.totals == SpanQueue.Totals(exported: 0, dropped: 600))
            #expect(log.all.count == 1)
        }
        kernel.close(silent)
    }

    @Test func `that has nothing to do stops at once, however patient it is`() throws {
        let exporter = exporter("http://127.0.0.1:1/v1/traces")
        exporter.start()
        exporter.stop(within: timeout)
        exporter.stop()
    }

    @Test func `names no query in the log, which may contain a secret`() throws {
        let log = Lines()
        let exporter = exporter("http://127.0.0.1:1/v1/traces?key=hidden", log: log)
        exporter.start()
        exporter.queue.add(try Made.spans(1))
        exporter.stop()
        #expect(log.all.count == 1 && !log.all[0].contains("hidden"))
    }
}
