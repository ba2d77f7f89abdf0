internal import Glibc

/// A file that lines are appended to, each with one system call, so that lines of several threads
/// never mix.
public final class AppendingFile: Sendable {
    private let descriptor: Int32

    /// Opens a file, whose permissions stay as they are, or creates one that only its owner may
    /// read. A symbolic link is rejected: whoever created it could redirect the output.
    public init(path: String) throws(KernelError) {
        descriptor = unsafe open(
            path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            let code = errno
            let reason =
                code == ELOOP
                ? "it is a symbolic link" : unsafe String(cString: strerror(code)).lowercased()
            throw KernelError(operation: "open", code: code, description: reason)
        }
    }

    deinit { _ = close(descriptor) }

    /// Appends bytes; false when not all of them could be written.
    public func append(_ bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            == bytes.count
    }
}
