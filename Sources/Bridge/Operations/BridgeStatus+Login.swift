internal import KafkaLogin

extension BridgeStatus.Connector {
    /// How long a source may return no token before that is a problem, in milliseconds; the alert
    /// waits as long.
    static let toleratedLoginTrouble: Int64 = 60_000
    /// A token that is valid for longer leaves time to fix its source, in milliseconds; the alert
    /// has the same limit.
    static let unhurriedLogin: Int64 = 3_600_000

    /// The same with what its login says now, whatever becomes of it later.
    var asRead: Self {
        var read = self
        if let figures = login?() { read.login = { figures } }
        return read
    }

    /// The token of its login cannot be renewed, and expires within an hour or has expired;
    /// `wallClock` is in milliseconds since 1970.
    func loginProblem(at wallClock: Int64) -> StatusProblem? {
        guard let figures = login?(), let trouble = figures.trouble else { return nil }
        let age = wallClock - trouble.since
        // A clock that was set back hides nothing.
        guard age < 0 || age >= Self.toleratedLoginTrouble else { return nil }
        let rest = figures.expiresAt.map { $0 - wallClock } ?? 0
        guard rest <= Self.unhurriedLogin else { return nil }
        return StatusProblem(
            kind: .loginToken, connector: name, seconds: max(0, age) / 1000,
            message: "the Kafka login token cannot be renewed",
            remedy: "Check kafka_login and its source of tokens: 'apns-bridge doctor' asks it. The"
                + " last attempt: \(trouble.detail). \(Self.urgency(rest))")
    }

    private static func urgency(_ rest: Int64) -> String {
        let end = "Nothing is lost, and the source is asked again at least twice a minute."
        guard rest > 0 else { return "Without a token no broker can be reached. \(end)" }
        return "The current token is valid for another \(rest / 1000) s; then no broker can be"
            + " reached. \(end)"
    }
}
