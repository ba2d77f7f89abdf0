import APNsSimulator
import BridgeSamples
import BridgeTesting
import Delivery
import Engine
import Testing
import Tracing

@testable import Bridge

extension Span {
    /// The value of an attribute as text; empty without one.
    fileprivate func text(_ name: String) -> String {
        switch self[name] {
        case .text(let text): text
        case .integer(let number): String(number)
        case nil: ""
        }
    }
}

@Suite struct `A worker that is traced` {
    /// A world with 20 records for a worker, of whose pushes this share is traced; nil for none.
    private func world(share: Double?) throws -> World {
        let world = try World(partitions: 1)
        world.spans = share.map { SpanQueue(sampler: TraceSampler(share: $0)) }
        try world.start()
        world.member?.assign([0])
        for number in 0..<20 { append(world, "\(number % 10)a") }
        return world
    }

    private func append(_ world: World, _ token: String) {
        world.topic.append(value: Array(Samples.event(Samples.token(token)).utf8))
    }

    @Test func `says on which connection and stream each push was sent`() throws {
        let world = try world(share: 1)
        // The second connection is opened a while after the first one.
        world.run(seconds: 30)
        for number in 0..<20 { append(world, "\(number % 10)b") }
        #expect(world.runUntilDone())
        let spans = try #require(world.spans).take()
        #expect(spans.count == 160)
        let sends = spans.filter { $0.name == "send apns" }
        #expect(sends.count == 40)
        let locations = sends.map { "\($0.text("apns.connection"))/\($0.text("apns.stream"))" }
        #expect(Set(locations).count == 40, "no two requests share a stream")
        #expect(Set(sends.map { $0.text("apns.connection") }).count == 2)
        #expect(
            sends.allSatisfy { (Int($0.text("apns.stream")) ?? 0) % 2 == 1 },
            "streams of clients are odd")
        let request = TraceRequest(version: "1", instance: "i").body(spans)
        var schema = ExportSchema(request)
        schema.check()
        #expect(schema.faults == [] && schema.spans.count == 160)
    }

    @Test func `keeps on sending when nobody takes its spans`() throws {
        let world = try world(share: 1)
        for _ in 0..<1000 { append(world, "bb") }
        #expect(world.runUntilDone())
        #expect(world.counters.accepted == 1020)
        let spans = try #require(world.spans)
        #expect(spans.count == 2048 && spans.totals.dropped == 4080 - 2048)
    }

    @Test func `sends the same at the same times as one that is not`() throws {
        let traced = try world(share: 1)
        let plain = try world(share: nil)
        #expect(traced.runUntilDone() && plain.runUntilDone())
        #expect(traced.history == plain.history)
    }
}
