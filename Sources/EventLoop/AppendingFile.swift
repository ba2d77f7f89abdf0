internal import Glibc

/// A file that lines are appended to, each with one system call, so that lines of several threads
/// never mix.
public final class AppendingFile: Sendable {
    private let descriptor: Int32

    /// Opens a file, whose permissions stay as they are, or creates one that only its owner may
    /// read. A symbolic link is rejected: whoever created it could redirect the output. So is
    /// whatever is not a regular file: a pipe would wait for its reader.
    public init(path: String) throws(KernelError) {
        descriptor = unsafe open(
            path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            let code = errno
            throw KernelError(operation: "open", code: code, description: Self.message(for: code))
        }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            _ = close(descriptor)
            throw KernelError(operation: "open", code: ENXIO, description: Self.message(for: ENXIO))
        }
    }

    private static func message(for code: Int32) -> String {
        switch code {
        case ELOOP: "it is a symbolic link"
        // What a pipe without a reader answers, or a socket.
        case ENXIO: "it is not a regular file"
        default: unsafe String(cString: strerror(code)).lowercased()
        }
    }

    deinit { _ = close(descriptor) }

    /// Appends bytes; false when not all of them could be written.
    public func append(_ bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            == bytes.count
    }
}
