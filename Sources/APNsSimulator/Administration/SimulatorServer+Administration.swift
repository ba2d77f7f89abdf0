internal import AdminServer
internal import EventLoop
internal import Synchronization

extension SimulatorServer {
    /// Begins to answer people and their tools over HTTP/1.1, and says on which port.
    ///
    /// It is for this machine: a host other than `127.0.0.1` lets the network see every push.
    /// `hostNames` are the names by which it may be called besides localhost and any address;
    /// `hint` is the command line that the page names while there is no device.
    @discardableResult
    public func startAdministration(
        host: String = "127.0.0.1", port: UInt16 = 0, hostNames: [String] = [], hint: String? = nil
    ) throws(SimulatorError) -> UInt16 {
        guard let memory else {
            throw SimulatorError(
                .state, "this simulator has no memory to query: set its memory")
        }
        let desk = AdministrationDesk(
            memory: memory, counters: counters, channels: channels, hint: hint
        ) { [weak self] bytes throws(SimulatorError) in
            try self?.begin(try Scenario.parse(bytes, file: "body"))
        }
        let settings = AdminSettings(host: host, port: port, hostNames: hostNames)
        let server = AdminServer(settings: settings, routes: desk.routes)
        do throws(AdminError) {
            let port = try server.start()
            administration.withLock { $0 = server }
            return port
        } catch {
            throw SimulatorError(
                error.isAboutPort ? .addressUnavailable : .hostUnavailable, error.description)
        }
    }

    /// Ends the answering, before the loop ends that it may wait for.
    func stopAdministration() {
        let server = administration.withLock { place in
            let server = place
            place = nil
            return server
        }
        server?.stop()
    }
}
