import Encoding
import Testing
import Tracing

@Suite struct `A traceparent header` {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static let span = "b7ad6b7169203331"

    private func read(_ text: String) -> TraceContext? {
        let bytes = Array(text.utf8)
        return TraceContext(traceparent: unsafe bytes.span.bytes)
    }

    @Test(arguments: [("01", true), ("00", false), ("03", true), ("02", false)])
    func `names trace and span, and whether they are recorded`(
        flags: String, isSampled: Bool
    ) throws {
        let context = try #require(read("00-\(Self.trace)-\(Self.span)-\(flags)"))
        #expect(context.trace.text == Self.trace)
        #expect(context.span.text == Self.span)
        #expect(context.isSampled == isSampled)
    }

    @Test func `of a later version may have more fields`() {
        #expect(read("01-\(Self.trace)-\(Self.span)-01-more") != nil)
        #expect(read("01-\(Self.trace)-\(Self.span)-01") != nil)
    }

    @Test(arguments: [
        "", "00", "00-1", "ff-\(trace)-\(span)-01", "00-\(trace)-\(span)-01-more",
        "01-\(trace)-\(span)-01more", "00-\(trace.uppercased())-\(span)-01",
        "00-\(String(repeating: "0", count: 32))-\(span)-01",
        "00-\(trace)-\(String(repeating: "0", count: 16))-01", "00_\(trace)_\(span)_01",
        "00-\(trace)-\(span)-0x", "g0-\(trace)-\(span)-01",
    ])
    func `that is not valid counts as absent`(text: String) {
        #expect(read(text) == nil)
    }
}

@Suite struct `A sampler of pushes` {
    private func context(_ flags: String) -> TraceContext? {
        let text = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-" + flags
        let bytes = Array(text.utf8)
        return TraceContext(traceparent: unsafe bytes.span.bytes)
    }

    private func count(of ids: Int, _ sampler: TraceSampler) -> Int {
        var random = SeededGenerator(seed: 7)
        return (0..<ids).count { _ in
            TraceID(high: random.next(), low: random.next()).map {
                sampler.samples(parent: nil, own: $0)
            } ?? false
        }
    }

    @Test(arguments: [0, 0.5, 1])
    func `follows the event's own trace, whatever the share`(share: Double) throws {
        let sampler = TraceSampler(share: share)
        let own = try #require(TraceID(high: 1, low: 2))
        #expect(sampler.samples(parent: context("01"), own: own))
        #expect(!sampler.samples(parent: context("00"), own: own))
    }

    @Test func `takes its share of the others`() {
        #expect(count(of: 100_000, TraceSampler(share: 0)) == 0)
        #expect((900...1100).contains(count(of: 100_000, TraceSampler(share: 0.01))))
        #expect((49_000...51_000).contains(count(of: 100_000, TraceSampler(share: 0.5))))
        #expect(count(of: 1000, TraceSampler(share: 1)) == 1000)
    }

    @Test func `takes its share of IDs that are counted up, too`() {
        let sampler = TraceSampler(share: 0.1)
        let taken = (1...10_000).count { number in
            TraceID(high: 0, low: UInt64(number)).map {
                sampler.samples(parent: nil, own: $0)
            } ?? false
        }
        #expect((850...1150).contains(taken))
    }

    @Test func `always decides the same about a trace`() throws {
        let sampler = TraceSampler(share: 0.3)
        for low in 1...200 {
            let own = try #require(TraceID(high: 5, low: UInt64(low)))
            let first = sampler.samples(parent: nil, own: own)
            #expect(TraceSampler(share: 0.3).samples(parent: nil, own: own) == first)
        }
    }
}
