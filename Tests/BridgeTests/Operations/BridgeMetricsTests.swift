import APNs
import Delivery
import Engine
import EventLoop
import Foundation
import KafkaLogin
import Telemetry
import Testing
import Tracing

@testable import Bridge

@Suite struct `The metrics of a bridge` {
    private static let machine = BridgeStatus.Machine(
        startTime: { 1_767_261_600_500 },
        memory: { ProcessMemory(resident: 1 << 20, limit: 1 << 29) }, lostLogLines: { 13 })

    static let build = BridgeBuild(
        version: "1.0.0", commit: "57ace44b", tree: "clean", swift: "6.3", librdkafka: "2.8.0",
        librdkafkaLacks: "nothing")

    private static var login: LoginFigures {
        var login = LoginFigures()
        (login.expiresAt, login.fetchedAt) = (1_767_262_500_500, 1_767_261_600_000)
        login.failures = 3
        return login
    }

    private static var suspendedBroadcasts: EngineState.SuspendedApp {
        var app = EngineState.SuspendedApp("shop")
        app.isForBroadcasts = true
        return app
    }

    /// Two workers, one of which runs and has seen every verdict.
    static func text(
        reasons: Int = 1, partitions: Int = 2, campaigns: Int? = nil,
        in format: PrometheusText.Format = .plain
    ) -> String {
        var pushes = PushFigures(apps: 2, labels: campaigns == nil ? [] : ["campaign"])
        let app = AppID(0)
        pushes.countAccepted(app, .alert)
        pushes.measure(
            event: 1000, sent: 1100, responded: 1140, stored: 1200, isAccepted: true,
            trace: "0af7651916cd43dd8448eb211c80319c")
        for number in 0..<(campaigns ?? 0) {
            pushes.countLabels(
                Array("c\(number)".utf8), app, .alert, .accepted, reason: nil, now: .distantPast)
        }
        for number in 0..<reasons {
            pushes.count(app, .alert, .rejected, reason: "New\(number)")
            pushes.countRetry(reason: "New\(number)")
        }
        ["TooManyRequests", "TooManyRequests", "", "in_doubt"]
            .forEach { pushes.countRetry(reason: $0) }
        pushes.count(.none, .alert, .dropped, reason: "no_device_token")
        pushes.count(.none, .alert, .unknown, reason: nil)
        var figures = WorkerFigures(time: .distantPast, hasJoined: true, pushes: pushes)
        figures.state.suspendedApps = [.init("pay \"x\""), suspendedBroadcasts]
        figures.credentials = [
            CredentialDates(tokenIssuedAt: 1_767_261_600),
            CredentialDates(certificateExpiresAt: 1_798_797_600),
        ]
        figures.streamsAllowed = 2000
        figures.apps = [AppConnections(ready: 4), AppConnections(ready: 0)]
        (figures.counters.deadLetters, figures.counters.doubts) = (5, 6)
        (figures.recordsFetched, figures.resultsQueued) = (7, 8)
        figures.counters.assignments = 3
        (figures.counters.revocations, figures.counters.losses) = (2, 1)
        figures.counters.commitFailures = 4
        figures.partitions = (0..<partitions).reversed().map { number in
            var state = PartitionState(
                TopicPartition(topic: "shop.orders", partition: Int32(number)))
            (state.lag, state.unread) = number == 1 ? (nil, nil) : (5, 3)
            state.oldestEventAge = number == 0 ? 1500 : nil
            state.pauses = number == 0 ? [.windowFull, .uncommitted] : []
            return state
        }
        let board = FigureBoard()
        board.publish(figures)
        let spans = SpanQueue(sampler: TraceSampler(share: 1))
        spans.exported(11)
        spans.dropped(12)
        let status = BridgeStatus(build: build, spans: spans, machine: machine) { .distantPast }
        let apps = ["shop", "pay \"x\""]
        let workers = [board, FigureBoard()].enumerated().map { number, board in
            BridgeStatus.Worker(connector: "orders", number: number, apps: apps, board: board)
        }
        status.started([
            BridgeStatus.Connector(
                name: "orders", isPaused: true, workers: workers, login: { Self.login }),
            BridgeStatus.Connector(name: "pay", state: .failed),
        ])
        return BridgeMetrics(status.read(), in: format, wallClock: 1_767_261_900_000).text
    }

    @Test func `count pushes by app, type, verdict and reason`() {
        let text = Self.text()
        let start = #"apns_bridge_pushes_total{connector="orders",worker="0","#
        #expect(
            text.contains(
                start + #"app="shop",push_type="alert",verdict="accepted",reason=""} 1"#))
        #expect(
            text.contains(
                start + #"app="shop",push_type="alert",verdict="rejected",reason="other"} 1"#))
        #expect(
            text.contains(
                start + #"app="",push_type="alert",verdict="unknown",reason=""} 1"#))
    }

    @Test func `count retries by reason, and lines of the log that were lost`() {
        let text = Self.text()
        let start = #"apns_bridge_retries_total{connector="orders",worker="0",reason="#
        for line in [#""TooManyRequests"} 2"#, #"""} 1"#, #""in_doubt"} 1"#, #""other"} 1"#] {
            #expect(text.contains(start + line + "\n"), "\(line)")
        }
        #expect(text.contains("\napns_bridge_log_lines_lost_total 13\n"))
    }

    @Test func `count pushes by labels of their events, if there are any`() {
        let text = Self.text(campaigns: 60)
        let start =
            #"apns_bridge_pushes_total{connector="orders",worker="0",app="shop","#
            + #"push_type="alert",verdict="accepted",reason="","#
        #expect(text.contains(start + #"campaign="c0"} 1"#))
        #expect(text.contains(start + #"campaign="c49"} 1"#))
        #expect(text.contains(start + #"campaign="other"} 10"#))
        let beyond = #"apns_bridge_pushes_beyond_labels_total{connector="orders",worker="0"} 10"#
        #expect(text.contains(beyond + "\n"))
        #expect(!Self.text().contains("beyond_labels"))
        let few = text.split(separator: "\n").count
        #expect(Self.text(campaigns: 6000).split(separator: "\n").count == few)
    }

    @Test func `say what the program was built from, in one series`() {
        let line =
            #"apns_bridge_build_info{version="1.0.0",commit="57ace44b",tree="clean","#
            + #"swift="6.3",librdkafka="2.8.0"} 1"#
        #expect(Self.text().contains(line + "\n"))
        #expect(Self.text(partitions: 500).matches(of: /apns_bridge_build_info\{/).count == 1)
    }

    @Test func `show which connectors run, and which are paused`() {
        let text = Self.text()
        for line in [
            #"apns_bridge_connector_up{connector="orders"} 1"#,
            #"apns_bridge_connector_up{connector="pay"} 0"#,
            #"apns_bridge_connector_failed{connector="orders"} 0"#,
            #"apns_bridge_connector_failed{connector="pay"} 1"#,
            #"apns_bridge_connector_paused{connector="orders"} 1"#,
            #"apns_bridge_connector_paused{connector="pay"} 0"#,
            "apns_bridge_kafka_login_token_expiration_timestamp_seconds"
                + #"{connector="orders"} 1767262500.5"#,
            "apns_bridge_kafka_login_token_fetched_timestamp_seconds"
                + #"{connector="orders"} 1767261600"#,
            #"apns_bridge_kafka_login_failures_total{connector="orders"} 3"#,
        ] {
            #expect(text.contains(line + "\n"), "\(line)")
        }
    }

    @Test func `measure in seconds`() {
        let labels = #"{connector="orders",worker="0"} "#
        let text = Self.text()
        #expect(text.contains("apns_bridge_event_to_outcome_seconds_sum" + labels + "0.2\n"))
        #expect(text.contains("apns_bridge_event_to_accepted_seconds_sum" + labels + "0.14\n"))
        #expect(text.contains("apns_bridge_apns_round_trip_seconds_sum" + labels + "0.04\n"))
    }

    @Test func `show which worker runs and which app is suspended`() {
        let text = Self.text()
        #expect(text.contains(#"apns_bridge_worker_up{connector="orders",worker="1"} 0"#))
        #expect(
            text.contains(
                #"apns_bridge_sending_suspended{connector="orders",worker="0",app="pay \"x\""} 1"#))
    }

    @Test func `distinguish an app whose broadcasts are suspended from one that is`() {
        let text = Self.text()
        let labels = #"{connector="orders",worker="0",app="shop"}"#
        #expect(text.contains("apns_bridge_sending_suspended\(labels) 0\n"))
        #expect(text.contains("apns_bridge_broadcasts_suspended\(labels) 1\n"))
    }

    @Test func `show the connections of each app, and whether the worker responds`() {
        let text = Self.text()
        let worker = #"connector="orders",worker="0""#
        for line in [
            #"apns_bridge_app_connections{\#(worker),app="shop"} 4"#,
            #"apns_bridge_app_connections{\#(worker),app="pay \"x\""} 0"#,
            #"apns_bridge_worker_responding{\#(worker)} 1"#,
        ] {
            #expect(text.contains(line + "\n"), "\(line)")
        }
    }

    @Test func `show streams, the guard, dead letters and requests in doubt`() {
        let text = Self.text()
        for line in [
            #"apns_bridge_requests_allowed{connector="orders",worker="0"} 2000"#,
            #"apns_bridge_guard_engaged{connector="orders",worker="0",app="pay \"x\""} 0"#,
            #"apns_bridge_dead_letters_total{connector="orders",worker="0"} 5"#,
            #"apns_bridge_requests_in_doubt_total{connector="orders",worker="0"} 6"#,
        ] {
            #expect(text.contains(line + "\n"), "\(line)")
        }
    }

    @Test func `have as many series for a thousand new reasons as for one`() {
        let few = Self.text(reasons: 1).split(separator: "\n").count
        #expect(Self.text(reasons: 1000).split(separator: "\n").count == few)
        #expect(few < 310)
    }

    @Test func `show each partition, and a lag only where the end of the log is known`() {
        let text = Self.text()
        let worker = #"connector="orders",worker="0""#
        let labels = #"{\#(worker),topic="shop.orders",partition="#
        for line in [
            #"apns_bridge_partitions{\#(worker)} 2"#,
            #"apns_bridge_lag_unread{\#(worker)} 3"#,
            #"apns_bridge_partition_lag\#(labels)"0"} 5"#,
            #"apns_bridge_partition_oldest_event_age_seconds\#(labels)"0"} 1.5"#,
            #"apns_bridge_partition_oldest_event_age_seconds\#(labels)"1"} 0"#,
            #"apns_bridge_partitions_paused{\#(worker),reason="window_full"} 1"#,
            #"apns_bridge_partitions_paused{\#(worker),reason="operator"} 0"#,
        ] {
            #expect(text.contains(line + "\n"), "\(line)")
        }
        #expect(!text.contains(#"apns_bridge_partition_lag\#(labels)"1"}"#))
    }

    @Test func `have as many series for 5,000 partitions as for 500`() {
        let some = Self.text(partitions: 500).split(separator: "\n").count
        #expect(Self.text(partitions: 5000).split(separator: "\n").count == some)
        #expect(some < 1300)
    }

    @Test func `show the dates of credentials, queues, rebalances and failed commits`() {
        let text = Self.text()
        let worker = #"connector="orders",worker="0""#
        for line in [
            #"apns_bridge_provider_token_age_seconds{\#(worker),app="shop"} 300"#,
            "apns_bridge_certificate_expiration_timestamp_seconds{\(worker),"
                + #"app="pay \"x\""} 1798797600"#,
            #"apns_bridge_consumer_queue_records{\#(worker)} 7"#,
            #"apns_bridge_producer_queue_records{\#(worker)} 8"#,
            #"apns_bridge_rebalances_total{\#(worker),event="assigned"} 3"#,
            #"apns_bridge_rebalances_total{\#(worker),event="revoked"} 2"#,
            #"apns_bridge_rebalances_total{\#(worker),event="lost"} 1"#,
            #"apns_bridge_commit_failures_total{\#(worker)} 4"#,
            "apns_bridge_spans_exported_total 11", "apns_bridge_spans_dropped_total 12",
        ] {
            #expect(text.contains(line + "\n"), "\(line)")
        }
        #expect(text.contains("\nprocess_start_time_seconds 1767261600.5\n"))
        #expect(text.contains(/\nprocess_open_fds [1-9]\d*\n/))
        #expect(text.contains(/\nprocess_max_fds [1-9]\d*\n/))
    }

    @Test func `are those that the article lists`() throws {
        let article = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../../Sources/Bridge/Documentation.docc/Operations.md"),
            encoding: .utf8)
        let listed = article.matches(of: /\n\| `(apns_bridge_\w+)` \| (\w+) \|/)
            .map { "\($0.output.1) \($0.output.2)" }
        let written = Self.text(campaigns: 1).matches(of: /# TYPE (apns_bridge_\w+) (\w+)/)
            .map { "\($0.output.1) \($0.output.2)" }
        #expect(listed.sorted() == written.sorted())
    }

    private static let promtool = "/usr/bin/promtool"

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: promtool), "no promtool"))
    func `pass promtool's checks`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(Self.text().utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let script = "exec \(Self.promtool) check metrics <'\(file.path)'"
        let ending = try ChildProcess.run("sh", ["-c", script])
        let words = String(decoding: ending.output, as: UTF8.self)
        #expect(ending.exitCode == 0, "\(words)")
        #expect(words == "")
    }

    /// As `make python-clients` leaves it.
    private static let python = URL(filePath: #filePath)
        .appending(path: "../../../../.build/python-clients/bin/python3").standardized.path

    /// Names the families with exemplars.
    private static let parsing = """
        import sys
        from prometheus_client.openmetrics.parser import text_string_to_metric_families
        families = list(text_string_to_metric_families(open(sys.argv[1]).read()))
        assert len(families) > 20
        for family in families:
            for sample in family.samples:
                if sample.exemplar: print(family.name, sample.labels["le"], sample.exemplar.value)
        """

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: python), "no python-clients"))
    func `pass the parser of OpenMetrics, with the traces of latencies`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(Self.text(campaigns: 2, in: .openMetrics).utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let ending = try ChildProcess.run(Self.python, ["-c", Self.parsing, file.path])
        #expect(
            String(decoding: ending.output, as: UTF8.self) == """
                apns_bridge_event_to_accepted_seconds 0.25 0.14
                apns_bridge_event_to_outcome_seconds 0.25 0.2
                apns_bridge_apns_round_trip_seconds 0.05 0.04

                """)
    }
}
