import Telemetry
import Testing

@Suite struct `The Prometheus text` {
    @Test func `escapes labels and help texts`() {
        var page = PrometheusText()
        page.append("a_total", help: "One\nline \\", [(labels: [("t", "\"x\"\n\\")], Counter())])
        #expect(
            page.text == #"""
                # HELP a_total One\nline \\
                # TYPE a_total counter
                a_total{t="\"x\"\n\\"} 0

                """#)
    }

    @Test func `shows gauges with and without a fraction`() {
        var page = PrometheusText()
        page.append(
            "g", help: "G.",
            [
                (labels: [], Gauge(3)), (labels: [("k", "v")], Gauge(0.5)),
                (labels: [("k", "w")], Gauge(.infinity)),
            ])
        #expect(
            page.text == """
                # HELP g G.
                # TYPE g gauge
                g 3
                g{k="v"} 0.5
                g{k="w"} +Inf

                """)
    }

    @Test func `counts a histogram up to each bound`() {
        var histogram = Histogram()
        for value in [1, 2, 20, 3_000_000] as [UInt64] { histogram.record(value) }
        var page = PrometheusText()
        page.append(
            "h_seconds", help: "H.", bounds: [2, 1000], scale: 1000,
            [(labels: [("t", "x")], histogram)])
        #expect(
            page.text == """
                # HELP h_seconds H.
                # TYPE h_seconds histogram
                h_seconds_bucket{t="x",le="0.002"} 2
                h_seconds_bucket{t="x",le="1"} 3
                h_seconds_bucket{t="x",le="+Inf"} 4
                h_seconds_sum{t="x"} 3000.023
                h_seconds_count{t="x"} 4

                """)
    }
}
