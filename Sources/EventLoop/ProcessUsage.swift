internal import CLinux

/// The resources that this process uses.
public enum ProcessUsage {
    /// Processor time in seconds, user and system.
    public static var processorSeconds: Double {
        Double(linux_processor_microseconds()) / 1_000_000
    }

    /// Resident memory in bytes; nil when unknown.
    public static var residentBytes: Int64? {
        let bytes = linux_resident_bytes()
        return bytes < 0 ? nil : bytes
    }
}
