import Telemetry
import Testing

@testable import Engine

@Suite struct `A group of histograms` {
    @Test func `records the same as histograms of their own`() {
        var group = HistogramGroup(counters: 2)
        var alone = [Histogram(), Histogram(), Histogram()]
        var value: UInt64 = 1
        for number in 0..<2000 {
            value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let values = (0..<3).map { position -> UInt64? in
                (number + position) % 4 == 0 ? nil : value >> UInt64((number + 7 * position) % 64)
            }
            group.record(values[0], values[1], values[2])
            if !values.contains(nil) { group.increment(1) }
            for (position, value) in values.enumerated() where value != nil {
                alone[position].record(value ?? 0)
            }
        }
        #expect(group.count(0) == 0 && group.count(1) == 500 && group.total == 500)
        for (number, histogram) in alone.enumerated() {
            let found = group[number]
            #expect(found.count == histogram.count && found.sum == histogram.sum)
            #expect(found.maximum == histogram.maximum)
            for value in (0..<64).map({ UInt64.max >> UInt64($0) }) {
                #expect(found.count(upTo: value) == histogram.count(upTo: value))
            }
            for share in [0.25, 0.5, 0.99] {
                #expect(found.quantile(share) == histogram.quantile(share))
            }
        }
    }

    @Test func `is empty at first`() {
        let group = HistogramGroup(counters: 2)
        for number in 0..<3 { #expect(group[number] == Histogram()) }
    }

    @Test func `keeps an earlier copy as it was`() {
        var group = HistogramGroup(counters: 2)
        group.record(1, 2, 3)
        let earlier = group
        group.record(4, nil, nil)
        #expect(earlier[0].count == 1 && group[0].count == 2)
    }

    @Test func `notes the trace of a value`() {
        var group = HistogramGroup(counters: 2)
        group.record(nil, 40, nil)
        group.note(Exemplar(value: 40, trace: "ab", time: 1), in: 1)
        #expect(group[1].exemplar(above: nil, upTo: 50)?.trace == "ab")
        #expect(group[0].exemplar(above: nil, upTo: 50) == nil)
    }
}
