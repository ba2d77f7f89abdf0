// swift-tools-version: 6.2
import PackageDescription

// One array for every Swift target. What each switch does:
// strict memory safety: https://www.swift.org/swift-evolution/#?proposal=SE-0458
// upcoming features: https://www.swift.org/swift-evolution/#?upcoming=true
let settings: [SwiftSetting] = [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

func module(
    _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [],
    resources: [Resource]? = nil
) -> Target {
    .target(
        name: name, dependencies: dependencies, exclude: exclude, resources: resources,
        swiftSettings: settings)
}

func tests(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

func system(_ name: String, _ pkgConfig: String, _ debian: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig,
        providers: [.apt([debian])])
}

let package = Package(
    name: "apns-bridge",
    products: [
        .executable(name: "apns-bridge", targets: ["apns-bridge"]),
        .library(name: "APNsSimulator", targets: ["APNsSimulator"]),
        .library(name: "BridgeTesting", targets: ["BridgeTesting"]),
    ],
    targets: [
        // The C libraries, as found on the system.
        .target(name: "CLinux", path: "Sources/System/CLinux"),
        .target(name: "CVector", path: "Sources/System/CVector"),
        system("CRDKafka", "rdkafka", "librdkafka-dev"),
        system("CNGHTTP2", "libnghttp2", "libnghttp2-dev"),
        system("COpenSSL", "openssl", "libssl-dev"),
        system("CYAML", "yaml-0.1", "libyaml-dev"),
        system("CMicroHTTPD", "libmicrohttpd", "libmicrohttpd-dev"),
        system("CCURL", "libcurl", "libcurl4-openssl-dev"),
        // C++, behind functions in C; the library is looked up when the program runs.
        .target(name: "CCCTZ", path: "Sources/System/CCCTZ"),
        // C++, behind functions in C as well.
        .target(
            name: "CProtobuf", path: "Sources/System/CProtobuf",
            linkerSettings: [.linkedLibrary("protobuf")]),

        // The program, from the ground up.
        module("Encoding"),
        module("Delivery"),
        module("JSON", ["CVector", "Encoding"]),
        module("Avro", ["Encoding", "JSON"]),
        module("Protobuf", ["CProtobuf", "Encoding", "JSON"]),
        module("Telemetry", ["Encoding"]),
        module("Tracing", ["Encoding", "JSON"]),
        module("Spelling"),
        module("Arguments", ["Spelling"]),
        module("YAML", ["CYAML"]),
        module("EventLoop", ["CLinux", "Delivery"]),
        module("Kafka", ["CRDKafka", "CLinux", "Delivery", "EventLoop"]),
        module("TLS", ["COpenSSL"]),
        module("HTTP2", ["CNGHTTP2"]),
        module("AdminServer", ["CMicroHTTPD", "Encoding"]),
        module("HTTPClient", ["CCURL"]),
        module("TimeZones", ["CCCTZ"]),
        module(
            "Mapping",
            ["Avro", "Delivery", "Encoding", "JSON", "Protobuf", "Spelling", "TimeZones"]),
        module("APNs", ["Delivery", "Encoding", "EventLoop", "TLS", "HTTP2", "JSON"]),
        module(
            "APNsSimulator",
            [
                "Delivery", "Encoding", "EventLoop", "TLS", "HTTP2", "JSON", "YAML", "Spelling",
                "Telemetry", "AdminServer",
            ],
            exclude: ["README.md"],
            resources: [.embedInCode("Page"), .embedInCode("Scenarios/Library")]),
        module(
            "Configuration",
            [
                "YAML", "JSON", "Encoding", "Spelling", "Mapping", "Delivery", "Kafka", "TLS",
                "APNs", "EventLoop",
            ]),
        module(
            "SchemaRegistry",
            [
                "Avro", "Configuration", "Delivery", "Encoding", "EventLoop", "HTTPClient", "JSON",
                "Mapping", "Protobuf", "Telemetry",
            ]),
        module(
            "KafkaLogin",
            [
                "Configuration", "Delivery", "Encoding", "EventLoop", "HTTPClient", "JSON",
                "Kafka", "TLS", "Telemetry", "YAML",
            ]),
        module(
            "Engine",
            [
                "Delivery", "Encoding", "JSON", "Mapping", "Configuration", "TLS", "APNs",
                "EventLoop", "Telemetry", "Tracing",
            ],
            resources: [.embedInCode("Schemas")]),
        module(
            "ConnectorTesting",
            [
                "Delivery", "Encoding", "JSON", "YAML", "Spelling", "Mapping", "Configuration",
                "Kafka", "KafkaLogin", "APNs", "Engine", "EventLoop", "SchemaRegistry",
            ]),
        module(
            "LegacyProviders",
            [
                "Delivery", "Encoding", "EventLoop", "TLS", "Kafka", "KafkaLogin", "JSON",
                "Configuration", "Telemetry",
            ]),
        module(
            "Bridge",
            [
                "Delivery", "Mapping", "Telemetry", "EventLoop", "Kafka", "TLS", "APNs",
                "Configuration", "Engine", "Encoding", "YAML", "AdminServer", "JSON",
                "LegacyProviders", "Spelling", "Tracing", "HTTPClient", "KafkaLogin",
                "SchemaRegistry",
            ],
            resources: [.embedInCode("Operations/Page")]),
        module(
            "BridgeTesting",
            ["Delivery", "Encoding", "JSON", "EventLoop", "APNsSimulator", "Telemetry"]),
        .executableTarget(
            name: "apns-bridge",
            dependencies: [
                "Arguments", "Telemetry", "EventLoop", "Delivery", "Encoding", "JSON", "YAML",
                "Spelling", "Kafka", "TLS", "HTTP2", "APNs", "APNsSimulator", "Configuration",
                "Mapping", "Engine", "ConnectorTesting", "Bridge", "AdminServer",
                "LegacyProviders", "HTTPClient", "KafkaLogin", "SchemaRegistry",
            ],
            swiftSettings: settings),

        // What it costs.
        .target(name: "CAllocations", path: "Benchmarks/CAllocations"),
        .executableTarget(
            name: "mapping-benchmark",
            dependencies: [
                "CAllocations", "APNs", "Avro", "Configuration", "Delivery", "HTTP2", "JSON",
                "Mapping", "Protobuf", "YAML",
            ],
            path: "Benchmarks/Mapping",
            exclude: ["orders.json", "avro-orders.avsc", "protobuf-orders.proto"],
            swiftSettings: settings),
        .executableTarget(
            name: "worker-benchmark",
            dependencies: [
                "CAllocations", "APNs", "APNsSimulator", "Bridge", "Configuration", "Delivery",
                "Engine", "EventLoop", "HTTP2", "TLS", "Telemetry", "YAML",
            ],
            path: "Benchmarks/Worker", swiftSettings: settings),

        // What it promises.
        .target(
            name: "Contracts", dependencies: ["Delivery"], path: "Tests/Contracts",
            exclude: ["1.0.0"], swiftSettings: settings),
        tests("EncodingTests", ["Encoding"]),
        tests("DeliveryTests", ["Contracts", "Delivery", "Encoding"]),
        tests("JSONTests", ["JSON", "Encoding"]),
        .target(
            name: "ReferenceRecords", dependencies: ["Encoding", "EventLoop", "JSON"],
            path: "Tests/ReferenceRecords", swiftSettings: settings),
        tests(
            "AvroTests", ["Avro", "JSON", "ReferenceRecords"],
            exclude: ["random_records.py"]),
        tests(
            "ProtobufTests", ["Encoding", "Protobuf", "JSON", "ReferenceRecords"],
            exclude: ["random_messages.py"]),
        tests("TelemetryTests", ["Telemetry"]),
        tests("TracingTests", ["Tracing", "Encoding"]),
        tests("SpellingTests", ["Spelling"]),
        tests("ArgumentsTests", ["Arguments", "Contracts"]),
        tests("YAMLTests", ["YAML", "Encoding"]),
        tests("EventLoopTests", ["EventLoop", "Delivery"]),
        .target(
            name: "KafkaConformance",
            dependencies: ["BridgeTesting", "Delivery", "EventLoop", "Kafka"],
            path: "Tests/KafkaConformance", swiftSettings: settings),
        tests(
            "KafkaTests",
            [
                "Kafka", "KafkaConformance", "BridgeTesting", "CRDKafka", "Delivery", "EventLoop",
            ]),
        tests("TLSTests", ["TLS", "Encoding"]),
        tests("HTTP2Tests", ["HTTP2", "TLS", "Encoding"]),
        tests("AdminServerTests", ["AdminServer"]),
        tests("HTTPClientTests", ["HTTPClient", "AdminServer"]),
        tests("TimeZonesTests", ["TimeZones"]),
        tests(
            "SchemaRegistryTests",
            ["Configuration", "Delivery", "HTTPClient", "Mapping", "SchemaRegistry"]),
        tests(
            "KafkaLoginTests",
            [
                "Configuration", "Delivery", "Encoding", "EventLoop", "HTTPClient", "JSON", "Kafka",
                "KafkaLogin", "Telemetry",
            ],
            exclude: ["aws_server.py", "signed_tokens.py"]),
        tests("MappingTests", ["Mapping", "Avro", "Delivery", "JSON", "Protobuf", "TLS"]),
        tests(
            "APNsTests",
            [
                "APNs", "Delivery", "Encoding", "EventLoop", "TLS", "HTTP2", "APNsSimulator",
                "BridgeTesting",
            ]),
        tests(
            "APNsSimulatorTests",
            [
                "APNsSimulator", "Delivery", "Encoding", "EventLoop", "TLS", "HTTP2", "JSON",
                "AdminServer",
            ]),
        tests(
            "ConfigurationTests",
            [
                "Configuration", "Contracts", "Encoding", "YAML", "Mapping", "Delivery", "Kafka",
                "TLS", "APNs",
            ],
            exclude: ["Beginners", "Broken"]),
        .target(
            name: "BridgeSamples",
            dependencies: [
                "APNs", "Configuration", "Delivery", "Engine", "EventLoop", "JSON", "Kafka",
                "Mapping", "TLS",
            ],
            path: "Tests/BridgeSamples", swiftSettings: settings),
        tests(
            "EngineTests",
            [
                "Engine", "Avro", "BridgeSamples", "Contracts", "Delivery", "APNs",
                "Configuration", "JSON", "Mapping", "EventLoop", "TLS", "Telemetry", "Tracing",
                "Encoding",
            ]),
        tests(
            "ConnectorTestingTests",
            [
                "ConnectorTesting", "BridgeSamples", "APNs", "Configuration", "Delivery",
                "Kafka", "Mapping", "TLS",
            ]),
        tests(
            "BridgeTests",
            [
                "Bridge", "Avro", "BridgeSamples", "BridgeTesting", "Contracts", "Delivery",
                "Encoding", "Engine", "EventLoop", "APNs", "APNsSimulator", "Configuration",
                "HTTPClient", "Mapping", "JSON", "Kafka", "KafkaLogin", "Telemetry", "TLS",
                "AdminServer", "Tracing",
            ]),
        tests(
            "LegacyProvidersTests",
            [
                "LegacyProviders", "Configuration", "Contracts", "Delivery", "EventLoop", "Kafka",
                "TLS", "Telemetry",
            ]),
        tests(
            "CommandLineTests",
            [
                "Arguments", "Configuration", "ConnectorTesting", "Contracts", "Kafka", "Delivery",
                "TLS", "APNs", "APNsSimulator", "AdminServer", "Bridge", "Engine", "EventLoop",
                "Telemetry", "apns-bridge",
            ], exclude: ["Clients"]),
        tests(
            "IntegrationTests",
            [
                "Kafka", "KafkaConformance", "BridgeTesting", "CRDKafka", "Delivery", "Encoding",
                "JSON", "APNsSimulator", "TLS", "EventLoop", "apns-bridge",
            ],
            exclude: ["token_server.py"]),
        tests("RepositoryTests", ["Contracts", "EventLoop", "YAML"]),
    ]
)

// What looks for inputs that crash: built only by `make fuzz`, because it needs libFuzzer.
if Context.environment["APNS_BRIDGE_FUZZ"] != nil {
    package.targets += [
        .systemLibrary(name: "CFuzzer", path: "Tests/Fuzzing/CFuzzer"),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "Avro", "CFuzzer", "Configuration", "Delivery", "HTTP2", "JSON", "LegacyProviders",
                "Mapping", "Protobuf", "TLS",
            ],
            path: "Tests/Fuzzing/Targets", swiftSettings: settings),
    ]
}

// To build and run the tests of a few modules only, without what those do not need.
if let chosen = Context.environment["APNS_BRIDGE_TESTS"] {
    let names = Set(chosen.split(separator: " ").map(String.init))
    package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}

// To compile what a push passes through as a release does: the tests then take less time.
if Context.environment["APNS_BRIDGE_OPTIMIZE"] != nil {
    let path: Set = [
        "Delivery", "Encoding", "JSON", "Mapping", "Telemetry", "Tracing", "EventLoop", "TLS",
        "HTTP2", "APNs", "APNsSimulator", "Engine", "Bridge", "BridgeTesting", "RepositoryTests",
    ]
    for target in package.targets where path.contains(target.name) {
        target.swiftSettings = settings + [.unsafeFlags(["-O"])]
    }
}
