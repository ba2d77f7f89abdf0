public import APNs
public import Configuration
internal import Delivery
internal import EventLoop

/// Sends pushes with a connector's endpoints and credentials, but without Kafka and without a
/// worker.
public enum DirectSending {
    /// Checks the connection to APNs as at a start, sends the pushes, and waits for their reports,
    /// which are in the same order; `report` gets each as it arrives, on a thread of its own.
    ///
    /// It ends early when `isStopped`. Apps without a push are neither checked nor connected to.
    public static func send(
        _ pushes: [PushBatch.Push], of connector: Connector,
        until isStopped: @escaping @Sendable () -> Bool,
        report: @escaping @Sendable (_ push: Int, PushReport) -> Void
    ) async throws(StartFailure) -> [PushReport] {
        let reports = await onThread("send") { () throws(StartFailure) -> [PushReport] in
            let (routes, apps) = try routes(of: pushes, connector, until: isStopped)
            var kernel = try kernel(for: connector)
            var batch = PushBatch(
                pushes, over: routes, apps: apps,
                timeout: connector.delivery.requestTimeout + .seconds(10))
            return batch.run(&kernel, until: isStopped, report: report)
        }
        return try reports.get()
    }

    static func kernel(for connector: Connector) throws(StartFailure) -> LinuxKernel {
        do throws(KernelError) {
            return try LinuxKernel(capacity: 8)
        } catch {
            throw StartFailure(
                .unavailable,
                connector.locations.error(
                    at: "apns", message: "cannot start to send: \(error.description)",
                    remedy: StartFailure.resourcesRemedy))
        }
    }

    /// The routes of the pushes, and the route of each app; 0 for apps without a push.
    private static func routes(
        of pushes: [PushBatch.Push], _ connector: Connector, until isStopped: @escaping () -> Bool
    ) throws(StartFailure) -> ([APNsRoute], apps: [Int]) {
        let used = Set(pushes.map(\.notification.app))
        var routes: [APNsRoute] = []
        var apps = connector.apns.apps.map { _ in 0 }
        for members in connector.apns.routes where !used.isDisjoint(with: members) {
            for app in members { apps[app] = routes.count }
            let app = connector.apns.apps[members[0]]
            var timeout = APNsCheck.Timeouts()
            timeout.isStopped = isStopped
            var route = try APNsCheck.route(
                connector, app, APNsCredential(app.credential), timeout)
            route.settings.connections = 1...1
            routes.append(route)
        }
        return (routes, apps)
    }
}
