internal import Glibc

/// Questions to the file system.
public enum FileSystem {
    /// True when there is a file or a folder at a path.
    public static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
}
