internal import APNs
internal import Configuration
internal import Delivery
internal import EventLoop
internal import TLS

/// Checks, before anything is consumed, whether APNs responds and can be trusted.
enum APNsCheck {
    /// How long a check waits.
    struct Timeouts {
        /// The time limit of the whole check.
        var timeout = Duration.seconds(15)
        /// The time limit of a handshake; nil for that of the workers.
        var handshake: Duration?
        /// Asked ten times a second; a check that is stopped ends, and finds no fault.
        var isStopped: (() -> Bool)?
    }

    /// Builds the route of an app, opens one connection, waits until it is usable, and closes it.
    /// Sends nothing.
    static func route(
        _ connector: Connector, _ app: AppSettings, _ credential: APNsCredential,
        _ timeout: Timeouts = Timeouts()
    ) throws(StartFailure) -> APNsRoute {
        var settings = PoolSettings(
            connections: connector.apns.connections,
            requestTimeout: connector.delivery.requestTimeout)
        settings.maxStreams = connector.apns.maxStreams ?? .max
        settings.stagger = connector.apns.connectStagger
        settings.pingInterval = connector.apns.pingInterval
        let route = APNsRoute(
            endpoint: try endpoint(of: app, connector, credential), credential: credential,
            settings: settings)
        let kernel: LinuxKernel
        do throws(KernelError) {
            kernel = try LinuxKernel(capacity: 8)
        } catch {
            throw unavailable(connector, app, .resources, error.description)
        }
        try connect(route, kernel, timeout) { (cause, message) in
            unavailable(connector, app, cause, message)
        }
        return route
    }

    private static func connect(
        _ route: APNsRoute, _ kernel: consuming LinuxKernel, _ timeout: Timeouts,
        _ failure: (ConnectionFailure.Cause, String) -> StartFailure
    ) throws(StartFailure) {
        var settings = route.settings
        settings.connections = 1...1
        settings.handshakeTimeout = timeout.handshake ?? settings.handshakeTimeout
        let single = APNsRoute(
            endpoint: route.endpoint, credential: route.credential, settings: settings)
        var pool = APNsPool(single, firstToken: 0)
        // Whatever the result, no socket is left open: renewals check again and again.
        defer { pool.close(&kernel) }
        pool.start(&kernel)
        let end = kernel.now + timeout.timeout
        while kernel.now < end {
            if timeout.isStopped?() == true { return }
            while let event = pool.nextEvent() {
                switch event {
                case .connected: return
                case .failed(let found):
                    throw failure(found.cause, found.message)
                case .responded, .notSent, .unsendable, .inDoubt, .unacceptable,
                    .credentialRefused, .renewed, .renewalRefused:
                    continue
                }
            }
            var wakeups: [Wakeup] = []
            let turn = timeout.isStopped == nil ? end : kernel.now + .milliseconds(100)
            kernel.wait(until: min(end, turn, pool.nextDeadline ?? end)) { wakeups.append($0) }
            for wakeup in wakeups { pool.wake(wakeup, &kernel) }
            pool.expire(&kernel)
            pool.flush(&kernel)
        }
        throw failure(
            .silence, "\(route.endpoint.host):\(route.endpoint.port): no response")
    }

    /// The endpoint of an app's pushes. An unusable CA file is the connector's fault.
    private static func endpoint(
        of app: AppSettings, _ connector: Connector, _ credential: APNsCredential
    ) throws(StartFailure) -> APNsEndpoint {
        let endpoint = app.endpoint
        do {
            let trust =
                switch endpoint.trustRoots {
                case .system: try credential.tls(trusting: .system)
                case .file(let path): try credential.tls(trusting: .file(path))
                case .pem(let bytes): try credential.tls(trusting: .pem(bytes))
                }
            return APNsEndpoint(
                host: endpoint.host, port: endpoint.port, trust: trust, proxy: endpoint.proxy)
        } catch {
            guard error.code != .resources else {
                throw unavailable(
                    connector, app, .resources, "\(endpoint.address): TLS: \(error)")
            }
            let problem = connector.locations.error(
                at: "apns.apps.\(app.name).ca_file", "apns.ca_file",
                "apns.apps.\(app.name).endpoint", "apns.endpoint", "apns",
                message: "the trusted certificates are not usable: \(error)",
                remedy: "set ca_file to a file of PEM certificates")
            throw StartFailure(.configuration, problem)
        }
    }

    private static func unavailable(
        _ connector: Connector, _ app: AppSettings, _ cause: ConnectionFailure.Cause,
        _ message: String
    ) -> StartFailure {
        let endpoint = app.endpoint
        let own = "apns.apps.\(app.name)"
        let kind = app.credential.kind
        let setting =
            switch cause {
            case .certificate: "ca_file"
            case .credential where kind == .certificate, .handshake where kind == .certificate:
                "certificate"
            case .proxy: "proxy"
            default: "endpoint"
            }
        let remedy =
            cause == .resources
            ? StartFailure.resourcesRemedy
            : cause.remedy(for: kind)
                ?? (endpoint.isCustom ? remedy(for: cause) : remedyAtApple(for: cause))
        let problem = connector.locations.error(
            at: "\(own).\(setting)", "apns.\(setting)", "\(own).endpoint", "apns.endpoint",
            "\(own).environment", "apns",
            message: "no connection to APNs at \(message)",
            remedy: remedy)
        var failure = StartFailure(.unavailable, problem)
        failure.mayPass = [.lookup, .refused, .silence, .resources].contains(cause)
        return failure
    }

    /// What to do about a simulator or gateway that does not respond properly.
    private static func remedy(for cause: ConnectionFailure.Cause) -> String {
        switch cause {
        case .lookup: "check the host name in 'endpoint'"
        case .refused: "start the server there, or correct the address in 'endpoint'"
        case .silence: "check the address in 'endpoint', and that no firewall blocks it"
        case .certificate:
            "set 'ca_file' to the authority that signed the certificate; the simulator's is "
                + "ca.pem in its state folder"
        case .hostName:
            "use a host name of the certificate in 'endpoint'; the simulator adds names with "
                + "--host-name"
        case .proxy: "check 'proxy', and which addresses it allows"
        case .credential, .handshake:
            "the server requires a client certificate or rejects the handshake: check 'endpoint', "
                + "or authenticate with 'certificate' instead of 'key'"
        case .alert:
            "the server ended the TLS connection: its own log says why; check 'endpoint'"
        case .resources: StartFailure.resourcesRemedy
        case .notAPNs, .other:
            "'endpoint' must be the address of an HTTP/2 server with TLS, such as the simulator"
        }
    }

    /// What to do when Apple cannot be reached.
    private static func remedyAtApple(for cause: ConnectionFailure.Cause) -> String {
        switch cause {
        case .lookup: "check that this machine can resolve public DNS names"
        case .proxy: "check 'proxy', and which addresses it allows"
        case .credential, .handshake, .alert:
            "check that no proxy intercepts TLS on the way to Apple"
        case .certificate, .hostName:
            "install ca-certificates, and check that no proxy intercepts TLS on the way to Apple"
        default:
            "check that no firewall blocks TCP to Apple, or use a gateway: 'endpoint'"
        }
    }
}
