internal import Encoding

/// How a simulator deviates from judging: scripted responses, and faults of connections.
///
/// It is a stateless plan; ``ScenarioRun`` executes it.
public struct Scenario: Equatable, Sendable {
    /// The responses, in order: the first match counts.
    public let responses: [ScriptedResponse]
    /// The faults of connections; all that match happen.
    public var faults: [ScriptedFault] = []
    /// The latency of responses that do not set one.
    public var latency: Latency = 0
    /// The network round-trip time, in milliseconds.
    public var roundTrip = 0
    /// The settings announced to new connections, if they differ from the defaults.
    public var settings = ScenarioSettings()
    /// The seed of its randomness.
    public var seed: UInt64 = 1
    /// A one-line description.
    public var summary = ""
    /// The name of a built-in scenario, or the path of a file; empty for any other.
    public var name = ""
    /// For each first byte of a device token, whether any response may match.
    private let isScripted: [Bool]

    /// Creates a scenario with only these responses.
    public init(responses: [ScriptedResponse] = []) {
        self.responses = responses
        var isScripted = [Bool](repeating: false, count: 256)
        for response in responses where response.channelPrefix == nil {
            for byte in 0..<256 where Self.couldBegin(response.tokenPrefix, with: UInt8(byte)) {
                isScripted[byte] = true
            }
        }
        self.isScripted = isScripted
    }

    /// Accepts every valid push.
    public static let acceptsAll = Scenario(responses: [])

    /// The default scenario.
    public static let builtIn = Scenario(responses: [
        ScriptedResponse(
            tokenPrefix: "dead", status: 410, reason: "Unregistered",
            timestamp: .ago(milliseconds: 86_400_000)),
        ScriptedResponse(
            tokenPrefix: "4100", status: 410, reason: "ExpiredToken",
            timestamp: .ago(milliseconds: 86_400_000)),
        ScriptedResponse(tokenPrefix: "bad0", status: 400, reason: "BadDeviceToken"),
        ScriptedResponse(tokenPrefix: "bad1", status: 400, reason: "DeviceTokenNotForTopic"),
        ScriptedResponse(tokenPrefix: "4030", status: 403, reason: "Forbidden"),
        ScriptedResponse(tokenPrefix: "4290", status: 429, reason: "TooManyRequests", attempts: 2),
        ScriptedResponse(tokenPrefix: "4291", status: 429, reason: "TooManyRequests"),
        ScriptedResponse(
            tokenPrefix: "5000", status: 500, reason: "InternalServerError", attempts: 2),
        ScriptedResponse(tokenPrefix: "5001", status: 500, reason: "InternalServerError"),
        ScriptedResponse(
            tokenPrefix: "5030", status: 503, reason: "ServiceUnavailable", attempts: 2),
        ScriptedResponse(tokenPrefix: "5031", status: 503, reason: "ServiceUnavailable"),
        ScriptedResponse(tokenPrefix: "5100", latency: 1000),
        ScriptedResponse(tokenPrefix: "1050", attempts: 1, isLost: true),
    ])

    /// Whether a response may match a device token: a fast no for almost all.
    func mayRespond(_ token: ArraySlice<UInt8>) -> Bool {
        guard token.count >= 2, let high = Hexadecimal.value(of: token[token.startIndex]),
            let low = Hexadecimal.value(of: token[token.startIndex + 1])
        else { return false }
        return isScripted[Int(high << 4 | low)]
    }

    /// The handshake failures that need their own certificates.
    var tlsFaults: [TLSFault] {
        faults.compactMap { fault in
            guard case .state(.tls(let kind)) = fault.effect, kind.reply == nil else { return nil }
            return kind
        }
    }

    private static func couldBegin(_ prefix: [UInt8], with byte: UInt8) -> Bool {
        let nibbles = [byte >> 4, byte & 15]
        return zip(prefix, nibbles).allSatisfy { Hexadecimal.value(of: $0) == $1 }
    }
}

/// A simulator's settings for new connections; nil means the default.
public struct ScenarioSettings: Equatable, Sendable {
    /// How many streams a connection may open before its first valid request.
    public var firstStreamLimit: Int?
    /// How many streams a connection may open afterwards.
    public var streamLimit: Int?
    /// The window size of each stream.
    public var streamWindow: Int?
    /// The size of the table that the client's field compression may use.
    public var headerTableSize: Int?
    /// How long a client may be silent before it gets a GOAWAY, in milliseconds.
    public var idleTimeout: Int?
    /// How many connections may be opened per minute; nil for no limit.
    public var connectionsPerMinute: Int?
    /// The limit at which a body is rejected before its end; nil for Apple's limits.
    public var payloadLimit: Int?
    /// Whether apps may broadcast; nil for yes.
    public var broadcast: Bool?

    /// Creates the default settings.
    public init() {}
}
