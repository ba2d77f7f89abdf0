internal import KafkaLogin
internal import Telemetry

/// The tokens of connectors with `kafka_login`.
extension BridgeMetrics {
    /// When the token of each login expires, when it was fetched, and how often that failed.
    func appendLogins(of connectors: [BridgeStatus.Connector], _ page: inout PrometheusText) {
        let logins = connectors.compactMap { connector in
            connector.login.map { (labels: [("connector", connector.name)], figures: $0()) }
        }
        page.append(
            "apns_bridge_kafka_login_token_expiration_timestamp_seconds",
            help: "When the token that Kafka is logged in to with expires, in seconds since 1970.",
            logins.compactMap { labels, figures in
                figures.expiresAt.map { (labels, Gauge(Double($0) / 1000)) }
            })
        page.append(
            "apns_bridge_kafka_login_token_fetched_timestamp_seconds",
            help: "When that token was fetched, in seconds since 1970.",
            logins.compactMap { labels, figures in
                figures.fetchedAt.map { (labels, Gauge(Double($0) / 1000)) }
            })
        page.append(
            "apns_bridge_kafka_login_failures_total",
            help: "How often the source of kafka_login has returned no usable token.",
            logins.map { labels, figures in
                (labels, Self.counter(UInt64(clamping: figures.failures)))
            })
    }
}
