public import EventLoop

/// Notifies the service manager when the connectors have started, and that their workers respond.
///
/// A worker that has not joined its group does not delay the first: the manager would end the
/// process, and with it the connectors that work. `/ready` waits for it.
///
/// A bridge whose Kafka or APNs is away still responds; one with a worker whose turn has taken too
/// long does not, so that the manager's watchdog ends and restarts it.
public struct ServiceNotices: Sendable {
    private let manager: ServiceManager
    private let status: BridgeStatus

    /// Creates the notices of a process; nil unless a manager asks for them.
    public init?(_ manager: ServiceManager? = ServiceManager(), status: BridgeStatus) {
        guard let manager else { return nil }
        self.manager = manager
        self.status = status
    }

    /// Sends what is due, again and again, until its task is cancelled.
    public func run() async {
        var due = NoticesDue()
        while !Task.isCancelled {
            for notice in due.next(status.read()) { manager.notify(notice) }
            // At most a third of the watchdog's time: a notice may be late without being missed.
            let pause = min((manager.watchdog ?? .seconds(3)) / 3, .seconds(1))
            do { try await Task.sleep(for: pause) } catch { return }
        }
    }
}

/// Which notices are due.
struct NoticesDue {
    private var sent: Set<ServiceManager.Notice> = []

    /// The notices for a status: alive while every worker responds, starting until it is ready, the
    /// others once.
    mutating func next(_ status: BridgeStatus.Reading) -> [ServiceManager.Notice] {
        var notices: [ServiceManager.Notice] = status.isHealthy ? [.alive] : []
        if status.isStopping {
            if sent.insert(.stopping).inserted { notices.append(.stopping) }
        } else if status.isRunning {
            if sent.insert(.ready).inserted { notices.append(.ready) }
        } else if status.isHealthy, !sent.contains(.ready) {
            notices.append(.starting)
        }
        return notices
    }
}
