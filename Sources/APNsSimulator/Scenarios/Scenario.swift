internal import Encoding

/// What a simulator does besides judging: how pushes are answered, and what befalls connections.
///
/// It is a plan without a state; ``ScenarioRun`` is its performance.
public struct Scenario: Equatable, Sendable {
    /// The answers, in the order in which they are tried: the first that fits counts.
    public let answers: [ScriptedAnswer]
    /// What befalls connections; all that fit happen.
    public var faults: [ScriptedFault] = []
    /// How long an answer takes that says nothing about it.
    public var latency: Latency = 0
    /// How long a byte takes to the simulator and its answer back, in milliseconds.
    public var roundTrip = 0
    /// What is announced to a new connection, where it is not as usual.
    public var settings = ScenarioSettings()
    /// What makes its chance repeatable.
    public var seed: UInt64 = 1
    /// What it is about, in one line.
    public var summary = ""
    /// For each value of a device token's first byte, whether any answer could fit.
    private let isScripted: [Bool]

    /// A scenario of these answers alone.
    public init(answers: [ScriptedAnswer] = []) {
        self.answers = answers
        var isScripted = [Bool](repeating: false, count: 256)
        for answer in answers where answer.channelPrefix == nil {
            for byte in 0..<256 where Self.couldBegin(answer.tokenPrefix, with: UInt8(byte)) {
                isScripted[byte] = true
            }
        }
        self.isScripted = isScripted
    }

    /// Every push that the judge finds nothing wrong with is accepted.
    public static let acceptsAll = Scenario(answers: [])

    /// What a simulator does that nobody has told anything else.
    public static let builtIn = Scenario(answers: [
        ScriptedAnswer(
            tokenPrefix: "dead", status: 410, reason: "Unregistered",
            timestamp: .ago(milliseconds: 86_400_000)),
        ScriptedAnswer(
            tokenPrefix: "4100", status: 410, reason: "ExpiredToken",
            timestamp: .ago(milliseconds: 86_400_000)),
        ScriptedAnswer(tokenPrefix: "bad0", status: 400, reason: "BadDeviceToken"),
        ScriptedAnswer(tokenPrefix: "bad1", status: 400, reason: "DeviceTokenNotForTopic"),
        ScriptedAnswer(tokenPrefix: "4030", status: 403, reason: "Forbidden"),
        ScriptedAnswer(tokenPrefix: "4290", status: 429, reason: "TooManyRequests", attempts: 2),
        ScriptedAnswer(tokenPrefix: "4291", status: 429, reason: "TooManyRequests"),
        ScriptedAnswer(
            tokenPrefix: "5000", status: 500, reason: "InternalServerError", attempts: 2),
        ScriptedAnswer(tokenPrefix: "5001", status: 500, reason: "InternalServerError"),
        ScriptedAnswer(
            tokenPrefix: "5030", status: 503, reason: "ServiceUnavailable", attempts: 2),
        ScriptedAnswer(tokenPrefix: "5031", status: 503, reason: "ServiceUnavailable"),
        ScriptedAnswer(tokenPrefix: "5100", latency: 1000),
        ScriptedAnswer(tokenPrefix: "1050", attempts: 1, isLost: true),
    ])

    /// Whether an answer could fit a device token: a quick no for almost all.
    func mayAnswer(_ token: ArraySlice<UInt8>) -> Bool {
        guard token.count >= 2, let high = Hexadecimal.value(of: token[token.startIndex]),
            let low = Hexadecimal.value(of: token[token.startIndex + 1])
        else { return false }
        return isScripted[Int(high << 4 | low)]
    }

    /// The ways in which handshakes fail that need a certificate of their own.
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

/// What a simulator announces to a new connection and grants it; nil is as usual.
public struct ScenarioSettings: Equatable, Sendable {
    /// How many streams a connection may open before its first good request.
    public var firstStreamLimit: Int?
    /// How many streams a connection may open after it.
    public var streamLimit: Int?
    /// The window of each stream.
    public var streamWindow: Int?
    /// The size of the table that the client's field compression may use.
    public var headerTableSize: Int?
    /// How long a client may say nothing until it is told to go, in milliseconds.
    public var idleTimeout: Int?
    /// How many connections may be opened within a minute; nil for as many as come.
    public var connectionsPerMinute: Int?
    /// Bodies of more bytes are refused before they end; nil for Apple's limits.
    public var payloadLimit: Int?
    /// Whether apps may broadcast; nil for yes.
    public var broadcast: Bool?

    /// Everything as usual.
    public init() {}
}
