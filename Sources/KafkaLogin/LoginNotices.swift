internal import Telemetry

/// Logs what becomes of the tokens of a login: each trouble once, and its end.
struct LoginNotices {
    private var hasToken = false
    /// The trouble that was logged; empty when there is none.
    private var trouble = ""

    mutating func fetched(_ token: FetchedToken, _ source: String, _ logger: Logger?) {
        let isChanged = !hasToken || !trouble.isEmpty
        hasToken = true
        trouble = ""
        let fields: [String: MetadataValue] = [
            "source": .string(source),
            "expires_in_seconds": .integer(token.life.components.seconds),
        ]
        if isChanged {
            logger?.info("Kafka login token fetched", metadata: fields)
        } else {
            logger?.debug("Kafka login token fetched", metadata: fields)
        }
    }

    /// `rest` is how long the current token is still valid; nil when there is none.
    mutating func failed(
        _ fault: TokenFault, _ source: String, rest: Duration?, _ logger: Logger?
    ) {
        let state = rest == nil ? "none" : "current"
        guard trouble != state + fault.detail else { return }
        trouble = state + fault.detail
        if let rest {
            logger?.warning(
                "Kafka login token not renewed; continuing with the current token",
                metadata: [
                    "source": .string(source), "detail": .string(fault.detail),
                    "expires_in_seconds": .integer(rest.components.seconds),
                    "action": .string(Self.action),
                ])
        } else {
            logger?.error(
                "no Kafka login token",
                metadata: [
                    "source": .string(source), "detail": .string(fault.detail),
                    "action": .string(Self.action),
                ])
        }
    }

    private static let action =
        "check kafka_login, and that its source of tokens runs; it is asked again until it responds"
}
