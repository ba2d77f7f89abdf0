internal import Glibc

/// A listening socket, created here so that the exact reason for a failure is known.
struct ListeningSocket: ~Copyable {
    let descriptor: Int32
    let port: UInt16
    /// The file of a Unix domain socket; nil for an address and a port.
    let file: SocketFile?
    private var isOwned = true

    private init(descriptor: Int32, port: UInt16, file: SocketFile?) {
        self.descriptor = descriptor
        self.port = port
        self.file = file
    }

    /// Listens where the settings say.
    static func open(_ settings: AdminSettings) throws(AdminError) -> ListeningSocket {
        if let path = settings.socketPath { return try open(path: path) }
        return try open(host: settings.host, port: settings.port)
    }

    private static func open(path: String) throws(AdminError) -> ListeningSocket {
        let descriptor = try socket(of: AF_UNIX, path)
        let file: SocketFile
        do throws(AdminError) {
            file = try SocketFile(binding: descriptor, to: path)
        } catch {
            _ = close(descriptor)
            throw error
        }
        guard Glibc.listen(descriptor, 128) == 0 else {
            let error = failure(path)
            _ = close(descriptor)
            file.remove()
            throw error
        }
        return ListeningSocket(descriptor: descriptor, port: 0, file: file)
    }

    private static func open(host: String, port: UInt16) throws(AdminError) -> ListeningSocket {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_PASSIVE
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(host, String(port), &hints, &found)
        guard code == 0, let address = unsafe found else {
            let reason = unsafe String(cString: gai_strerror(code)).lowercased()
            throw AdminError("cannot listen on \(host):\(port): \(reason)")
        }
        defer { unsafe freeaddrinfo(found) }
        let descriptor = try unsafe listen(address.pointee, "\(host):\(port)")
        return ListeningSocket(
            descriptor: descriptor, port: Self.port(of: descriptor), file: nil)
    }

    deinit { if isOwned { _ = close(descriptor) } }

    /// Transfers ownership of the socket to the caller.
    consuming func release() -> Int32 {
        isOwned = false
        return descriptor
    }

    private static func socket(
        of family: Int32, _ name: String
    ) throws(AdminError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = Glibc.socket(family, kind, 0)
        guard descriptor >= 0 else { throw failure(name) }
        return descriptor
    }

    private static func listen(_ address: addrinfo, _ name: String) throws(AdminError) -> Int32 {
        let descriptor = try unsafe socket(of: address.ai_family, name)
        var yes: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
        guard unsafe bind(descriptor, address.ai_addr, address.ai_addrlen) == 0,
            Glibc.listen(descriptor, 128) == 0
        else {
            let error = failure(name)
            _ = close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func failure(_ name: String) -> AdminError {
        let number = errno
        let reason = unsafe String(cString: strerror(number)).lowercased()
        let cause: AdminError.Cause =
            switch number {
            case EADDRINUSE: .inUse
            case EACCES: .privilegedPort
            default: .invalid
            }
        return AdminError("cannot listen on \(name): \(reason)", cause)
    }

    private static func port(of descriptor: Int32) -> UInt16 {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        unsafe withUnsafeMutableBytes(of: &storage) { bytes in
            guard let base = bytes.baseAddress else { return }
            let address = unsafe base.assumingMemoryBound(to: sockaddr.self)
            _ = unsafe getsockname(descriptor, address, &size)
        }
        // Both address families store the port after the family, in network order.
        return unsafe withUnsafeBytes(of: &storage) { bytes in
            UInt16(bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
        }
    }
}
