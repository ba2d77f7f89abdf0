import APNs
import AdminServer
import Configuration
import Contracts
import Delivery
import Engine
import EventLoop
import Telemetry
import Testing

@testable import Bridge

/// A bridge in which every field of its status has a value.
private enum ContractBridge {
    private static func figures() -> WorkerFigures {
        var pushes = PushFigures(apps: 1)
        pushes.countAccepted(AppID(0), .alert)
        pushes.count(AppID(0), .alert, .rejected, reason: "BadTopic")
        pushes.measure(event: 0, sent: 10, responded: 50, stored: 60, isAccepted: true)
        var figures = WorkerFigures(time: .distantPast, hasJoined: true, pushes: pushes)
        figures.connections = 2
        figures.connectionLimit = .streams
        figures.lag = 7
        figures.state.oldestEventAge = 1500
        var app = EngineState.SuspendedApp("shop")
        app.refusal = EngineState.Refusal("403 InvalidProviderToken", meaning: "Check the key.")
        figures.state.suspendedApps = [app]
        var partition = PartitionState(TopicPartition(topic: "shop.orders", partition: 0))
        partition.lag = 7
        partition.oldestEventAge = 1500
        partition.pauses = [.windowFull]
        figures.partitions = [partition]
        return figures
    }

    static func status() -> BridgeStatus {
        let board = FigureBoard()
        board.publish(figures())
        let status = BridgeStatus(
            build: `The metrics of a bridge`.build,
            machine: .init(memory: { ProcessMemory(resident: 1 << 20, limit: 1 << 29) })
        ) { .distantPast }
        status.started([
            BridgeStatus.Connector(
                name: "orders",
                workers: [.init(connector: "orders", number: 0, apps: ["shop"], board: board)]),
            BridgeStatus.Connector(
                name: "pay", state: .failed,
                problem: Diagnostic(
                    file: "pay.yaml", line: 3, column: 7, severity: .error,
                    message: "the certificate has expired", remedy: "renew it")),
        ])
        return status
    }

    static func history() -> StatusHistory {
        var history = StatusHistory()
        let board = FigureBoard()
        board.publish(WorkerFigures(time: .distantPast, pushes: PushFigures(apps: 1)))
        for seconds in [0, 10, 20] as [Int64] {
            let row = BridgeStatus.Reading.Worker(
                worker: .init(connector: "orders", number: 0, apps: ["shop"], board: board),
                figures: board.latest, age: .zero)
            history.look(
                BridgeStatus.Reading(hasStarted: true, isStopping: false, workers: [row]),
                at: .seconds(seconds))
            board.publish(figures())
        }
        return history
    }
}

@Suite struct `What a release has shown of a running bridge` {
    @Test(arguments: Contract.having("metrics.txt"))
    func `are metrics that still have their type and their labels`(contract: Contract) throws {
        let now = `The metrics of a bridge`.text(campaigns: 1)
        let published = PublishedMetrics(try contract.text("metrics.txt")).signatures
        #expect(published.count > 60)
        let missing = published.subtracting(PublishedMetrics(now).signatures).sorted()
        #expect(missing == [], "\(contract.broken("in metrics.txt"))\n\(now)")
    }

    @Test func `are all of its metrics`() throws {
        let now = PublishedMetrics(`The metrics of a bridge`.text(campaigns: 1)).signatures
        let listed = try Contract.having("metrics.txt")
            .map { PublishedMetrics(try $0.text("metrics.txt")).signatures }
        #expect(now.subtracting(listed.joined()).sorted() == [])
    }

    @Test func `is a status with the same members`() throws {
        let now = String(decoding: ContractBridge.status().read().json, as: UTF8.self)
        #expect(try Contract.differences("status.json", from: now) == [], "now there is:\n\(now)")
    }

    @Test func `is a history with the same members`() throws {
        let now = String(decoding: ContractBridge.history().json, as: UTF8.self)
        #expect(
            try Contract.differences("history.json", from: now) == [], "now there is:\n\(now)")
    }

    private static let problems = StatusProblem.Kind.allCases.map {
        "\($0.isError ? "error" : "warning") \($0.rawValue)"
    }

    @Test(arguments: Contract.having("problems.txt"))
    func `are problems that still have their severity`(contract: Contract) throws {
        let now = Self.problems
        let missing = try contract.missing("problems.txt", from: now)
        #expect(missing == [], "now there are:\n\(now.joined(separator: "\n"))")
    }

    private static let pauses = PartitionState.Pause.allCases.map(\.rawValue)

    @Test(arguments: Contract.having("pause-reasons.txt"))
    func `are reasons why partitions are paused`(contract: Contract) throws {
        let now = Self.pauses
        #expect(try contract.missing("pause-reasons.txt", from: now) == [], "\(now)")
    }

    private static func requests() throws -> [String] {
        let stage = SupervisorStage()
        let supervisor = stage.supervisor([try SupervisorStage.connector("orders")])
        let routes =
            AdminEndpoint.routes(BridgeStatus())
            + ControlRoutes(
                control: supervisor, logger: Logger(label: "test", level: .critical)
            ).routes
        // The files of the status page belong to the page, which may change.
        let files = Set(StatusPage.routes.map(\.pattern)).subtracting(["/"])
        return routes.filter { !files.contains($0.pattern) }
            .map { "\($0.method) \($0.pattern) \($0.isOpen ? "open" : "token")" }
    }

    @Test(arguments: Contract.having("groups.txt"))
    func `is the group of a replay`(contract: Contract) throws {
        var connector = try SupervisorStage.connector("orders")
        connector.source.group = "apns-orders"
        let group = Replay.group(of: connector)
        #expect(try contract.lines("groups.txt").contains("replay \(group)"))
    }

    @Test func `are all problems, reasons and requests that there are`() throws {
        let unlisted =
            try Contract.unlisted("problems.txt", from: Self.problems)
            + Contract.unlisted("pause-reasons.txt", from: Self.pauses)
            + Contract.unlisted("http.txt", from: Self.requests())
        #expect(unlisted == [])
    }

    @Test(arguments: Contract.having("http.txt"))
    func `are requests that still need a token, or none`(contract: Contract) throws {
        let now = try Self.requests()
        let missing = try contract.missing("http.txt", from: now)
        #expect(missing == [], "now there are:\n\(now.joined(separator: "\n"))")
    }
}

/// The metrics of a scrape in Prometheus' text format.
private struct PublishedMetrics {
    /// The name, the type and the labels of each metric; those of a histogram without `le`.
    let signatures: Set<String>

    init(_ text: String) {
        var types: [Substring: Substring] = [:]
        var found: Set<String> = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if line.hasPrefix("# TYPE "), words.count == 4 {
                types[words[2]] = words[3]
            } else if let series =
                line.prefixMatch(of: #/(\w+?)(_bucket|_sum|_count)?(\{.*\})? /#)
            {
                let whole = series.1 + (series.2 ?? "")
                let name = types[whole] == nil ? series.1 : whole[...]
                let labels = (series.3 ?? "").matches(of: /(\w+)="/).map { String($0.1) }
                    .filter { $0 != "le" }
                found.insert(
                    "\(name) \(types[name] ?? "untyped") \(labels.joined(separator: ","))")
            }
        }
        signatures = found
    }
}
