import Telemetry
import Testing

@Suite struct `The OpenMetrics text` {
    @Test func `names counters without their suffix, and ends with a mark`() {
        var page = PrometheusText(.openMetrics)
        page.append("a_total", help: #"An "a"."#, [(labels: [("t", "x")], Counter())])
        page.append("b_seconds_total", help: "B.", seconds: 1.5)
        page.append("g", help: "G.", [(labels: [], Gauge(3))])
        #expect(
            page.text == #"""
                # HELP a An \"a\".
                # TYPE a counter
                a_total{t="x"} 0
                # HELP b_seconds B.
                # TYPE b_seconds counter
                b_seconds_total 1.5
                # HELP g G.
                # TYPE g gauge
                g 3
                # EOF

                """#)
    }

    @Test func `shows the newest trace of each bucket of a histogram`() {
        var histogram = Histogram()
        for (value, trace) in [(1, "aa"), (2, "ab"), (700, "ac"), (3_000_000, "ad")] {
            let time = 1_767_225_600_000 + Int64(value)
            histogram.record(Exemplar(value: UInt64(value), trace: trace, time: time))
        }
        histogram.record(2)
        var page = PrometheusText(.openMetrics)
        page.append(
            "h_seconds", help: "H.", bounds: [2, 500, 1000], scale: 1000,
            [(labels: [], histogram)])
        #expect(
            page.text == """
                # HELP h_seconds H.
                # TYPE h_seconds histogram
                h_seconds_bucket{le="0.002"} 3 # {trace_id="ab"} 0.002 1767225600.002
                h_seconds_bucket{le="0.5"} 3
                h_seconds_bucket{le="1.0"} 4 # {trace_id="ac"} 0.7 1767225600.7
                h_seconds_bucket{le="+Inf"} 5 # {trace_id="ad"} 3000 1767228600
                h_seconds_sum 3000.705
                h_seconds_count 5
                # EOF

                """)
    }

    @Test(arguments: [
        (nil, .plain), ("", .plain), ("*/*", .plain), ("application/json", .plain),
        ("application/openmetrics-text", .openMetrics),
        ("Application/OpenMetrics-Text; Version=1.0.0", .openMetrics),
        ("application/openmetrics-text;version=0.0.1", .plain),
        ("application/openmetrics-text;q=0", .plain),
        ("application/openmetrics-text;q=x", .plain),
        ("application/openmetrics-text;q=0.4,text/plain;q=0.5", .plain),
        ("text/plain;version=0.0.4;q=0.3,application/openmetrics-text;q=0.3", .openMetrics),
        (
            """
            application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,\
            application/openmetrics-text;version=0.0.1;q=0.5,\
            text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,\
            text/plain;version=0.0.4;q=0.3,*/*;q=0.2
            """, .openMetrics
        ),
    ] as [(String?, PrometheusText.Format)])
    func `is only for those that ask for it`(accept: String?, format: PrometheusText.Format) {
        #expect(PrometheusText.Format(accept: accept) == format)
    }
}

@Suite struct `The exemplars of a histogram` {
    private func histogram(_ exemplars: (value: UInt64, time: Int64)...) -> Histogram {
        var histogram = Histogram()
        for (value, time) in exemplars {
            histogram.record(Exemplar(value: value, trace: "\(value)", time: time))
        }
        return histogram
    }

    @Test func `are one for each power of two, so that fast values do not replace slow ones`() {
        var histogram = histogram((5000, 1), (0, 2), (7, 3), (5, 4))
        histogram.record(6000)
        #expect(histogram.count == 5)
        #expect(histogram.exemplar(above: nil, upTo: 0)?.value == 0)
        #expect(histogram.exemplar(above: nil, upTo: 100)?.value == 5)
        #expect(histogram.exemplar(above: 5, upTo: 100) == nil)
        #expect(histogram.exemplar(above: 100, upTo: .max)?.value == 5000)
    }

    @Test func `are the newest of all that are added, and none of a difference`() {
        var sum = histogram((5, 10), (100, 1))
        sum.merge(histogram((6, 9), (101, 2)))
        #expect(sum.exemplar(above: nil, upTo: 10)?.value == 5)
        #expect(sum.exemplar(above: 10, upTo: .max)?.value == 101)
        #expect(sum.since(Histogram()).exemplar(above: nil, upTo: .max) == nil)
        sum.reset()
        #expect(sum == Histogram())
    }
}
