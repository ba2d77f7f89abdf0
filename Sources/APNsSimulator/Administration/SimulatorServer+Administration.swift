internal import AdminServer
internal import EventLoop
internal import Synchronization

extension SimulatorServer {
    /// Starts serving the admin endpoint over HTTP/1.1, and returns the port.
    ///
    /// It is intended for this machine: with a host other than `127.0.0.1` the network can see
    /// every push. `hostNames` are the host names accepted besides localhost and any address;
    /// `hint` is the command line shown on the page when there are no devices.
    @discardableResult
    public func startAdministration(
        host: String = "127.0.0.1", port: UInt16 = 0, hostNames: [String] = [], hint: String? = nil
    ) throws(SimulatorError) -> UInt16 {
        guard let memory else {
            throw SimulatorError(
                .state, "this simulator has no memory to query: set its memory")
        }
        let controller = AdministrationRoutes(
            memory: memory, counters: counters, channels: channels, hint: hint
        ) { [weak self] bytes throws(SimulatorError) in
            try self?.begin(try Scenario.parse(body: bytes))
        } scenarioState: { [weak self] in
            self?.scenarioState()
        }
        let settings = AdminSettings(host: host, port: port, hostNames: hostNames)
        let server = AdminServer(settings: settings, routes: controller.routes)
        do throws(AdminError) {
            let port = try server.start()
            administration.withLock { $0 = server }
            return port
        } catch {
            throw SimulatorError(
                error.cause == .invalid ? .hostUnavailable : .addressUnavailable, error.description)
        }
    }

    /// Stops serving, before the loop ends that a handler may be waiting for.
    func stopAdministration() {
        let server = administration.withLock { current in
            let server = current
            current = nil
            return server
        }
        server?.stop()
    }
}
