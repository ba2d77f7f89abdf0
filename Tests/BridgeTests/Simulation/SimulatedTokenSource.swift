import Delivery

@testable import KafkaLogin

/// Where a bridge in a simulated world gets its login tokens, and what brokers think of them.
protocol SimulatedTokenSource: AnyObject {
    /// What the bridge knows of its source.
    var request: TokenRequest { get }
    /// The source as the bridge names it.
    var name: String { get }
    /// The bridge asks now, at a time on its wall clock in milliseconds since 1970.
    func ask(wallClock: Int64) -> SimulatedTokenResult
    /// A broker has rejected a token.
    func rejected()
    /// What brokers know of a token; nil for one that nobody has issued.
    func issued(_ token: String) -> SimulatedToken?
    /// Does something else from now on, which a seed decides.
    func change()
    /// Works from now on.
    func heal()
}

/// What the bridge makes of a response, and how long that takes.
struct SimulatedTokenResult {
    var result: Result<FetchedToken, TokenFault>
    var delay: Duration
}

/// A token, or a key with which tokens are signed, as those see it who check it.
struct SimulatedToken {
    var issued: Instant
    var validUntil: Instant
}
