internal import CMicroHTTPD
internal import Glibc

/// Owns libmicrohttpd's daemon, which has a thread of its own.
// libmicrohttpd allows `MHD_stop_daemon` from any thread; it is called once, by whoever took the
// handle out of its lock, and nothing else is called on the pointer.
@safe final class DaemonHandle: @unchecked Sendable, Equatable {
    private let pointer: OpaquePointer
    /// What the daemon's callbacks are given; it lives as long as the daemon does.
    private let desk: AdminDesk

    init(
        socket: consuming ListeningSocket, settings: AdminSettings, desk: AdminDesk
    ) throws(AdminError) {
        let context = unsafe Unmanaged.passUnretained(desk).toOpaque()
        let descriptor = socket.release()
        let daemon = unsafe mhd_start(
            descriptor, UInt32(settings.connectionLimit), UInt32(settings.idleTimeout), 32_768,
            answerThunk, completedThunk, connectionThunk, context)
        guard let daemon = unsafe daemon else {
            _ = close(descriptor)
            throw AdminError(
                "cannot start the admin server on \(settings.host): out of threads or memory")
        }
        unsafe pointer = daemon
        self.desk = desk
    }

    /// Ends the daemon and its thread; its callbacks are not called any more.
    func stop() { unsafe MHD_stop_daemon(pointer) }

    static func == (left: DaemonHandle, right: DaemonHandle) -> Bool { left === right }
}
