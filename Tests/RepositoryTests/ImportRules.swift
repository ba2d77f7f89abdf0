/// Which module may import which: the arrows of the house, all pointing down.
enum ImportRules {
    /// What comes with the toolchain and any module but `Delivery` may use.
    static let platform: Set<String> = ["Glibc", "Synchronization"]

    /// Modules of the control plane, which may also use `FoundationEssentials`.
    static let controlPlane: Set<String> = [
        "APNsSimulator", "Bridge", "BridgeTesting", "Configuration", "apns-bridge",
    ]

    static let allowed: [String: Set<String>] = {
        var table: [String: Set<String>] = [
            "Delivery": [], "JSON": [], "Telemetry": [], "Spelling": [],
            "Arguments": ["Spelling"],
            "YAML": ["CYAML"],
            "TimeZones": ["CCCTZ"],
            "Mapping": ["Delivery", "JSON", "Spelling", "TimeZones"],
            "EventLoop": ["CLinux"],
            "Kafka": ["CRDKafka", "CLinux", "Delivery"],
            "TLS": ["COpenSSL"],
            "HTTP2": ["CNGHTTP2"],
            "AdminServer": ["CMicroHTTPD"],
            "APNs": ["Delivery", "EventLoop", "TLS", "HTTP2", "JSON"],
            "APNsSimulator": [
                "EventLoop", "TLS", "HTTP2", "Delivery", "JSON", "YAML", "Spelling", "Telemetry",
                "AdminServer",
            ],
            "Configuration": [
                "YAML", "Spelling", "Mapping", "Delivery", "Kafka", "TLS", "APNs",
            ],
        ]
        let below: Set<String> = [
            "Delivery", "JSON", "YAML", "Spelling", "TimeZones", "Mapping", "Telemetry",
            "EventLoop", "Kafka", "TLS", "HTTP2", "APNs", "Configuration", "AdminServer",
        ]
        table["Bridge"] = below
        table["LegacyProviders"] = [
            "Delivery", "EventLoop", "TLS", "Kafka", "JSON", "Configuration", "Telemetry",
        ]
        table["BridgeTesting"] = below.union(["APNsSimulator", "Bridge"])
        table["apns-bridge"] = below.union([
            "APNsSimulator", "Bridge", "LegacyProviders", "Arguments",
        ])
        return table
    }()

    /// Every import that points the wrong way.
    static func offences(in file: SwiftFile) -> [String] {
        guard let allowed = allowed[file.module] else {
            return ["\(file.path):1: the module '\(file.module)' is not in the table of imports"]
        }
        let all = file.module == "Delivery" ? allowed : allowed.union(platform)
        let extra: Set = controlPlane.contains(file.module) ? ["FoundationEssentials"] : []
        return imports(of: file).compactMap { index, name in
            if all.union(extra).contains(name) { return nil }
            return file.offence(index, "\(file.module) may not import \(name)")
        }
    }

    /// The imported modules with the lines where they stand, counted from 0.
    static func imports(of file: SwiftFile) -> [(Int, String)] {
        file.code.enumerated().compactMap { index, line -> (Int, String)? in
            guard line.contains("import") else { return nil }
            let words = line.split(separator: " ").map(String.init)
            guard let place = words.firstIndex(of: "import"), place < words.count - 1,
                words[..<place].allSatisfy({ $0.hasPrefix("@") || access.contains($0) })
            else { return nil }
            let kinds = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
            let name = words.dropFirst(place + 1).first { !kinds.contains($0) } ?? ""
            return (index, String(name.split(separator: ".").first ?? ""))
        }
    }

    private static let access = ["public", "package", "internal", "fileprivate", "private"]
}
