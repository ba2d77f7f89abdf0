internal import Glibc

/// Reads files and folders given by the user: completely, with a size limit, and with errors that
/// say why.
public enum InputFile {
    /// Why a file or a folder could not be read.
    public struct Failure: Error, Equatable, Sendable {
        /// True when the file or folder does not exist.
        public var isMissing: Bool
        /// The reason, similar to the system's message, for example `permission denied`.
        public var reason: String
    }

    /// Reads a whole file; fails if it has more than `limit` bytes.
    public static func read(path: String, limit: Int = 1_048_576) throws(Failure) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(errno: errno) }
        defer { close(descriptor) }
        return try read(descriptor, limit: limit)
    }

    /// Reads standard input to its end; fails after more than `limit` bytes.
    public static func readStandardInput(limit: Int = 1_048_576) throws(Failure) -> [UInt8] {
        try read(STDIN_FILENO, limit: limit)
    }

    private static func read(_ descriptor: Int32, limit: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe Glibc.read(descriptor, &piece, piece.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw Failure(errno: errno) }
            if count == 0 { return bytes }
            bytes += piece[..<count]
            guard bytes.count <= limit else {
                throw Failure(isMissing: false, reason: "it is larger than \(limit) bytes")
            }
        }
    }

    /// True when users may read a file whom its owner need not have allowed to.
    ///
    /// A file of another owner that this process reads through its group was handed to it that way:
    /// Kubernetes' secrets and systemd's credentials are files of root.
    public static func isOpenToOthers(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return false }
        return isOpenToOthers(mode: status.st_mode, isOwn: status.st_uid == geteuid())
    }

    static func isOpenToOthers(mode: UInt32, isOwn: Bool) -> Bool {
        mode & (isOwn ? 0o044 : 0o004) != 0
    }

    /// True when users may change a file whom its owner need not have allowed to.
    public static func isWritableByOthers(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return false }
        return status.st_mode & (status.st_uid == geteuid() ? 0o022 : 0o002) != 0
    }

    /// The names in a folder, sorted; nil when the path is not a folder.
    public static func names(inFolder path: String) throws(Failure) -> [String]? {
        guard let folder = unsafe opendir(path) else {
            if errno == ENOTDIR { return nil }
            throw Failure(errno: errno)
        }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            names.append(name)
        }
        return names.sorted()
    }
}

extension InputFile.Failure {
    fileprivate init(errno number: Int32) {
        let words = unsafe strerror(number)
        isMissing = number == ENOENT || number == ENOTDIR
        let text = unsafe words.map { unsafe String(cString: $0) } ?? "error \(number)"
        reason = text.prefix(1).lowercased() + text.dropFirst()
    }
}
