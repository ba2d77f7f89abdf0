internal import APNs
internal import Configuration
internal import Delivery
internal import EventLoop
internal import TLS

/// Looks, before anything is consumed, whether APNs answers and can be trusted.
enum APNsCheck {
    /// Opens one connection, waits until it may be used, and closes it. Nothing is sent.
    static func connect(
        _ connector: Connector, _ tokens: ProviderTokens, timeout: UInt64 = 15_000_000_000
    ) throws(StartFailure) {
        var kernel = LinuxKernel(capacity: 8)
        var pool = APNsPool(
            endpoint: try endpoint(of: connector), tokens: tokens,
            settings: PoolSettings(connections: 1), firstToken: 0)
        pool.start(&kernel)
        let end = kernel.now + timeout
        let host = connector.apns.endpoint.host
        while kernel.now < end {
            while let event = pool.nextEvent() {
                switch event {
                case .connected:
                    pool.close(&kernel)
                    return
                case .failed(let words):
                    pool.close(&kernel)
                    throw StartFailure(
                        .unavailable, "\(connector.file): no connection to APNs: \(words)")
                case .answered, .notSent, .inDoubt: continue
                }
            }
            var wakeups: [Wakeup] = []
            kernel.wait(until: min(end, pool.nextDeadline ?? end)) { wakeups.append($0) }
            for wakeup in wakeups { pool.wake(wakeup, &kernel) }
            pool.expire(&kernel)
            pool.flush(&kernel)
        }
        throw StartFailure(
            .unavailable, "\(connector.file): no connection to APNs: \(host) does not answer")
    }

    /// Where a connector's pushes go. A CA file that can not be used is its fault.
    static func endpoint(
        of connector: Connector
    ) throws(StartFailure) -> APNs.APNsEndpoint {
        let endpoint = connector.apns.endpoint
        do {
            let trust =
                switch endpoint.trustRoots {
                case .system: try TLSContext.client(trustRoots: .system)
                case .file(let path): try TLSContext.client(trustRoots: .file(path))
                case .pem(let bytes): try TLSContext.client(trustRoots: .pem(bytes))
                }
            return APNs.APNsEndpoint(host: endpoint.host, port: endpoint.port, trust: trust)
        } catch {
            throw StartFailure(.configuration, "\(connector.file): apns.ca_file: \(error)")
        }
    }
}
