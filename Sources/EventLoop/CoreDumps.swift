internal import CLinux

/// Copies of the process's memory, which would hold its signing keys.
public enum CoreDumps {
    /// The environment variable that allows them, for debuggers and sanitizers.
    public static let setting = "APNS_BRIDGE_CORE_DUMPS"

    /// Keeps the kernel from writing the memory of this process to a file, and the other processes
    /// of its user from reading it, unless `environment` has ``setting`` with the value `1`.
    ///
    /// Source: prctl(2), `PR_SET_DUMPABLE`.
    public static func disable(unless environment: [String: String]) {
        if environment[setting] != "1" { areEnabled = false }
    }

    /// Whether the memory of this process may be written and read.
    static var areEnabled: Bool {
        get { linux_is_dumpable() != 0 }
        set { linux_set_dumpable(newValue ? 1 : 0) }
    }
}
