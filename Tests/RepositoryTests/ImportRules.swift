/// Which module may import which: what its target declares in `Package.swift`, and of the toolchain
/// no more than it needs. The package manager prevents cycles.
enum ImportRules {
    /// What comes with the toolchain and any module but the pure ones may use.
    static let platform: Set<String> = ["Glibc", "Synchronization"]

    /// Modules that use nothing of the system.
    static let pure: Set<String> = ["Delivery", "Encoding"]

    /// Modules of the control plane, which may also use `FoundationEssentials`.
    static let controlPlane: Set<String> = [
        "APNsSimulator", "Bridge", "BridgeTesting", "Configuration", "ConnectorTesting",
        "apns-bridge",
    ]

    /// What comes with the toolchain.
    static let toolchain: Set<String> = platform.union([
        "Foundation", "FoundationEssentials", "Testing", "PackageDescription",
    ])

    /// Every import that a target does not declare, or declares wrongly.
    static func offences(of target: Manifest.Target, in files: [SwiftFile]) -> [String] {
        // A module is imported by the name of its target, with '_' for what no identifier can have.
        let declared = Set(target.dependencies.map { $0.replacing("-", with: "_") })
        let allowed = declared.union(platform(of: target))
        var used: Set<String> = []
        var offences: [String] = []
        for file in files {
            for (index, name) in imports(of: file) {
                used.insert(name)
                if allowed.contains(name) { continue }
                offences.append(file.offence(index, "\(target.name) does not declare \(name)"))
            }
        }
        for name in declared.subtracting(used).sorted() where !isProgram(name, of: target) {
            offences.append("Package.swift: \(target.name) declares \(name) and never imports it")
        }
        return offences
    }

    /// Tests start the program: it must be built, and is not imported.
    private static func isProgram(_ name: String, of target: Manifest.Target) -> Bool {
        target.kind == .tests && name == "apns_bridge"
    }

    private static func platform(of target: Manifest.Target) -> Set<String> {
        guard target.path.hasPrefix("Sources/") else { return toolchain }
        if pure.contains(target.name) { return [] }
        return controlPlane.contains(target.name)
            ? platform.union(["FoundationEssentials"]) : platform
    }

    /// The imported modules with their lines, counted from 0.
    static func imports(of file: SwiftFile) -> [(Int, String)] {
        file.code.enumerated().compactMap { index, line -> (Int, String)? in
            guard line.contains("import") else { return nil }
            let words = line.split(separator: " ").map(String.init)
            guard let location = words.firstIndex(of: "import"), location < words.count - 1,
                words[..<location].allSatisfy({ $0.hasPrefix("@") || access.contains($0) })
            else { return nil }
            let kinds = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
            let name = words.dropFirst(location + 1).first { !kinds.contains($0) } ?? ""
            return (index, String(name.split(separator: ".").first ?? ""))
        }
    }

    private static let access = ["public", "package", "internal", "fileprivate", "private"]
}
