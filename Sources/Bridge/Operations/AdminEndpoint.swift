internal import AdminServer
public import Configuration
internal import Telemetry

/// Serves health, readiness, metrics and status over HTTP/1.1.
public final class AdminEndpoint: Sendable {
    private let server: AdminServer
    private let settings: AdminEndpointSettings

    /// Creates an endpoint that does not listen yet.
    public init(_ settings: AdminEndpointSettings, status: BridgeStatus) {
        self.settings = settings
        var admin = AdminSettings(
            host: settings.host, port: settings.port, hostNames: settings.hostNames)
        admin.token = settings.token
        server = AdminServer(settings: admin, routes: Self.routes(status))
    }

    private static func routes(_ status: BridgeStatus) -> [AdminRoute] {
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
            AdminRoute("GET", "/metrics", isOpen: true) { _ in
                .text(BridgeMetrics(status.read()).text, type: PrometheusText.contentType)
            },
            AdminRoute("GET", "/status") { _ in .json(status.read().json) },
        ]
    }

    /// Starts listening, and returns the port.
    @discardableResult
    public func start(_ places: SettingPlaces) throws(StartFailure) -> UInt16 {
        do throws(AdminError) {
            return try server.start()
        } catch {
            throw StartFailure(
                error.isAboutPort ? .unavailable : .configuration,
                places.error(
                    at: "admin.listen", message: error.description,
                    remedy: error.isAboutPort
                        ? "stop what listens there (ss -ltnp), or write another port"
                        : "write an address of this machine"))
        }
    }

    /// Stops listening.
    public func stop() { server.stop() }
}
