import APNs
import AdminServer
import Delivery
import Engine
import EventLoop
import Synchronization
import Telemetry
import Testing

@testable import Bridge

/// The status page of a process with four problems: an engaged guard, little memory, a certificate
/// that expires, and a refused reload.
final class PageStage {
    /// Releases the guard at once, and remembers what was asked of it.
    final class Operator: BridgeControl {
        private let state = Mutex<[String]>([])
        private let board: FigureBoard

        init(_ board: FigureBoard) { self.board = board }

        var orders: [String] { state.withLock { $0 } }
        func setPaused(_ isPaused: Bool, connector: String) {}
        func begin(connector: String) {}
        func releaseClock(connector: String) {}
        func reloadOnce() -> ReloadResult { .busy }

        func releaseGuard(connector: String, app: String) throws(ControlFault) {
            guard board.latest?.state.suspendedApps.isEmpty == false else {
                throw .conflict("the guard of app '\(app)' is not engaged", "do nothing")
            }
            state.withLock { $0.append("release \(connector) \(app)") }
            PageStage.publish(on: board, isGuarded: false)
        }
    }

    let control: Operator
    private let board = FigureBoard()
    private let server: AdminServer
    private let port: UInt16

    /// Starts it; with a token, if there is one.
    init(token: String? = nil) throws {
        let end: Int64 = 1_798_797_600
        let machine = BridgeStatus.Machine(
            wallClock: { (end - 10 * 86_400 - 1) * 1000 },
            memory: { ProcessMemory(resident: 490 << 20, limit: 512 << 20) })
        let status = BridgeStatus(machine: machine) { .distantPast + .seconds(7200) }
        let worker = BridgeStatus.Worker(
            connector: "orders", number: 0, apps: ["shop"], board: board, kafka: "kafka:9092")
        status.started([BridgeStatus.Connector(name: "orders", workers: [worker])])
        status.reloaded(isRefused: true)
        Self.publish(on: board, isGuarded: true, certificateEnd: end)
        control = Operator(board)
        var settings = AdminSettings()
        settings.token = token.map { Array($0.utf8) }
        let logger = Logger(label: "test", level: .critical)
        server = AdminServer(
            settings: settings,
            routes: AdminEndpoint.routes(status)
                + ControlRoutes(control: control, logger: logger).routes)
        port = try server.start()
    }

    deinit { server.stop() }

    /// Opens the page.
    func open() throws -> BrowserTab { try BrowserTab("http://127.0.0.1:\(port)/") }

    /// Another operator, or a probe, releases the guard.
    func releaseElsewhere() { Self.publish(on: board, isGuarded: false) }

    private static func publish(
        on board: FigureBoard, isGuarded: Bool, certificateEnd: Int64? = nil
    ) {
        var figures = WorkerFigures(
            time: .distantPast + .seconds(7200), hasJoined: true, pushes: PushFigures(apps: 1))
        figures.connections = 4
        let dates = certificateEnd.map { [CredentialDates(certificateExpiresAt: $0)] }
        figures.credentials = dates ?? board.latest?.credentials ?? []
        if isGuarded {
            var app = EngineState.SuspendedApp("shop", pushes: 1200)
            app.isGuarded = true
            app.duration = .seconds(300)
            figures.state.suspendedApps = [app]
        }
        board.publish(figures)
    }
}
