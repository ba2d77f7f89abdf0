internal import CLinux

/// The service manager that started this process, if it wants to be notified when the service is
/// ready and that it still responds: systemd with `Type=notify`.
///
/// Source: sd_notify(3), sd_watchdog_enabled(3).
public struct ServiceManager: Sendable {
    private let socket: String
    /// How often the manager expects ``Notice/alive``, at least; nil if it does not.
    public let watchdog: Duration?

    /// What the manager can be notified of.
    public enum Notice: String, Sendable {
        /// The service is ready.
        case ready = "READY=1"
        /// The service still starts, and needs up to another minute, whatever its time limit is.
        case starting = "EXTEND_TIMEOUT_USEC=60000000"
        /// The service still responds.
        case alive = "WATCHDOG=1"
        /// The service begins to stop.
        case stopping = "STOPPING=1"
    }

    /// The manager that the environment names; nil if it names none.
    public init?(_ environment: [String: String] = ProcessEnvironment.variables) {
        guard let socket = environment["NOTIFY_SOCKET"], !socket.isEmpty else { return nil }
        self.socket = socket
        watchdog = environment["WATCHDOG_USEC"].flatMap(Int64.init)
            .flatMap { $0 > 0 ? .microseconds($0) : nil }
    }

    /// Notifies the manager; false if it cannot be reached.
    @discardableResult
    public func notify(_ notice: Notice) -> Bool {
        unsafe linux_notify(socket, notice.rawValue) == 0
    }
}
