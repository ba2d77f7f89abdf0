import Testing
import Tracing

@Suite struct `An export of spans` {
    private var pace = ExportPace()

    private mutating func judge(
        _ status: Int, wait: Duration? = nil
    ) -> (decision: ExportPace.Decision, event: ExportPace.Event?) {
        pace.judge(.responded(status: status, retryAfter: wait), random: .max)
    }

    @Test(arguments: [200, 202, 204])
    mutating func `is done when the collector accepts it`(status: Int) {
        let result = judge(status)
        #expect(result.decision == .delivered && result.event == nil)
    }

    @Test(arguments: [429, 502, 503, 504])
    mutating func `is tried again when the collector is busy`(status: Int) {
        guard case .retry(let pause) = judge(status).decision else {
            Issue.record("not tried again")
            return
        }
        #expect(pause > .milliseconds(500) && pause <= .seconds(1))
    }

    @Test(arguments: [301, 400, 401, 404, 413, 500])
    mutating func `is given up when the collector refuses it for good`(status: Int) {
        let result = judge(status)
        #expect(result.decision == .drop)
        #expect(result.event == .failing("the collector responded with status \(status)"))
    }

    @Test mutating func `waits longer after each failure, and as long as the collector asks`() {
        var pauses: [Duration] = []
        for _ in 0..<8 {
            let result = pace.judge(.failed("refused"), random: 0)
            if case .retry(let pause) = result.decision { pauses.append(pause) }
        }
        let milliseconds = [500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]
        #expect(pauses == milliseconds.map { .milliseconds($0) })
        #expect(judge(503, wait: .seconds(120)).decision == .retry(after: .seconds(120)))
        #expect(judge(503, wait: .seconds(86_400)).decision == .retry(after: .seconds(300)))
    }

    @Test mutating func `is reported when it begins to fail and when it works again`() {
        #expect(judge(200).event == nil)
        #expect(judge(503).event == .failing("the collector responded with status 503"))
        #expect(judge(503).event == nil)
        #expect(pace.judge(.failed("refused"), random: 1).event == nil)
        #expect(judge(200).event == .recovered)
        #expect(judge(200).event == nil)
        #expect(judge(400).event != nil)
    }

    @Test mutating func `starts over with short waits once one has worked`() {
        for _ in 0..<6 { _ = judge(503) }
        _ = judge(200)
        let again = pace.judge(.failed("refused"), random: 0).decision
        #expect(again == .retry(after: .milliseconds(500)))
    }
}
