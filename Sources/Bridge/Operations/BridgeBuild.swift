internal import JSON
public import Telemetry

/// What this program was built from, and the Kafka library that it has loaded.
public struct BridgeBuild: Equatable, Sendable {
    /// The product's version, such as `1.0.0`.
    public var version: String
    /// The commit in hexadecimal digits; `unknown` after a plain `swift build`.
    public var commit: String
    /// What the files were, compared with the commit: `clean`, `changed` or `unknown`.
    public var tree: String
    /// The version of the compiler.
    public var swift: String
    /// The version of the loaded librdkafka.
    public var librdkafka: String
    /// What that library cannot do and newer ones can; `nothing` if it lacks nothing.
    public var librdkafkaLacks: String

    /// Describes a build.
    public init(
        version: String, commit: String, tree: String, swift: String, librdkafka: String,
        librdkafkaLacks: String
    ) {
        self.version = version
        self.commit = commit
        self.tree = tree
        self.swift = swift
        self.librdkafka = librdkafka
        self.librdkafkaLacks = librdkafkaLacks
    }

    /// Names and values, in the order of `apns-bridge version`.
    public var parts: [(name: String, value: String)] {
        labels + [("librdkafka_lacks", librdkafkaLacks)]
    }

    /// The parts that a metric shows.
    var labels: PrometheusText.Labels {
        [
            ("version", version), ("commit", commit), ("tree", tree), ("swift", swift),
            ("librdkafka", librdkafka),
        ]
    }

    /// The fields of the first line of the log.
    public var metadata: Logger.Metadata {
        Dictionary(uniqueKeysWithValues: parts.map { ($0.name, .string($0.value)) })
    }

    /// Writes an object with all parts.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        for part in parts {
            writer.name(part.name)
            writer.string(part.value)
        }
        writer.endObject()
    }
}
