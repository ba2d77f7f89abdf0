internal import Delivery
internal import Kafka
internal import Telemetry

/// What a login knows of its token, when it asks for the next one, and what becomes of a response:
/// without a clock, a thread or a network of its own.
struct TokenRenewal: Sendable {
    /// When it asks.
    var pace = TokenPace()
    /// What metrics and the status say about it.
    private(set) var figures = LoginFigures()
    private var notices = LoginNotices()
    private var current: FetchedToken?

    /// Who was asked for a token, and when.
    struct Request: Sendable {
        /// Where the token comes from.
        var source: String
        /// How long to wait at most before the source is asked again.
        var maxWait: Duration
        /// When it was asked: a response may be late, and its token has aged by then.
        var time: Instant
        /// The same in milliseconds since 1970.
        var wallClock: Int64
        /// What the broker receives beside the token.
        var extensions: [KafkaProperties.Property] = []
    }

    /// The source has responded; `shares` are the part of a token's life after which it is renewed,
    /// and the part of a pause that is waited after a failure.
    ///
    /// `offer` gives a new token to the clients and returns what is wrong with it. The result is
    /// the error that the clients get when there is no valid token; nil while there is one.
    mutating func finish(
        _ response: Result<FetchedToken, TokenFault>, _ request: Request,
        shares: (life: Double, pause: Double), now: Instant, logger: Logger?,
        offer: (LoginToken) -> String?
    ) -> String? {
        do throws(TokenFault) {
            let token = try response.get()
            try use(token, request, logger, offer)
            pace.fetched(
                life: token.life, share: shares.life, maxWait: request.maxWait,
                now: request.time)
            return nil
        } catch {
            figures.failed(error.detail, at: request.wallClock)
            pace.failed(share: shares.pause, now: now)
            let rest = pace.isValid(at: now) ? pace.expires.map { $0 - now } : nil
            notices.failed(error, request.source, rest: rest, logger)
            guard rest == nil else { return nil }
            current = nil
            let isPassing = if case .unavailable = error { true } else { false }
            return isPassing ? "\(LoginTokens.unavailableMessage): \(error.detail)" : error.detail
        }
    }

    private mutating func use(
        _ token: FetchedToken, _ request: Request, _ logger: Logger?,
        _ offer: (LoginToken) -> String?
    ) throws(TokenFault) {
        // A file is read again and again: its token is often the same.
        if token.value != current?.value || pace.failures > 0 {
            let problem = offer(
                LoginToken(
                    value: token.value,
                    expires: request.wallClock + Int64(token.life / .milliseconds(1)),
                    extensions: request.extensions))
            if let problem { throw .refused("\(request.source): \(problem)") }
            notices.fetched(token, request.source, logger)
        }
        current = token
        figures.fetched(life: token.life, at: request.wallClock)
    }
}
