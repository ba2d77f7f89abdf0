import BridgeSamples
import BridgeTesting
import Delivery
import Engine
import Testing

@Suite(
    .enabled(
        if: Python.hasValidator,
        "python3-jsonschema is not installed: it is the independent validator"))
struct `The records of a simulated world` {
    @Test func `fit the schemas of the result topics`() throws {
        // Not every world has a device that APNs calls unregistered.
        let worlds = try (1...6).map { try Weather.live(Seed($0)) }
        for name in ["outcome", "unregistered"] {
            let schema = try #require(ResultSchemas.text(named: name))
            let topic = name == "outcome" ? "apns.outcomes" : "apns.unregistered"
            let lines = worlds.flatMap { $0.results.records(of: topic) }.map {
                String(decoding: $0.value ?? [], as: UTF8.self)
            }
            #expect(!lines.isEmpty)
            #expect(try Python.validate(lines, schema: schema) == "")
        }
    }
}
