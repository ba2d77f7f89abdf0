internal import Glibc

/// The file of a Unix domain socket: its folder exists, and nothing of others is replaced.
struct SocketFile: Sendable {
    /// Where it is.
    let path: String
    /// Identifies the file that this process made.
    private let device: UInt64
    private let number: UInt64

    /// Makes the file for a socket, which only its owner can connect to, and binds it.
    ///
    /// What a process that has ended left behind is replaced; a socket in use and any other file
    /// are not.
    init(binding descriptor: Int32, to path: String) throws(AdminError) {
        try Self.makeRoom(at: path)
        // Linux gives the file the mode of the socket: it is never open to others.
        _ = fchmod(descriptor, 0o600)
        let code = unsafe try Self.withAddress(of: path) { unsafe bind(descriptor, $0, $1) }
        guard code == 0 else { throw Self.failure(path, Self.reason(errno)) }
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { throw Self.failure(path, Self.reason(errno)) }
        self.path = path
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }

    /// Removes the file, unless another process has replaced it.
    func remove() {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, UInt64(status.st_dev) == device,
            UInt64(status.st_ino) == number
        else { return }
        unsafe unlink(path)
    }

    private static func makeRoom(at path: String) throws(AdminError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            guard errno != ENOENT || folderExists(of: path) else {
                throw failure(path, "its folder does not exist")
            }
            return
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw failure(path, "something else is there")
        }
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { _ = close(probe) }
        let code = unsafe try withAddress(of: path) { unsafe connect(probe, $0, $1) }
        guard code != 0, errno == ECONNREFUSED else {
            throw failure(path, "another process listens there", .inUse)
        }
        unsafe unlink(path)
    }

    private static func folderExists(of path: String) -> Bool {
        guard let slash = path.lastIndex(of: "/") else { return true }
        let folder = path[..<slash]
        return unsafe access(folder.isEmpty ? "/" : String(folder), F_OK) == 0
    }

    private static func withAddress(
        of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(AdminError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path) - 1
        guard bytes.count <= room else {
            throw failure(path, "the path is longer than \(room) bytes")
        }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private static func reason(_ number: Int32) -> String {
        unsafe String(cString: strerror(number)).lowercased()
    }

    private static func failure(
        _ path: String, _ reason: String, _ cause: AdminError.Cause = .invalid
    ) -> AdminError {
        AdminError("cannot listen on \(path): \(reason)", cause)
    }
}
