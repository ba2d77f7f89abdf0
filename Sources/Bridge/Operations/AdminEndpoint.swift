internal import AdminServer
public import Configuration
public import Telemetry

/// Serves health, readiness, metrics, status and controls over HTTP/1.1.
public final class AdminEndpoint: Sendable {
    /// The largest body of a request, in bytes.
    private static let bodyLimit = 1_048_576

    private let server: AdminServer
    private let settings: AdminEndpointSettings

    /// Creates an endpoint that does not listen yet; requests control `supervisor`, and the level
    /// of `logger`.
    public init(
        _ settings: AdminEndpointSettings, status: BridgeStatus, supervisor: Supervisor,
        logger: Logger
    ) {
        self.settings = settings
        server = AdminServer(
            settings: Self.admin(settings),
            routes: Self.routes(status, protectsMetrics: settings.protectsMetrics)
                + ControlRoutes(control: supervisor, logger: logger).routes)
    }

    private static func admin(_ settings: AdminEndpointSettings) -> AdminSettings {
        var admin = AdminSettings(
            host: settings.host, port: settings.port, hostNames: settings.hostNames)
        admin.socketPath = settings.socketPath
        admin.token = settings.token
        admin.bodyLimit = bodyLimit
        return admin
    }

    /// What it says about a process.
    static func routes(_ status: BridgeStatus, protectsMetrics: Bool = false) -> [AdminRoute] {
        [
            AdminRoute("GET", "/health", isOpen: true) { _ in
                let isHealthy = status.read().isHealthy
                return isHealthy
                    ? .text("ok\n") : .text("a worker does not respond\n", status: 503)
            },
            AdminRoute("GET", "/ready", isOpen: true) { _ in
                let isReady = status.read().isReady
                return .text(isReady ? "ready\n" : "not ready\n", status: isReady ? 200 : 503)
            },
            AdminRoute("GET", "/metrics", isOpen: !protectsMetrics) { request in
                let format = PrometheusText.Format(accept: request.headers["accept"])
                let text = BridgeMetrics(status.read(), in: format).text
                return .text(text, type: format.contentType)
            },
            AdminRoute("GET", "/status") { _ in .json(status.read().json) },
            AdminRoute("GET", "/history") { _ in .json(status.recent.json) },
        ] + StatusPage.routes
    }

    /// Starts listening, and returns the port; 0 for a Unix domain socket.
    @discardableResult
    public func start(_ locations: SettingLocations) throws(StartFailure) -> UInt16 {
        do throws(AdminError) {
            return try server.start()
        } catch {
            throw Self.failure(error, settings, locations)
        }
    }

    /// Finds out whether an endpoint could listen; it serves nobody.
    static func tryToListen(
        _ settings: AdminEndpointSettings, _ locations: SettingLocations
    ) throws(StartFailure) {
        do throws(AdminError) {
            try AdminServer.tryToListen(admin(settings))
        } catch {
            throw failure(error, settings, locations)
        }
    }

    static func failure(
        _ error: AdminError, _ settings: AdminEndpointSettings, _ locations: SettingLocations
    ) -> StartFailure {
        StartFailure(
            error.cause == .inUse ? .unavailable : .configuration,
            locations.error(
                at: "admin.listen", message: error.description,
                remedy: remedy(for: error, settings)))
    }

    private static func remedy(
        for error: AdminError, _ settings: AdminEndpointSettings
    ) -> String {
        switch (error.cause, settings.socketPath) {
        case (.inUse, nil): "stop what listens there (ss -ltnp), or write another port"
        case (.inUse, _?): "stop what listens there (ss -lxp), or write another path"
        case (.privilegedPort, _):
            "write a port from 1024, or let this user listen on lower ones"
                + " (AmbientCapabilities=CAP_NET_BIND_SERVICE in a systemd unit)"
        case (.invalid, nil): "write an address of this machine"
        case (.invalid, let path?):
            "write a path for a new file in a folder that exists and that this user may write to,"
                + " not \(path)"
        }
    }

    /// Stops listening.
    public func stop() { server.stop() }
}
