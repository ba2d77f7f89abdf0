import BridgeSamples
import Configuration
import Delivery
import JSON
import Mapping
import Testing

@testable import Engine

@Suite(
    .enabled(
        if: Python.hasValidator,
        "python3-jsonschema is not installed: it is the independent validator"))
struct `The schemas of the result topics` {
    /// Records with every kind of verdict.
    private func published(
        labels: MappingSource? = nil, tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> [EngineHarness.Published] {
        let harness = try EngineHarness(plan: Samples.canonicalPlan(labels: labels), tweak: tweak)
        harness.assign()
        var offset: Int64 = 0
        let responses: [(Int, String, Int64?)] = [
            (200, "", nil), (410, "Unregistered", 1_767_000_000_123), (410, "ExpiredToken", nil),
            (400, "BadDeviceToken", nil), (400, "New", nil), (413, "PayloadTooLarge", nil),
            (404, "a new \"reason\" \u{1F480}", nil), (200, "", nil),
        ]
        for (status, reason, timestamp) in responses {
            harness.push(
                "cd0\(offset)", offset: offset, more: #","collapse_id":"order \#(offset)""#)
            try harness.sendAndRespond(status, reason, timestamp: timestamp)
            offset += 1
        }
        for value in [nil, "no JSON", "{}", #"{"device_token":"x","bundle_id":"?"}"#] {
            harness.take(value, offset: offset)
            offset += 1
        }
        harness.push(offset: offset, more: #","push_type":"background","expiration":1"#)
        harness.push(offset: offset + 1)
        try harness.sendAndRespond(503, "ServiceUnavailable")
        harness.pass(milliseconds: 1000)
        harness.engine.inDoubt(try #require(harness.send()), reason: "no response within 20 s")
        harness.push(offset: offset + 2)
        harness.pass(milliseconds: 3_700_000)
        return harness.settle()
    }

    private func lines(_ published: [EngineHarness.Published]) -> [String] {
        published.map(\.value)
    }

    @Test func `match every outcome`() throws {
        let schema = try #require(ResultSchemas.text(named: "outcome"))
        let all = try published().outcomes
        #expect(all.count == 15)
        #expect(try Python.validate(lines(all), schema: schema) == "")
    }

    @Test(arguments: ResultsSettings.DeviceTokenPrivacy.allCases)
    func `match outcomes with any treatment of device tokens`(
        privacy: ResultsSettings.DeviceTokenPrivacy
    ) throws {
        let schema = try #require(ResultSchemas.text(named: "outcome"))
        let all = try published { $0.results.deviceTokens = privacy }.outcomes
        #expect(try Python.validate(lines(all), schema: schema) == "")
    }

    @Test func `match records with labels and the key of the event`() throws {
        let labels = Samples.labels([("id", "${collapse_id}"), ("n", "${@offset}")])
        let all = try published(labels: labels) { $0.results.containsEventKey = true }
        let outcome = try #require(ResultSchemas.text(named: "outcome"))
        #expect(try Python.validate(lines(all.outcomes), schema: outcome) == "")
        let unregistered = try #require(ResultSchemas.text(named: "unregistered"))
        #expect(all.unregistered.allSatisfy { $0.value.contains(#""labels":{"id":"order "#) })
        #expect(try Python.validate(lines(all.unregistered), schema: unregistered) == "")
    }

    @Test func `match every unregistered record`() throws {
        let schema = try #require(ResultSchemas.text(named: "unregistered"))
        let all = try published().unregistered
        #expect(all.count == 2)
        #expect(try Python.validate(lines(all), schema: schema) == "")
    }

    @Test func `accept fields and values that a later version adds`() throws {
        let outcome = try #require(published().outcomes.first).value
        let unregistered = try #require(published().unregistered.first).value
        for (name, old) in [("outcome", outcome), ("unregistered", unregistered)] {
            let schema = try #require(ResultSchemas.text(named: name))
            let new = old.replacing(#""offset":"#, with: #""epoch":1,"offset":"#)
                .replacing(#","source""#, with: #","more":{"is":[1]},"source""#)
                .replacing(#""environment":"production""#, with: #""environment":"moon""#)
                .replacing(#""push_type":"alert""#, with: #""push_type":"hologram""#)
            #expect(new != old)
            #expect(try Python.validate([new], schema: schema) == "")
        }
    }

    @Test func `reject a missing field and one of another type`() throws {
        let schema = try #require(ResultSchemas.text(named: "outcome"))
        let good = try #require(published().outcomes.first).value
        for bad in [
            good.replacing(#""suspect":false,"#, with: ""),
            good.replacing(#""suspect":false,"#, with: #""suspect":null,"#),
            good.replacing("accepted", with: "delivered"),
        ] {
            #expect(bad != good)
            #expect(try Python.validate([bad], schema: schema) != "")
        }
    }

    @Test func `describe every field`() throws {
        for schema in ResultSchemas.all {
            let bytes = Array(schema.text.utf8)
            var tape = JSONTape()
            try tape.read(bytes)
            let found = tape.member("properties", of: 0, in: bytes)
            let properties = try #require(found)
            var node = tape.children(of: properties).first
            let end = tape.children(of: properties).end
            var count = 0
            while node < end {
                count += 1
                let name = tape.text(of: node, in: bytes) ?? "no name"
                let value = tape.next(after: node)
                let description = tape.member("description", of: value, in: bytes)
                #expect(description != nil, "\(schema.name).\(name)")
                node = tape.next(after: value)
            }
            #expect(count >= 5, "\(schema.name)")
        }
    }
}
