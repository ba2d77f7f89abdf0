internal import CMicroHTTPD
internal import Glibc

/// Owns libmicrohttpd's daemon, which has its own thread.
///
/// libmicrohttpd allows `MHD_stop_daemon` from any thread; it is called once, by whoever took the
/// handle out of its lock, and nothing else is called on the pointer.
@safe final class DaemonHandle: @unchecked Sendable, Equatable {
    private let pointer: OpaquePointer
    /// The argument of the daemon's callbacks; it lives as long as the daemon.
    private let controller: AdminController
    /// The file of a Unix domain socket, which is removed at the end.
    private let file: SocketFile?

    init(
        socket: consuming ListeningSocket, settings: AdminSettings, controller: AdminController
    ) throws(AdminError) {
        file = socket.file
        let context = unsafe Unmanaged.passUnretained(controller).toOpaque()
        let descriptor = socket.release()
        let daemon = unsafe mhd_start(
            descriptor, UInt32(settings.connectionLimit), UInt32(settings.idleTimeout), 32_768,
            responseThunk, completedThunk, connectionThunk, targetThunk, context)
        guard let daemon = unsafe daemon else {
            _ = close(descriptor)
            file?.remove()
            throw AdminError(
                "cannot start the admin server on \(settings.address): out of threads or memory")
        }
        unsafe pointer = daemon
        self.controller = controller
    }

    /// Stops the daemon and its thread; its callbacks are not called any more.
    func stop() {
        controller.deferred.stop()
        unsafe MHD_stop_daemon(pointer)
        file?.remove()
    }

    static func == (left: DaemonHandle, right: DaemonHandle) -> Bool { left === right }
}
