internal import YAML

/// The key `version`: the major version of apns-bridge whose keys a file uses.
enum FileVersion {
    /// The version that this release reads.
    static let current = 1

    /// The key, in each kind of file.
    static let key = ConnectorKey(
        "version", .choice([current]),
        "The major version of apns-bridge whose keys this file uses.", example: "\(current)",
        standard: "\(current)")

    /// False for a file of a newer version, which is then all that is reported: what else such a
    /// file says may have another meaning.
    static func isReadable(_ root: YAMLNode, _ findings: Findings) -> Bool {
        guard let node = root["version"], let text = node.text, let version = major(text),
            version > current
        else { return true }
        findings.error(
            node, "'version: \(text)' is newer than this release reads, which is \(current)",
            "use apns-bridge \(version).x, or write version: \(current) and only keys of"
                + " apns-bridge \(current).x")
        return false
    }

    /// The first number of a version, which may also be written as that of a release: `2.0.0`.
    private static func major(_ text: String) -> Int? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 3, parts.allSatisfy({ Int($0) != nil }) else { return nil }
        return parts.first.flatMap { Int($0) }
    }
}
