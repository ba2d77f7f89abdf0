/// Hosts that are this machine.
public enum Loopback {
    /// True for an address of the loopback network, and for `localhost`.
    ///
    /// A name that only begins like such an address may belong to anybody: `127.0.0.1.example.com`.
    public static func contains(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { (1...3).contains($0.utf8.count) && UInt8($0) != nil }
            && parts.allSatisfy { $0.utf8.allSatisfy(\.isDigit) }
    }
}
