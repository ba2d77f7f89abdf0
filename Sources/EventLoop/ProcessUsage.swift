internal import CLinux

/// What this process uses of the machine.
public enum ProcessUsage {
    /// Seconds of processor time, user and system.
    public static var processorSeconds: Double {
        Double(linux_processor_microseconds()) / 1_000_000
    }

    /// Bytes of memory; nil when that is not known.
    public static var residentBytes: Int64? {
        let bytes = linux_resident_bytes()
        return bytes < 0 ? nil : bytes
    }
}
