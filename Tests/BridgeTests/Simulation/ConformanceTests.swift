import BridgeTesting
import Testing

@Suite struct `A record source or result sink of a simulated world` {
    @Test(arguments: KafkaPromise.allCases, Seed.several(5))
    func `keeps the promise that a worker relies on`(promise: KafkaPromise, seed: Seed) throws {
        let violations = try promise.violations(on: SimulatedKafka(seed: seed))
        #expect(violations == [], "\(seed)")
    }
}
