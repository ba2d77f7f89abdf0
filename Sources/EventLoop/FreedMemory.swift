internal import CLinux

/// The memory that this process has given back to the C library.
public enum FreedMemory {
    /// Whether it can be overwritten: not under a sanitizer, which has an allocator of its own.
    public static var canBeWiped: Bool { linux_can_wipe_freed_memory() != 0 }

    /// Overwrites with zeros all memory that is freed while `body` runs, by any thread: whatever
    /// has held a secret on its way, such as strings, the buffers of a parser, and copies of both.
    public static func wiping<Result, Failure>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        linux_wipe_freed_memory(1)
        defer { linux_wipe_freed_memory(0) }
        return try body()
    }
}
