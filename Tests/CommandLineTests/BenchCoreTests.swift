import Delivery
import Engine
import Foundation
import Testing

@testable import Bridge
@testable import apns_bridge

@Suite struct `The events of a measurement` {
    @Test func `differ only in their device tokens`() {
        let events = BenchEvents(
            [UInt8](#"{"to":"C0FFEE01","again":"c0ffee01","from":"c0ffee02"}"#.utf8),
            destinations: [.device("c0ffee01")])
        #expect(events.replaced == 2)
        let texts = [0, 1].map { String(decoding: events.event($0), as: UTF8.self) }
        for text in texts {
            #expect(text.wholeMatch(
                of: /{"to":"ab[0-9a-f]{62}","again":"ab[0-9a-f]{62}","from":"c0ffee02"}/) != nil)
            #expect(text.utf8.count == events.size)
        }
        #expect(texts[0] != texts[1])
        #expect(events.event(7) == events.event(7))
        #expect(events.key(0) != events.key(1))
    }

    @Test func `are all the same when the device token does not come from the event`() {
        let events = BenchEvents([UInt8]("{}".utf8), destinations: [.device("c0ffee"), .device("")])
        #expect(events.replaced == 0)
        #expect(events.event(3) == [UInt8]("{}".utf8))
    }

    @Test func `go to one channel after the other`() {
        var channel = Destination.device("bWF0Y2g=")
        channel.kind = .channel
        let event = [UInt8](#"{"channel":"bWF0Y2g=","other":"bwf0y2g="}"#.utf8)
        let events = BenchEvents(
            event, destinations: [channel], channels: [Array("YQ==".utf8), Array("Yg==".utf8)])
        let texts = (0..<3).map { String(decoding: events.event($0), as: UTF8.self) }
        #expect(
            texts
                == ["YQ==", "Yg==", "YQ=="].map { #"{"channel":"\#($0)","other":"bwf0y2g="}"# })
        #expect(texts.allSatisfy { $0.utf8.count == events.size })
        #expect(BenchEvents(event, destinations: [channel]).event(3) == event)
    }

    @Test func `have 450 bytes unless others are given`() throws {
        #expect(BenchEvents.builtIn.size == 450)
        #expect(BenchEvents.builtIn.replaced == 1)
        _ = try JSONSerialization.jsonObject(with: Data(BenchEvents.builtIn.event(0)))
    }
}

@Suite struct `Processor time by part` {
    private func usage(_ threads: [Int: (String, Int, Int)]) -> BenchUsage {
        var usage = BenchUsage()
        for (number, thread) in threads {
            usage.threads[number] = BenchUsage.Thread(
                name: thread.0, user: thread.1, kernel: thread.2)
        }
        return usage
    }

    @Test func `goes to the worker, librdkafka, the simulator, and the rest`() {
        let start = usage([
            1: ("apns-bridge", 10, 10), 2: ("rdk:mock", 50, 0), 3: ("apns-simulator", 5, 5),
            4: ("bench-0", 100, 0),
        ])
        let end = usage([
            1: ("apns-bridge", 20, 10), 2: ("rdk:mock", 80, 0), 3: ("apns-simulator", 45, 15),
            4: ("bench-0", 180, 20), 5: ("rdk:broker1", 30, 10), 6: ("bench-1", 10, 0),
            7: ("bench-run", 1, 0), 8: ("kafka-helper", 5, 5),
        ])
        let costs = BenchCosts(
            from: start, to: end, seconds: 1, foreign: [1, 2, 3], ticksPerSecond: 100)
        #expect(costs[.worker].user == 0.9)
        #expect(costs[.worker].kernel == 0.2)
        #expect(costs[.worker].busiest == 1)
        #expect(costs[.library].all == 0.5)
        #expect(costs[.simulator].all == 0.5)
        #expect(abs(costs[.bench].all - 0.41) < 1e-9)
        #expect(abs(costs.bridge.all - 1.6) < 1e-9)
        #expect(costs.bridge.busiest == 1)
    }

    @Test func `is read from a line whose name has parentheses and spaces`() {
        let line = "77 (rdk:a b) (c)) S 1 2 3 0 -1 64 9 0 0 0 123 45 0 0 20 0 30 0 99 1 2"
        let thread = BenchUsage.Thread(stat: line)
        #expect(thread == BenchUsage.Thread(name: "rdk:a b) (c)", user: 123, kernel: 45))
        #expect(BenchUsage.Thread(stat: "77 (a) S 1 2") == nil)
        #expect(BenchUsage.Thread(stat: "") == nil)
    }

    @Test func `knows how idle the machine was`() {
        var (start, end) = (BenchUsage(), BenchUsage())
        start.readMachine(
            "cpu  100 0 50 800 50 0 0 0 0 0\ncpu0 1 2 3\n", hasLowPriority: false)
        end.readMachine("cpu  160 0 70 810 60 0 0 0 0 0\n", hasLowPriority: false)
        let costs = BenchCosts(from: start, to: end, seconds: 1, foreign: [])
        #expect(costs.idle == 0.2)
        #expect(BenchCosts(from: end, to: end, seconds: 0, foreign: []).idle == 1)
    }

    @Test(arguments: [(false, 0.9), (true, 0.1)])
    func `that programs of a lower priority use is there for others`(
        hasLowPriority: Bool, idle: Double
    ) {
        var (start, end) = (BenchUsage(), BenchUsage())
        start.readMachine("cpu  100 0 50 800 50 0 0 0\n", hasLowPriority: hasLowPriority)
        end.readMachine("cpu  110 80 50 810 50 0 0 0\n", hasLowPriority: hasLowPriority)
        #expect(BenchCosts(from: start, to: end, seconds: 1, foreign: []).idle == idle)
    }

    @Test func `of this process is there`() {
        let usage = BenchUsage.read()
        #expect(!usage.threads.isEmpty)
        #expect(usage.machine > 0)
        #expect(BenchUsage.ticksPerSecond > 0)
        #expect(BenchUsage.processors > 0)
    }
}

@Suite struct `The limit that binds` {
    private static func load(_ change: (inout BenchLoad) -> Void) -> BenchLoad {
        var load = BenchLoad()
        load.idle = 0.5
        load.maxInFlight = 4000
        load.maxOpenRequests = 4000
        load.maxQueued = 512
        load.partitions = 8
        load.processors = 4
        change(&load)
        return load
    }

    @Test(arguments: [
        (load { $0.idle = 0.05; $0.worker = 1 }, BenchLimit.processors),
        (load { $0.idle = 0.05; $0.allowedRate = 100; $0.rate = 99 }, .rate),
        (load { $0.worker = 1; $0.allowedRate = 100; $0.rate = 50 }, .worker),
        (load { $0.worker = 0.91; $0.simulator = 0.97 }, .simulator),
        (load { $0.worker = 0.97; $0.simulator = 0.95 }, .worker),
        (load { $0.library = 0.9 }, .library),
        (load { $0.openRequests = 3700; $0.recordsInFlight = 3900 }, .streams),
        (
            load {
                $0.maxOpenRequests = 9000; $0.openRequests = 3700; $0.recordsInFlight = 3900
            }, .window
        ),
        (
            load { $0.openRequests = 500; $0.reporting = 3000; $0.recordsInFlight = 3900 },
            .outcomes
        ),
        (
            load { $0.openRequests = 500; $0.queued = 3000; $0.recordsInFlight = 3900 },
            .flowControl
        ),
        (
            load { $0.openRequests = 500; $0.queued = 500; $0.recordsInFlight = 1300 },
            .flowControl
        ),
        (
            load {
                $0.openRequests = 48; $0.queued = 2; $0.blocked = 3234; $0.recordsInFlight = 3900
                $0.keepsOrder = true
            }, .ordering
        ),
        (
            load {
                $0.openRequests = 41; $0.blocked = 3500; $0.recordsInFlight = 3569
                $0.keepsOrder = true
            }, .ordering
        ),
        (
            load { $0.openRequests = 3000; $0.blocked = 3234; $0.recordsInFlight = 3900 }, .window
        ),
        (load { $0.recordsInFlight = 100; $0.openRequests = 20 }, .fetching),
    ])
    func `is the first that has no room left`(load: BenchLoad, limit: BenchLimit) {
        #expect(BenchLimit(load) == limit)
    }

    @Test func `distinguishes pushes that wait for room from those that wait for others`() {
        var figures = WorkerFigures(time: .distantPast, pushes: PushFigures(apps: 1))
        figures.state.pushes = 100
        figures.state.pushesToSend = 30
        figures.openRequests = 20
        let progress = BenchProgress([figures, figures])
        #expect(progress.queued == 60)
        #expect(progress.blocked == 100)
    }

    @Test(arguments: BenchLimit.allCases)
    func `is described, with what lifts it`(limit: BenchLimit) {
        let load = Self.load { $0.worker = 0.934 }
        #expect(limit.message(load).count > 20)
        #expect(limit.lift(load).count > 10)
    }

    @Test func `is lifted by more workers as long as there are partitions`() {
        #expect(BenchLimit.worker.lift(Self.load { $0.workers = 2 }).hasPrefix("set workers to 3"))
        #expect(BenchLimit.library.lift(Self.load { $0.workers = 2 }).hasPrefix("set workers to 3"))
        let full = Self.load { $0.workers = 8 }
        #expect(BenchLimit.worker.lift(full).hasPrefix("add partitions"))
        #expect(BenchLimit.library.lift(full).hasPrefix("add partitions"))
    }

    @Test func `is lifted by more streams where the connector allows few`() {
        #expect(BenchLimit.streams.lift(Self.load { _ in }) == "raise apns.connections")
        let few = Self.load { $0.limitsStreams = true }
        #expect(BenchLimit.streams.lift(few) == "raise apns.max_streams, or apns.connections")
    }
}

@Suite struct `A measurement` {
    private func paced(
        outcomes: Int, seconds: Double, wanted: Int, pushesPerEvent: Int = 1
    ) -> BenchResult.Paced {
        let start = BenchMeasurement.Moment(
            progress: BenchProgress(), usage: BenchUsage(), time: .distantPast)
        var end = start
        end.progress.stored = outcomes
        end.time += .seconds(seconds)
        return BenchResult.Paced(
            BenchMeasurement(from: start, to: end, foreign: []), wanted: wanted, seconds: 10,
            pushesPerEvent: pushesPerEvent)
    }

    @Test func `has a rate and a time for each push`() {
        let found = paced(outcomes: 5000, seconds: 2, wanted: 100).measurement
        #expect(found.rate == 2500)
        #expect(found.microseconds(0.05) == 10)
    }

    @Test func `without outcomes has no rate`() {
        let found = paced(outcomes: 0, seconds: 0, wanted: 100).measurement
        #expect(found.rate == 0)
        #expect(found.microseconds(1) == 0)
    }

    @Test func `holds a rate when all events are delivered soon after they were published`() {
        #expect(paced(outcomes: 10_000, seconds: 10.9, wanted: 1000).isHeld)
        #expect(paced(outcomes: 20_000, seconds: 10, wanted: 1000, pushesPerEvent: 2).isHeld)
        #expect(!paced(outcomes: 10_000, seconds: 13, wanted: 1000).isHeld)
        let slow = paced(outcomes: 6000, seconds: 10, wanted: 1000, pushesPerEvent: 2)
        #expect(!slow.isHeld)
        #expect(slow.reached == 300)
    }

    @Test func `counts pushes that are not reported as such`() {
        var progress = BenchProgress()
        progress.accepted = 90
        progress.rejected = 10
        progress.stored = 60
        progress.pushes = 100
        progress.openRequests = 50
        #expect(progress.reporting == 40)
        #expect(progress.blocked == 10)
    }
}

@Suite struct `What h2load says` {
    @Test func `is its rate and what succeeded`() {
        let result = H2LoadResult(
            output: """
                starting benchmark...
                finished in 1.28s, 15584.42 req/s, 1.04MB/s
                requests: 20000 total, 20000 started, 20000 done, 19990 succeeded, 10 failed, 0 \
                errored, 0 timeout
                status codes: 19990 2xx, 0 3xx, 10 4xx, 0 5xx
                """)
        #expect(result?.rate == 15584.42)
        #expect(result?.requests == 20_000)
        #expect(result?.succeeded == 19_990)
    }

    @Test(arguments: ["", "finished in 1s, 5 req/s", "requests: 1 total\nfinished in, req/s"])
    func `is nothing when it did not finish`(output: String) {
        #expect(H2LoadResult(output: output) == nil)
    }

    @Test func `is asked for the same connections, streams and body`() {
        let message = H2LoadResult.arguments(
            requests: 10, connections: 4, streams: 1000, body: "body.json",
            headers: [("apns-topic", "com.example.app")], url: "https://localhost:1/3/device/ab")
        #expect(
            message == [
                "--requests=10", "--clients=4", "--max-concurrent-streams=1000",
                "--data=body.json", "--header=apns-topic: com.example.app",
                "https://localhost:1/3/device/ab",
            ])
    }
}

@Suite struct `A number in a report` {
    @Test(arguments: [
        (0.0, 0, "0"), (1.25, 1, "1.3"), (-0.5, 2, "-0.50"), (12.0049, 2, "12.00"),
        (999.999, 2, "1000.00"), (0.007, 3, "0.007"), (.infinity, 1, "0"), (.nan, 2, "0"),
    ])
    func `has as many decimals as asked for`(value: Double, digits: Int, text: String) {
        #expect(Decimals.text(value, digits) == text)
    }
}
