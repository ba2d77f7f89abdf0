import BridgeSamples
import Delivery
import Testing

@testable import Engine

@Suite struct `The metrics of pushes by label` {
    private func harness(_ names: [String] = ["campaign"]) throws -> EngineHarness {
        let labels = Samples.labels([("campaign", "${campaign?}"), ("day", "${day?}")])
        let harness = try EngineHarness(plan: try Samples.canonicalPlan(labels: labels)) {
            $0.metricLabels = names
        }
        harness.assign()
        return harness
    }

    /// The counts, each with its values and its verdict.
    private func counts(_ harness: EngineHarness) throws -> [String: UInt64] {
        let figures = try #require(harness.engine.figures.labelled)
        var counts: [String: UInt64] = [:]
        for (series, count) in figures.counts {
            let values = figures.values(of: series)
            let reason = series.kind.reason
            counts[(values + [series.kind.verdict.rawValue, reason]).joined(separator: "|")] = count
        }
        return counts
    }

    @Test func `have the values of accepted, rejected and dropped pushes`() throws {
        let harness = try harness(["campaign", "day"])
        let more = #","campaign":"summer \"26\"","day":7"#
        for offset in Int64(0)..<2 {
            harness.push(offset: offset, more: more)
            try harness.sendAndRespond(200)
        }
        harness.push(offset: 2, more: #","campaign":true"#)
        try harness.sendAndRespond(410, "Unregistered", timestamp: 1)
        harness.push("xyz", offset: 3, more: #","day":8"#)
        _ = harness.settle()
        let counts = try counts(harness)
        #expect(counts[#"summer "26"|7|accepted|"#] == 2)
        #expect(counts["|8|dropped|invalid_device_token"] == 1)
        #expect(counts.values.reduce(0, +) == 4)
    }

    @Test func `distinguish the first fifty values, and count the others together`() throws {
        let harness = try harness()
        for offset in Int64(0)..<120 {
            harness.push(offset: offset, more: #","campaign":"c\#(offset)""#)
            try harness.sendAndRespond(200)
            _ = harness.settle()
        }
        let counts = try counts(harness)
        #expect(counts.count == 51)
        #expect(counts["c49|accepted|"] == 1)
        #expect(counts["other|accepted|"] == 70)
        #expect(harness.engine.figures.acceptedTotal == 120)
        #expect(harness.engine.figures.labelled?.pushesBeyondLimit == 70)
    }

    @Test func `forget a value without a push for a day, which makes room for another`() throws {
        let harness = try harness()
        var offset: Int64 = 0
        func push(_ campaign: String) throws {
            harness.push(offset: offset, more: #","campaign":"\#(campaign)""#)
            try harness.sendAndRespond(200)
            _ = harness.settle()
            offset += 1
        }
        for number in 0..<51 { try push("c\(number)") }
        for _ in 0..<26 {
            harness.pass(milliseconds: 3_600_000)
            try push("c7")
        }
        #expect(try counts(harness) == ["c7|accepted|": 27, "other|accepted|": 1])
        try push("new")
        try push("c0")
        let counts = try counts(harness)
        #expect(counts["new|accepted|"] == 1 && counts["c0|accepted|"] == 1)
        #expect(counts.count == 4)
    }

    @Test func `count unrecognized reasons as one`() throws {
        let harness = try harness()
        for offset in Int64(0)..<3 {
            harness.push(offset: offset, more: #","campaign":"c""#)
            try harness.sendAndRespond(400, "Brand\(offset)New")
        }
        _ = harness.settle()
        let reasons = try counts(harness).keys
        #expect(reasons.allSatisfy { $0.hasSuffix("|other") || $0.hasSuffix("|") }, "\(reasons)")
    }

    @Test func `are empty for an event without labels, and cost nothing if none is named`() throws {
        let harness = try harness()
        harness.push(offset: 0)
        try harness.sendAndRespond(200)
        _ = harness.settle()
        #expect(try counts(harness) == ["|accepted|": 1])
        let plain = try self.harness([])
        plain.push(offset: 0, more: #","campaign":"c""#)
        try plain.sendAndRespond(200)
        _ = plain.settle()
        #expect(plain.engine.figures.labelled == nil)
        #expect(plain.engine.figures.acceptedTotal == 1)
    }
}
