internal import CLinux
internal import Glibc

/// File system queries.
public enum FileSystem {
    /// True when a file or directory exists at a path.
    public static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// True for a file whose content can be read again, unlike that of a pipe. Follows symbolic
    /// links.
    public static func isRegularFile(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Identifies a version of a file; nil when the file does not exist.
    ///
    /// For a symbolic link it is the target's, so that a changed link counts as a changed file.
    public static func stamp(of path: String) -> FileStamp? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return FileStamp(
            device: UInt64(status.st_dev), file: UInt64(status.st_ino), size: Int64(status.st_size),
            seconds: Int64(status.st_mtim.tv_sec), nanoseconds: Int64(status.st_mtim.tv_nsec))
    }
}

/// The identity of the file at a path, and when it was last written.
public struct FileStamp: Equatable, Sendable {
    var device: UInt64
    var file: UInt64
    var size: Int64
    var seconds: Int64
    var nanoseconds: Int64
}
