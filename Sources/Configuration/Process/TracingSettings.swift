/// `telemetry.otlp` and `telemetry.sample`: where spans of pushes are sent, and of how many.
public struct TracingSettings: Equatable, Sendable {
    /// The URL that they are sent to, with its path.
    public var url: String
    /// The share of pushes without a `traceparent` that are traced, 0 to 1.
    public var sample: Double

    /// Creates the settings.
    public init(url: String, sample: Double = Self.standardSample) {
        self.url = url
        self.sample = sample
    }

    /// The share unless it is set.
    public static let standardSample = 0.01
}

/// Reads the URL of a collector. No message quotes any of it: it may contain a secret.
enum CollectorURL {
    /// The path of OTLP/HTTP for traces.
    static let path = "/v1/traces"

    private static let form = "write http://HOST:4318\(path) or https://HOST:4318\(path)"

    /// The URL, with OTLP's path where it has none.
    static func read(_ text: String) throws(EndpointText.Failure) -> String {
        let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        let scheme = parts[0].lowercased()
        guard parts.count == 2, scheme == "http" || scheme == "https" else {
            throw EndpointText.Failure(
                message: "'otlp' is not a URL with http or https", remedy: form)
        }
        let rest = parts[1]
        guard rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !rest.contains("#") else {
            throw EndpointText.Failure(
                message: "'otlp' has a character that a URL cannot have",
                remedy: "percent-encode it, or " + form)
        }
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        guard !rest[..<end].contains("@") else {
            throw EndpointText.Failure(
                message: "'otlp' contains a user or a password",
                remedy: "send to a collector on this host or network without them, and let it"
                    + " authenticate")
        }
        _ = try EndpointText.hostAndPort(rest[..<end], of: "otlp", scheme: scheme)
        let after = rest[end...]
        guard after.isEmpty || after == "/" else { return text }
        return "\(scheme)://\(rest[..<end])\(path)"
    }
}
