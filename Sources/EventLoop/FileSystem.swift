internal import Glibc

/// Questions to the file system.
public enum FileSystem {
    /// True when there is a file or a folder at a path.
    public static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// What tells a file from what it was before; nil when there is none.
    ///
    /// Of a link it is the file that the link leads to, so that a changed link is a changed file.
    public static func stamp(of path: String) -> FileStamp? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return FileStamp(
            device: UInt64(status.st_dev), file: UInt64(status.st_ino), size: Int64(status.st_size),
            seconds: Int64(status.st_mtim.tv_sec), nanoseconds: Int64(status.st_mtim.tv_nsec))
    }
}
