import APNs
import BridgeSamples
import Configuration
import Delivery
import Engine
import EventLoop
import Foundation
import Kafka
import Synchronization
import TLS
import Telemetry
import Testing

@testable import Bridge

/// Where each of several threads waits for the others.
final class Meeting: Sendable {
    private let missing = DispatchGroup()

    init(of count: Int) { for _ in 0..<count { missing.enter() } }

    /// Waits until all have come; after a minute somebody is missing.
    func attend() {
        missing.leave()
        if missing.wait(timeout: .now() + 60) == .timedOut {
            Issue.record("not all of them run side by side")
        }
    }
}

/// A supervisor whose checks, workers and clock are simulated.
final class SupervisorStage: Sendable {
    private struct State {
        var unavailable: Set<String> = []
        var wrong: Set<String> = []
        var isPermanent = false
        var failingChecks = Int.max
        var arePausesLong = false
        var isInPause = false
        var pauses: [AsyncStream<Never>.Continuation] = []
        var checks: [String: Int] = [:]
        /// What happened to workers, in order: `start orders`, `pause orders`, `end orders`.
        var events: [String] = []
        var mustNotEnd: Set<String> = []
        var mustFail: Set<String> = []
        var now = Instant.distantPast + .seconds(1000)
        var files: [Connector] = []
        var unusable: [UnusableConnector] = []
        var diagnostics: [Diagnostic] = []
        /// The connectors whose app has an engaged guard.
        var guarded: Set<String> = []
        /// The connectors that doubt the clock.
        var doubtful: Set<String> = []
        /// The connectors whose app has an open circuit breaker.
        var refused: Set<String> = []
        /// What APNs says about new credentials.
        var verdict: RenewalResult.Verdict?
        /// The numbers of connections of the routes that workers were started with.
        var routes: [Int] = []
        /// How long each check of Kafka takes.
        var checkLength = Duration.zero
        /// The connectors whose topic of outcomes is compacted.
        var compacted: Set<String> = []
        /// What the groups of connectors would read from the beginning.
        var backlogs: [String: GroupBacklog] = [:]
        /// Why the settings of topics could not be read.
        var unchecked: KafkaFailure?
        /// The credentials with which APNs was checked, in order.
        var credentials: [String] = []
        /// Comes once, after the first check of APNs.
        var afterCheck: (@Sendable () -> Void)?
    }

    private static let route = Result {
        let credential = APNsCredential.tokens(
            ProviderTokens(
                key: try Samples.signingKey.get(), keyID: "ABC123DEFG", teamID: "DEF123GHIJ"))
        let authority = try CertificateAuthority.generate(name: "Test").certificatePEM
        return APNsRoute(
            endpoint: APNsEndpoint(
                host: "localhost", port: 1, trust: try credential.tls(trusting: .pem(authority)),
                proxy: nil),
            credential: credential, settings: PoolSettings(connections: 1...1))
    }

    let status = BridgeStatus()
    private let state = Mutex(State())
    /// Where checks of APNs meet, if they have to.
    private let meeting: Meeting?

    init(meeting: Meeting? = nil) { self.meeting = meeting }

    /// A connector whose file has a version.
    static func connector(_ name: String, version: Int = 1) throws -> Connector {
        var connector = try Samples.connector(plan: Samples.canonicalPlan())
        connector.name = name
        connector.file = "\(name).yaml"
        connector.settingsDigest = "\(version)"
        return connector
    }

    func supervisor(
        _ connectors: [Connector], unusable: [UnusableConnector] = [], hasFiles: Bool = true,
        log: (any LogSink)? = nil, begins: Bool = false
    ) -> Supervisor {
        let files = ReloadSource { [self] in
            state.withLock {
                ReloadSource.Reading(
                    connectors: $0.files, unusable: $0.unusable,
                    diagnostics: $0.diagnostics + $0.unusable.flatMap(\.diagnostics))
            }
        }
        let logger =
            log.map { Logger(label: "test", level: .info, sink: $0) }
            ?? Logger(label: "test", level: .critical)
        var options = SupervisorOptions()
        options.files = hasFiles ? files : nil
        options.beginsNewGroups = begins
        return Supervisor(
            connectors, unusable: unusable, logger: logger, status: status, options: options,
            parts: parts)
    }

    private var parts: SupervisorParts {
        var parts = SupervisorParts()
        parts.checkKafka = { [self] connectors, _, _ in check(connectors) }
        parts.checkAPNs = { [self] _, app, _ throws(StartFailure) in
            state.withLock { $0.credentials.append(app.credential.fingerprint) }
            meeting?.attend()
            defer { state.withLock { $0.afterCheck.take() }?() }
            do { return try Self.route.get() } catch {
                throw StartFailure(.configuration, [])
            }
        }
        parts.runWorker = { [self] plan, mailbox, _, _ in await work(plan, mailbox) }
        parts.now = { [self] in state.withLock { $0.now } }
        parts.sleep = { [self] length in
            let isLong = state.withLock { state in
                state.now += length
                state.isInPause = true
                return state.arePausesLong
            }
            guard isLong else { return await Task.yield() }
            // Lasts until it is cancelled, or all pauses end.
            let (stream, pause) = AsyncStream<Never>.makeStream()
            let isOver = state.withLock { state in
                if state.arePausesLong { state.pauses.append(pause) }
                return !state.arePausesLong
            }
            if isOver { return }
            for await _ in stream {}
        }
        return parts
    }

    static func failure(_ kind: StartFailure.Kind, of connector: Connector) -> StartFailure {
        StartFailure(
            kind,
            Diagnostic(
                file: connector.file, line: 1, column: 1, severity: .error,
                message: "\(connector.name) is \(kind == .unavailable ? "away" : "wrong")"))
    }

    private func check(
        _ connectors: [Connector]
    ) -> SupervisorParts.KafkaResults {
        let state = state.withLock { state in
            for connector in connectors { state.checks[connector.name, default: 0] += 1 }
            state.now += state.checkLength
            return state
        }
        return connectors.map { connector in
            guard !state.wrong.contains(connector.name) else {
                return .failure(Self.failure(.configuration, of: connector))
            }
            guard state.unavailable.contains(connector.name),
                state.checks[connector.name] ?? 0 <= state.failingChecks
            else {
                return .success(
                    KafkaCheck.Findings(
                        clusterID: "c", warnings: [], unchecked: state.unchecked,
                        isOutcomesCompacted: state.compacted.contains(connector.name),
                        backlog: state.backlogs[connector.name]))
            }
            var failure = Self.failure(.unavailable, of: connector)
            failure.mayPass = !state.isPermanent
            return .failure(failure)
        }
    }

    /// Runs until it is drained, or made to fail.
    private func work(_ plan: WorkerPlan, _ mailbox: Mailbox<WorkerMessage>) async -> WorkerEnd {
        let name = plan.connector.name
        var figures = WorkerFigures(time: .distantPast, hasJoined: true, pushes: .init(apps: 1))
        if state.withLock({ $0.guarded.contains(name) }) {
            var app = EngineState.SuspendedApp("shop")
            app.isGuarded = true
            figures.state.suspendedApps = [app]
        }
        if state.withLock({ $0.refused.contains(name) }) {
            var app = EngineState.SuspendedApp("shop")
            app.refusal = EngineState.Refusal(
                "403 InvalidProviderToken", meaning: "Check the key.")
            figures.state.suspendedApps = [app]
        }
        if state.withLock({ $0.doubtful.contains(name) }) {
            figures.state.clockDoubt = .seconds(5)
        }
        plan.board.publish(figures)
        let route = plan.routes[0].settings.connections.upperBound
        state.withLock { $0.routes.append(route) }
        if plan.connector.results.partitioner == .key { note("by key \(name)") }
        note("start \(name)/\(plan.connector.settingsDigest)")
        var isDraining = false
        while !isDraining || state.withLock({ $0.mustNotEnd.contains(name) }) {
            mailbox.drain { message in
                switch message {
                case .drain:
                    note("drain \(name)/\(plan.connector.settingsDigest)")
                    isDraining = true
                case .pause(let isPaused):
                    note("\(isPaused ? "pause" : "resume") \(name)")
                    figures.isPaused = isPaused
                    plan.board.publish(figures)
                case .release(let app, let count):
                    note("release \(name)/\(app ?? "all")")
                    count?.add(figures.state.suspendedApps.count(where: \.isGuarded))
                    figures.state.suspendedApps = []
                    plan.board.publish(figures)
                case .renew(_, let route, let result):
                    note("renew \(name) \(route.settings.connections.upperBound)")
                    if let verdict = state.withLock({ $0.verdict }) { result?.settle(verdict) }
                case .releaseClock:
                    note("release the clock of \(name)")
                    figures.state.clockDoubt = nil
                    plan.board.publish(figures)
                case .report, .schema, .look: break
                }
            }
            if state.withLock({ $0.mustFail.remove(name) }) != nil {
                note("fail \(name)")
                return .failed(KafkaFailure(code: "_FATAL", detail: "test"), EngineCounters())
            }
            await Task.yield()
        }
        note("end \(name)/\(plan.connector.settingsDigest)")
        return .drained(EngineCounters())
    }

    private func note(_ event: String) { state.withLock { $0.events.append(event) } }
}

// MARK: What a test sets and sees

extension SupervisorStage {
    /// What happened to workers, in order.
    var events: [String] { state.withLock { $0.events } }
    /// The number of checks of a connector.
    func checks(of name: String) -> Int { state.withLock { $0.checks[name] ?? 0 } }
    /// The states of all connectors.
    var states: [String] {
        status.read().connectors.map { "\($0.name) \($0.state.rawValue)" }
    }

    /// True once a pause between two attempts has begun.
    var isInPause: Bool { state.withLock { $0.isInPause } }

    /// Makes pauses last until they are cancelled, or ended.
    func makePausesLong() { state.withLock { $0.arePausesLong = true } }

    /// Ends long pauses; those that follow are short.
    func endPauses() {
        let pauses = state.withLock { state in
            state.arePausesLong = false
            defer { state.pauses = [] }
            return state.pauses
        }
        for pause in pauses { pause.finish() }
    }

    func setUnavailable(
        _ names: Set<String>, isPermanent: Bool = false, forChecks checks: Int = .max
    ) {
        state.withLock {
            $0.failingChecks = checks
            $0.unavailable = names
            $0.isPermanent = isPermanent
        }
    }

    func makeChecks(take length: Duration) { state.withLock { $0.checkLength = length } }
    func engageGuard(of names: Set<String>) { state.withLock { $0.guarded = names } }
    func doubtClock(of names: Set<String>) { state.withLock { $0.doubtful = names } }
    func openBreaker(of names: Set<String>) { state.withLock { $0.refused = names } }
    func judgeCredentials(_ verdict: RenewalResult.Verdict?) {
        state.withLock { $0.verdict = verdict }
    }
    /// The numbers of connections of the routes that workers were started with.
    var routes: [Int] { state.withLock { $0.routes } }
    /// A route that differs from that of the start in the number of its connections.
    static func route(connections: Int) throws -> APNsRoute {
        var route = try Self.route.get()
        route.settings.connections = connections...connections
        return route
    }
    /// The credentials with which APNs was checked, in order.
    var credentials: [String] { state.withLock { $0.credentials } }
    /// Does something once, after the first check of APNs and before its result is known.
    func afterCheckOfAPNs(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.afterCheck = action }
    }
    func compactOutcomes(of names: Set<String>) { state.withLock { $0.compacted = names } }
    func setBacklog(_ backlog: GroupBacklog?, of name: String) {
        state.withLock { $0.backlogs[name] = backlog }
    }
    func keepSettingsUnknown(_ failure: KafkaFailure) { state.withLock { $0.unchecked = failure } }
    func setWrong(_ names: Set<String>) { state.withLock { $0.wrong = names } }
    func write(
        _ files: [Connector], unusable: [UnusableConnector] = [], _ diagnostics: [Diagnostic] = []
    ) {
        state.withLock {
            $0.files = files
            $0.unusable = unusable
            $0.diagnostics = diagnostics
        }
    }
    /// A connector whose certificate has expired.
    static func unusable(_ name: String) throws -> UnusableConnector {
        var problem = Diagnostic(
            file: "\(name).yaml", line: 3, column: 1, severity: .error,
            message: "the certificate has expired")
        problem.isExternal = true
        return try #require(UnusableConnector(name, "\(name).yaml", [problem]))
    }
    /// Keeps the workers of a connector from ending when they are drained.
    func keepFromEnding(_ names: Set<String>) { state.withLock { $0.mustNotEnd = names } }
    func fail(_ name: String) { state.withLock { _ = $0.mustFail.insert(name) } }

    /// Waits until something has happened.
    func wait(until isSo: @Sendable () -> Bool) async { while !isSo() { await Task.yield() } }
    func wait(for event: String) async { await wait { self.events.contains(event) } }
}
