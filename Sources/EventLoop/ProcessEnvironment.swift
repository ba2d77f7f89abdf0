internal import CLinux

/// The environment variables of the process.
public enum ProcessEnvironment {
    /// Every variable by name; the first one counts if a name occurs twice.
    public static var variables: [String: String] {
        var variables: [String: String] = [:]
        guard var pointer = unsafe linux_environment() else { return variables }
        while let entry = unsafe pointer.pointee {
            let pair = unsafe String(cString: entry).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2, variables[String(pair[0])] == nil {
                variables[String(pair[0])] = String(pair[1])
            }
            unsafe pointer = pointer.successor()
        }
        return variables
    }
}
