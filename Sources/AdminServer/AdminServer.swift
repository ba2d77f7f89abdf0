internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// A small HTTP/1.1 server for people and tools: a safe wrapper of libmicrohttpd.
///
/// A separate thread accepts connections, reads complete requests up to a limit, and calls the
/// routes' handlers one after another. A slow client only occupies one of the few connections: when
/// they run out, the client that has been silent for longest is dropped.
public final class AdminServer: Sendable {
    private let settings: AdminSettings
    private let controller: AdminController
    private let daemon = Mutex<DaemonHandle?>(nil)

    /// Creates a server that does not listen yet.
    public init(settings: AdminSettings, routes: [AdminRoute]) {
        self.settings = settings
        let router = AdminRouter(
            routes: routes, access: AccessRules(hostNames: settings.hostNames),
            token: settings.token.map(BearerToken.init))
        controller = AdminController(router: router, settings: settings)
    }

    deinit { stop() }

    /// Starts listening, and returns the port.
    @discardableResult
    public func start() throws(AdminError) -> UInt16 {
        let socket = try ListeningSocket.open(settings)
        let port = socket.port
        let handle = try DaemonHandle(socket: socket, settings: settings, controller: controller)
        let earlier = daemon.withLock { current in
            let earlier = current
            current = handle
            return earlier
        }
        precondition(earlier == nil, "an admin server is started only once")
        return port
    }

    /// Finds out whether a server could listen where the settings say; it serves nobody.
    public static func tryToListen(_ settings: AdminSettings) throws(AdminError) {
        let socket = try ListeningSocket.open(settings)
        socket.file?.remove()
    }

    /// Stops listening, drops every client, and waits until this is done.
    public func stop() {
        let handle = daemon.withLock { current in
            let handle = current
            current = nil
            return handle
        }
        handle?.stop()
    }
}

/// The underlying HTTP library.
public enum AdminServerLibrary {
    /// The version of libmicrohttpd that is loaded, as it reports it.
    public static var version: String { unsafe String(cString: MHD_get_version()) }
}
