internal import AdminServer
internal import Arguments
internal import Bridge
internal import EventLoop
internal import HTTP2
internal import HTTPClient
internal import JSON
internal import Kafka
internal import TLS
internal import YAML

/// Prints the versions of the product, the compiler, and the loaded libraries, and the commit.
struct VersionVerb: Verb {
    /// The product's version.
    static let product = "1.0.0"

    static let command = Command(
        "version",
        abstract: "Prints the versions of apns-bridge and of the loaded libraries.",
        examples: ["apns-bridge version", "apns-bridge version --format json"],
        options: [OutputFormat.option])

    static func run(_ parsed: ParsedCommand) async -> ExitCode {
        switch parsed[OutputFormat.option] {
        case .text:
            for (name, version) in parts { Console.output("\(name) \(version)\n") }
        case .json:
            var writer = JSONWriter()
            writer.beginObject()
            for (name, version) in parts {
                writer.name(name)
                writer.string(version)
            }
            writer.endObject()
            Console.output(writer.bytes + [UInt8(ascii: "\n")])
        }
        return .success
    }

    /// What a running bridge says of itself, too.
    static var build: BridgeBuild {
        BridgeBuild(
            version: product, commit: SourceRevision.current.commit,
            tree: SourceRevision.current.tree.rawValue, swift: swift,
            librdkafka: KafkaLibrary.version, librdkafkaLacks: KafkaLibrary.lacks ?? "nothing")
    }

    private static var parts: [(name: String, value: String)] {
        var parts = build.parts
        parts[0].name = "apns-bridge"
        parts.append(("nghttp2", HTTP2Library.version))
        parts.append(("openssl", TLSLibrary.version))
        parts.append(("libyaml", YAMLLibrary.version))
        parts.append(("libmicrohttpd", AdminServerLibrary.version))
        parts.append(("libcurl", HTTPClientLibrary.version))
        return parts
    }

    /// Swift exposes the version of its compiler only in conditions.
    private static var swift: String {
        #if compiler(>=6.5)
            "6.5 or newer"
        #elseif compiler(>=6.4)
            "6.4"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }
}
