import APNs
import AdminServer
import Configuration
import Delivery
import Engine
import EventLoop
import Foundation
import KafkaLogin
import Synchronization
import Telemetry
import Testing

@testable import Bridge

@Suite struct `A problem in the status` {
    private let boards = [FigureBoard(), FigureBoard()]

    private func reading(
        _ change: (inout BridgeStatus.Connector) -> Void = { _ in },
        figures: (inout WorkerFigures) -> Void = { _ in }
    ) -> BridgeStatus.Reading {
        for board in boards {
            var published = WorkerFigures(time: .distantPast, pushes: PushFigures(apps: 1))
            published.hasJoined = true
            published.connections = 1
            figures(&published)
            board.publish(published)
        }
        var connector = BridgeStatus.Connector(name: "orders", workers: workers(apps: ["shop"]))
        change(&connector)
        let status = BridgeStatus { .distantPast + .seconds(1) }
        status.started([connector])
        return status.read()
    }

    private func workers(apps: [String]) -> [BridgeStatus.Worker] {
        boards.enumerated().map { number, board in
            BridgeStatus.Worker(
                connector: "orders", number: number, apps: apps, board: board,
                kafka: "kafka:9092")
        }
    }

    @Test func `is absent while everything works`() {
        #expect(reading().problems == [])
    }

    /// What the status says of a login without a newer token since so many milliseconds, whose
    /// token expires after so many; nil without one.
    private func loginProblems(failing: Int64?, expires: Int64?) -> [StatusProblem] {
        let now = WallClock.milliseconds
        var figures = LoginFigures()
        figures.expiresAt = expires.map { now + $0 }
        figures.trouble = failing.map {
            LoginFigures.Trouble(since: now - $0, detail: "https://login/token: it responds 401")
        }
        return reading { [figures] connector in connector.login = { figures } }.problems
    }

    @Test(arguments: [
        (nil, 10_000), (55_000, 10_000), (55_000, nil), (7_200_000, 3_660_000),
    ] as [(Int64?, Int64?)])
    func `of a login token is absent while there is time`(failing: Int64?, expires: Int64?) {
        #expect(loginProblems(failing: failing, expires: expires) == [])
    }

    @Test(arguments: [
        (61_000, 600_000, "another 600 s"), (61_000, nil, "no broker can be reached. "),
        (61_000, -1, "Without a token no broker"), (-7_200_000, 600_000, "asked again"),
    ] as [(Int64, Int64?, String)])
    func `of a login token is an error that says how long it is still valid`(
        failing: Int64, expires: Int64?, text: String
    ) throws {
        let problem = try #require(loginProblems(failing: failing, expires: expires).first)
        #expect(problem.kind == .loginToken && problem.isError && problem.connector == "orders")
        #expect(problem.message == "the Kafka login token cannot be renewed")
        #expect(problem.remedy.contains("https://login/token: it responds 401. "))
        #expect(problem.remedy.replacing("599 s", with: "600 s").contains(text))
        #expect(problem.seconds == max(0, failing) / 1000)
    }

    @Test func `of late events is a warning, and left out where an error or a pause explains it`() {
        func kinds(
            paused: Bool = false, _ change: (inout WorkerFigures) -> Void = { _ in }
        ) -> [StatusProblem.Kind] {
            let found = reading(
                { connector in
                    connector.workers = workers(apps: [])
                    connector.isPaused = paused
                },
                figures: { figures in
                    figures.state.oldestEventAge = 300_001
                    change(&figures)
                })
            return found.problems.map(\.kind)
        }
        #expect(kinds() == [.eventsLate])
        #expect(kinds { $0.state.oldestEventAge = 300_000 } == [])
        #expect(kinds(paused: true) == [.paused])
        #expect(kinds { $0.connections = 0 } == [.notConnected])
        #expect(!StatusProblem.Kind.eventsLate.isError)
    }

    @Test func `of late events names the partition, the offset, and why it is paused`() throws {
        var late = PartitionState(TopicPartition(topic: "shop.orders", partition: 3))
        late.oldestEventAge = 400_000
        late.next = 1234
        late.openRecords = 17
        late.pauses = [.windowFull]
        let found = reading(
            { $0.workers = workers(apps: []) },
            figures: { figures in
                figures.state.oldestEventAge = 400_000
                figures.partitions = [
                    PartitionState(TopicPartition(topic: "shop.orders", partition: 2)), late,
                ]
                for reason in ["", "ServiceUnavailable", "ServiceUnavailable"] {
                    figures.pushes.countRetry(reason: reason)
                }
            })
        let problem = try #require(found.problems.first)
        #expect(problem.kind == .eventsLate)
        #expect(
            problem.remedy.hasPrefix(
                "The oldest is at offset 1234 of shop.orders/3 or later; 17 records of that"
                    + " partition are not done, and it is paused: window_full; most retries so"
                    + " far are for ServiceUnavailable. "),
            "\(problem.remedy)")
        var notices = ProcessNotices()
        let line = try #require(notices.look(found, .zero).first)
        #expect(line.metadata["offset"] == .integer(1234))
        #expect(line.metadata["topic"] == .string("shop.orders"))
        #expect(line.metadata["open_records"] == .number(17))
        #expect(line.metadata["retry_reason"] == .string("ServiceUnavailable"))
    }

    @Test func `appears once for all workers of a connector`() throws {
        var app = EngineState.SuspendedApp("shop")
        app.refusal = .init("403 InvalidProviderToken", meaning: "Check the key.")
        app.duration = .seconds(90)
        let problems = reading(figures: { $0.state.suspendedApps = [app] }).problems
        #expect(problems.count == 1)
        let problem = try #require(problems.first)
        #expect(problem.kind == .suspended && problem.workers == [0, 1] && problem.app == "shop")
        #expect(
            problem.message
                == "sending suspended for shop: APNs responds 403 InvalidProviderToken")
        #expect(problem.remedy.hasPrefix("Check the key. Nothing is lost") && problem.isError)
        #expect(problem.seconds == 90)
    }

    @Test func `distinguishes the guard, which may be released, from a refused credential`() {
        var app = EngineState.SuspendedApp("shop")
        app.isGuarded = true
        #expect(reading(figures: { $0.state.suspendedApps = [app] }).problems.map(\.kind)
            == [.guarded])
        app.refusal = .init("403 Forbidden", meaning: "Check the key.")
        #expect(reading(figures: { $0.state.suspendedApps = [app] }).problems.map(\.kind)
            == [.guarded, .suspended])
    }

    @Test func `is an outage of Kafka, or of APNs, with what to do`() {
        let problems = reading(figures: {
            $0.outage = KafkaOutage(brokers: 3, detail: "")
            $0.connections = 0
        }).problems
        #expect(problems.map(\.message) == [
            "Kafka unreachable; 0 of 3 brokers", "no connection to APNs",
        ])
        #expect(problems[0].remedy.contains("kafka:9092"))
        #expect(problems[1].remedy.contains("apns-bridge doctor"))
    }

    @Test(arguments: [
        (ConnectionFailure.Cause.lookup, "the DNS lookup failed"),
        (.refused, "the connection was refused"), (.proxy, "the proxy opens no tunnel"),
        (.handshake, "the TLS handshake failed"), (.certificate, "the TLS handshake failed"),
        (.silence, "no response"),
    ])
    func `names the step at which connections to APNs fail`(
        cause: ConnectionFailure.Cause, step: String
    ) throws {
        let found = reading(
            { $0.workers = workers(apps: ["shop"]) },
            figures: {
                $0.connections = 0
                $0.time = .distantPast + .seconds(90)
                let outage = ConnectionOutage(
                    since: .distantPast + .seconds(30), failures: 3, cause: cause,
                    detail: "apns.test: the end of it")
                $0.apps = [AppConnections(ready: 0, outage: outage)]
            })
        let problem = try #require(found.problems.first)
        #expect(problem.message == "no connection to APNs: \(step)")
        #expect(problem.remedy.contains("apns.test: the end of it"))
        #expect(problem.seconds == 60)
    }

    @Test func `names the one app of several that has no connection`() throws {
        let problems = reading(
            { $0.workers = workers(apps: ["shop", "pay"]) },
            figures: { $0.apps = [AppConnections(ready: 1), AppConnections(ready: 0)] }
        ).problems
        #expect(problems.map(\.message) == ["no connection to APNs for pay"])
        let problem = try #require(problems.first)
        #expect(problem.kind == .notConnected && problem.app == "pay" && problem.isError)
        #expect(problem.workers == [0, 1])
        #expect(problem.remedy.contains("apns-bridge doctor"))
    }

    @Test func `blames the certificate that APNs rejects, with the remedy of the log`() throws {
        let found = reading(
            { $0.workers = workers(apps: ["shop"]) },
            figures: {
                $0.connections = 0
                $0.apps = [AppConnections(ready: 0, isCertificateRejected: true)]
            })
        #expect(found.problems.map(\.message)
            == ["no connection to APNs for shop: it rejects the client certificate"])
        let action = try #require(ConnectionFailure.Cause.credential.remedy(for: .certificate))
        let remedy = try #require(found.problems.first?.remedy)
        #expect(remedy.hasPrefix(StatusProblem.sentence(action)))
        #expect(!remedy.contains("network"))
        #expect(found.degradations.first == "orders/0: \(found.problems[0].message)")
    }

    @Test(arguments: RecentFaults.Fault.allCases)
    func `stays for as long as the alert when only a counter shows it`(
        fault: RecentFaults.Fault
    ) throws {
        let now = Mutex(Instant.distantPast + .seconds(1))
        let status = BridgeStatus { now.withLock { $0 } }
        let board = boards[0]
        status.started([
            .init(
                name: "orders",
                workers: [.init(connector: "orders", number: 0, apps: ["shop"], board: board)])
        ])
        func publish(_ count: Int) {
            var figures = WorkerFigures(
                time: now.withLock { $0 }, hasJoined: true, pushes: PushFigures(apps: 1))
            figures.connections = 1
            switch fault {
            case .rightRefused: figures.rightsRefused = count
            case .topicMissing: figures.topicsMissing = count
            case .resultRefused: figures.counters.resultsRefused = count
            case .recordsGone:
                (figures.counters.recordsGone, figures.counters.positionResets) = (count, count)
            case .positionReset: figures.counters.positionResets = count
            case .crashedStart: figures.counters.crashedStarts = count
            case .unreadableEvent:
                for _ in 0..<count {
                    figures.pushes.count(AppID(0), .alert, .dropped, reason: "unparsable")
                }
            }
            board.publish(figures)
        }
        // The first figures of a process may already have some.
        publish(2)
        #expect(status.read().problems.map(\.message) == [fault.message])
        #expect(status.read().degradations == ["orders/0: \(fault.message)"])
        #expect(
            status.read().problems.map(\.isError)
                == [fault != .unreadableEvent && fault != .crashedStart])
        board.clear()
        #expect(status.read().problems.map(\.kind).first == .notRunning)
        #expect(status.read().problems.map(\.message).contains(fault.message))
        now.withLock { $0 += fault.memory - .seconds(1) }
        publish(0)
        #expect(status.read().problems.map(\.message) == [fault.message])
        now.withLock { $0 += .seconds(1) }
        publish(0)
        #expect(status.read().problems == [])
    }

    @Test func `is a worker that has failed, and not one that starts or ends as it should`() {
        let status = BridgeStatus { .distantPast + .seconds(1) }
        let board = FigureBoard()
        var connector = BridgeStatus.Connector(
            name: "orders",
            workers: [.init(connector: "orders", number: 0, apps: [], board: board)])
        func read() -> BridgeStatus.Reading {
            status.started([connector])
            return status.read()
        }
        #expect(read().problems == [] && read().degradations == [] && !read().isReady)
        #expect(read().workers.map(\.stage) == [.starting])
        board.clear()
        #expect(read().problems.map(\.kind) == [.notRunning])
        #expect(read().workers.map(\.stage) == [.restarting])
        connector.state = .stopping
        #expect(read().problems == [] && read().degradations == [] && read().isReady)
        #expect(read().workers.map(\.stage) == [.ended])
        connector.state = .running
        board.begin()
        #expect(read().workers.map(\.stage) == [.starting])
    }

    @Test func `is a warning when an operator wanted it, and comes after the errors`() {
        let paused = reading { $0.isPaused = true }.problems
        #expect(paused.map(\.isError) == [false])
        let both = reading({ $0.isPaused = true }, figures: { $0.connections = 0 }).problems
        #expect(both.map(\.kind) == [.notConnected, .paused])
    }

    @Test func `is a connector that failed to start, with the remedy of its mistake`() throws {
        let problem = try #require(
            reading {
                $0.state = .failed
                $0.problem = Diagnostic(
                    file: "orders.yaml", line: 3, column: 7, severity: .error,
                    message: "the topic shop.orders does not exist", remedy: "create it")
            }.problems.first)
        #expect(
            problem.message == "failed to start: the topic shop.orders does not exist")
        #expect(
            problem.remedy
                == "To fix it: create it. It is tried again once a minute, and at once by a"
                + " reload: POST /reload or SIGHUP.")
    }

    @Test func `is part of the JSON, with partitions and why they are paused`() throws {
        var partition = PartitionState(TopicPartition(topic: "shop.orders", partition: 3))
        partition.lag = 5
        partition.pauses = [.operator, .windowFull]
        let json = reading({ $0.isPaused = true }, figures: { $0.partitions = [partition] }).json
        let read = try #require(
            try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
        let problems = try #require(read["problems"] as? [[String: Any]])
        #expect(problems.first?["kind"] as? String == "paused")
        #expect(problems.first?["severity"] as? String == "warning")
        let workers = try #require(read["workers"] as? [[String: Any]])
        let partitions = try #require(workers.first?["partitions"] as? [[String: Any]])
        #expect(partitions.first?["lag"] as? Int == 5)
        #expect(partitions.first?["paused"] as? [String] == ["operator", "window_full"])
    }
}

@Suite struct `The files of the status page` {
    @Test func `are open, and run nothing but each other`() throws {
        for (file, route) in zip(StatusPage.files, StatusPage.routes) {
            #expect(route.isOpen && route.method == "GET" && route.pattern == file.path)
            let policy = try #require(file.response.headers["content-security-policy"])
            #expect(policy.hasPrefix("default-src 'self'; ") && !policy.contains("unsafe"))
        }
    }

    @Test func `name no address elsewhere`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Bridge/Operations/Page").standardizedFileURL
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.count == StatusPage.files.count)
        for name in names {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
                .replacing("http://www.w3.org/2000/svg", with: "")
            #expect(!text.contains("://") && !text.contains("innerHTML"), "\(name)")
        }
    }
}
