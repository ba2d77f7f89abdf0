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

    /// Reads a whole file; fails if it has more than `limit` bytes, or is not a regular file.
    ///
    /// Opening a device can act, and reading a pipe or a file of `/proc` can take for ever. With
    /// `takesPipes` it may be a pipe or a terminal.
    public static func read(
        path: String, limit: Int = 1_048_576, takesPipes: Bool = false
    ) throws(Failure) -> [UInt8] {
        let location = unsafe open(path, pathOnly | O_CLOEXEC)
        guard location >= 0 else { throw Failure(errno: errno) }
        defer { close(location) }
        let size = try size(of: location, takesPipes: takesPipes)
        guard size ?? 0 <= limit else { throw tooLarge(limit) }
        // Opened through the descriptor, so that it is the file that was looked at.
        let descriptor = unsafe open("/proc/self/fd/\(location)", O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw Failure(errno: errno) }
        defer { close(descriptor) }
        return try read(descriptor, limit: limit, size: size)
    }

    /// Why a library must not open a file: it is not a regular one, or too large. Nil for one that
    /// is fine or does not exist; `folder` allows a folder instead.
    public static func fault(of path: String, limit: Int, folder: Bool = false) -> String? {
        let location = unsafe open(path, pathOnly | O_CLOEXEC)
        guard location >= 0 else { return nil }
        defer { close(location) }
        var status = stat()
        if folder, unsafe fstat(location, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            return nil
        }
        // Reading a file of `/proc`, which claims to be empty, can take for ever.
        var kernel = stat()
        if unsafe fstat(location, &status) == 0, unsafe stat("/proc", &kernel) == 0,
            status.st_dev == kernel.st_dev
        {
            return notRegular
        }
        do throws(Failure) {
            return try size(of: location, takesPipes: false) ?? 0 > limit
                ? tooLarge(limit).reason : nil
        } catch {
            return error.reason
        }
    }

    private static var notRegular: String { "it is not a regular file" }
    /// Linux's `O_PATH`: the place of a file, without opening it.
    private static var pathOnly: Int32 { 0o10_000_000 }

    /// The size of a regular file; nil for a pipe or a terminal.
    private static func size(of location: Int32, takesPipes: Bool) throws(Failure) -> Int? {
        var status = stat()
        guard unsafe fstat(location, &status) == 0 else { throw Failure(errno: errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return Int(status.st_size)
        case S_IFDIR: throw Failure(errno: EISDIR)
        case S_IFIFO where takesPipes: return nil
        case S_IFCHR where takesPipes && isTerminal(location): return nil
        default: throw Failure(isMissing: false, reason: notRegular)
        }
    }

    private static func isTerminal(_ location: Int32) -> Bool {
        let descriptor = unsafe open(
            "/proc/self/fd/\(location)", O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return isatty(descriptor) == 1
    }

    private static func tooLarge(_ limit: Int) -> Failure {
        Failure(isMissing: false, reason: "it is larger than \(limit) bytes")
    }

    /// Reads standard input to its end; fails after more than `limit` bytes.
    public static func readStandardInput(limit: Int = 1_048_576) throws(Failure) -> [UInt8] {
        try read(STDIN_FILENO, limit: limit, size: nil)
    }

    /// Reads no more than the size that a file claims to have: those of `/proc` claim none.
    private static func read(
        _ descriptor: Int32, limit: Int, size: Int?
    ) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let wanted = min(piece.count, size.map { $0 - bytes.count } ?? piece.count)
            if wanted <= 0 { return bytes }
            let count = unsafe Glibc.read(descriptor, &piece, wanted)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw Failure(errno: errno) }
            if count == 0 { return bytes }
            bytes += piece[..<count]
            guard bytes.count <= limit else { throw tooLarge(limit) }
        }
    }

    /// True when users may read a file whom its owner need not have allowed to.
    ///
    /// A file of another owner that this process reads through its group was handed to it that way:
    /// Kubernetes' secrets and systemd's credentials are files of root. So was a file of root with
    /// another group than root's, also if root reads it: `install -m 0640 -g apns-bridge`.
    public static func isOpenToOthers(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return false }
        return isOpenToOthers(
            mode: status.st_mode, owner: status.st_uid, group: status.st_gid, reader: geteuid())
    }

    /// True when users may write a file whom its owner need not have allowed to.
    public static func isWritableByOthers(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return false }
        return status.st_mode & (status.st_uid == geteuid() ? 0o022 : 0o002) != 0
    }

    /// The path after all symbolic links; nil when there is no such file.
    public static func resolvedPath(_ path: String) -> String? {
        guard let found = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(found) }
        return unsafe String(cString: found)
    }

    static func isOpenToOthers(mode: UInt32, owner: UInt32, group: UInt32, reader: UInt32) -> Bool {
        let wasHandedOver = owner != reader || owner == 0 && group != 0
        return mode & (wasHandedOver ? 0o004 : 0o044) != 0
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
        let message = unsafe strerror(number)
        isMissing = number == ENOENT || number == ENOTDIR
        let text = unsafe message.map { unsafe String(cString: $0) } ?? "error \(number)"
        reason = text.prefix(1).lowercased() + text.dropFirst()
    }
}
