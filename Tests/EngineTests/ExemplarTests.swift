import Delivery
import Telemetry
import Testing
import Tracing

@testable import Engine

@Suite struct `The latency of a push` {
    private func figures(share: Double?) throws -> PushFigures {
        let harness = try EngineHarness { $0.sampler = share.map { TraceSampler(share: $0) } }
        harness.assign()
        harness.push(offset: 0)
        harness.respond(try #require(harness.send()), 200)
        harness.settle()
        return harness.engine.figures
    }

    @Test func `leads to its trace if it is traced`() throws {
        let figures = try figures(share: 1)
        for histogram in [figures.eventToAccepted, figures.eventToOutcome, figures.roundTrip] {
            #expect(histogram.count == 1)
            let exemplar = try #require(histogram.exemplar(above: nil, upTo: .max))
            #expect(exemplar.trace.utf8.count == 32 && exemplar.time == EngineHarness.start)
        }
    }

    @Test(arguments: [nil, 0])
    func `leads nowhere otherwise`(share: Double?) throws {
        let histogram = try figures(share: share).eventToOutcome
        #expect(histogram.count == 1 && histogram.exemplar(above: nil, upTo: .max) == nil)
    }
}
