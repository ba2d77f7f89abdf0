internal import CLinux

/// The resources that this process uses.
public enum ProcessUsage {
    /// Processor time in seconds, user and system.
    public static var processorSeconds: Double {
        Double(linux_processor_microseconds()) / 1_000_000
    }

    /// How many files and sockets are open; nil when unknown.
    public static var openFiles: Int? {
        let count = linux_open_files()
        return count < 0 ? nil : Int(count)
    }

    /// Resident memory in bytes; nil when unknown.
    public static var residentBytes: Int64? {
        let bytes = linux_resident_bytes()
        return bytes < 0 ? nil : bytes
    }
}
