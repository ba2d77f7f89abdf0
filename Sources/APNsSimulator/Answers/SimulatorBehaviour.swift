/// Which device tokens are answered otherwise than with 200: the first answer that fits counts.
public struct SimulatorBehaviour: Equatable, Sendable {
    /// The answers, in the order in which they are tried.
    public let answers: [ScriptedAnswer]
    /// For each value of a device token's first byte, whether any answer could fit.
    private let isScripted: [Bool]

    /// A behaviour of these answers alone.
    public init(answers: [ScriptedAnswer]) {
        self.answers = answers
        var isScripted = [Bool](repeating: false, count: 256)
        for answer in answers {
            for byte in 0..<256 where Self.couldBegin(answer.tokenPrefix, with: UInt8(byte)) {
                isScripted[byte] = true
            }
        }
        self.isScripted = isScripted
    }

    /// Every push that the judge finds nothing wrong with is accepted.
    public static let acceptsAll = SimulatorBehaviour(answers: [])

    /// The behaviour of a simulator that nobody has told anything else.
    public static let builtIn = SimulatorBehaviour(answers: [
        ScriptedAnswer(
            tokenPrefix: "dead", status: 410, reason: "Unregistered",
            timestamp: .ago(milliseconds: 86_400_000)),
        ScriptedAnswer(tokenPrefix: "4100", status: 410, reason: "ExpiredToken"),
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
        guard token.count >= 2, let high = Bytes.hexValue(token[token.startIndex]),
            let low = Bytes.hexValue(token[token.startIndex + 1])
        else { return false }
        return isScripted[Int(high << 4 | low)]
    }

    /// The first answer that fits the device token at its attempt of that number, from 1.
    func answer(to token: ArraySlice<UInt8>, attempt: Int) -> ScriptedAnswer? {
        answers.first { answer in
            attempt <= answer.attempts ?? .max && Self.begins(token, with: answer.tokenPrefix)
        }
    }

    /// Whether attempts must be counted for a device token.
    func countsAttempts(of token: ArraySlice<UInt8>) -> Bool {
        answers.contains { $0.attempts != nil && Self.begins(token, with: $0.tokenPrefix) }
    }

    private static func begins(_ token: ArraySlice<UInt8>, with prefix: [UInt8]) -> Bool {
        guard token.count >= prefix.count else { return false }
        for (index, digit) in prefix.enumerated() {
            guard Bytes.hexValue(token[token.startIndex + index]) == Bytes.hexValue(digit)
            else { return false }
        }
        return true
    }

    private static func couldBegin(_ prefix: [UInt8], with byte: UInt8) -> Bool {
        let nibbles = [byte >> 4, byte & 15]
        return zip(prefix, nibbles).allSatisfy { Bytes.hexValue($0) == $1 }
    }
}
