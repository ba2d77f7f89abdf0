public import APNs
public import Configuration
internal import Delivery
internal import EventLoop

extension DirectSending {
    /// Checks the connection to APNs as at a start, sends a request about channels, and waits for
    /// what becomes of it. It ends early when `isStopped`.
    ///
    /// The endpoint of `app` is where its channels are managed; errors name the settings of the
    /// connector.
    public static func send(
        _ request: ChannelRequest, for app: AppSettings, of connector: Connector,
        until isStopped: @escaping @Sendable () -> Bool
    ) async throws(StartFailure) -> ChannelReport {
        let report = await onThread("channels") { () throws(StartFailure) -> ChannelReport in
            var timeout = APNsCheck.Timeouts()
            timeout.isStopped = isStopped
            let route = try APNsCheck.route(
                connector, app, APNsCredential(app.credential), timeout)
            var kernel = try kernel(for: connector)
            var exchange = ChannelExchange(
                route, timeout: connector.delivery.requestTimeout + .seconds(10))
            return exchange.run(request, &kernel, until: isStopped)
        }
        return try report.get()
    }
}
