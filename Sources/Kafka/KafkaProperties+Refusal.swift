extension KafkaProperties {
    /// Why a property is refused with any value; nil when it is not.
    ///
    /// These would break a guarantee of the bridge, or are set elsewhere in the connector file.
    public static func refusal(of name: String) -> String? {
        if let reason = refused[name] { return reason }
        if name.hasSuffix("_cb") || pointers.contains(name) {
            return "can only be set by C code: remove it"
        }
        return nil
    }

    /// Why a property is refused with this value; nil when it is not.
    public static func refusal(of name: String, value: String) -> String? {
        if name == "partition.assignment.strategy", value != "cooperative-sticky" {
            return "must be cooperative-sticky, which is the default: with any other strategy a"
                + " rebalance stops every partition"
        }
        if name == "ssl.providers" {
            let providers = value.split { $0 == "," || $0 == " " }
            guard let other = providers.first(where: { !openSSLProviders.contains($0) }) else {
                return nil
            }
            return "loads external code, the provider '\(other)': write default, legacy or fips"
        }
        return refusal(of: name)
    }

    /// The providers that ship with OpenSSL; any other name is a library to load.
    private static let openSSLProviders: Set<Substring> = ["default", "legacy", "base", "fips"]

    private static let offsets =
        "would commit records that have no outcome yet: the bridge commits offsets itself; remove"
        + " it"
    private static let loss =
        "would lose outcomes: the bridge always waits for all in-sync replicas; remove it"
    private static let transactions =
        "belongs to transactions, which the bridge does not use: remove it"

    private static let foreignCode = "loads external code into the process: remove it"

    private static let refused: [String: String] = [
        "plugin.library.paths": foreignCode,
        "ssl.engine.location": foreignCode,
        "ssl.engine.id": foreignCode,
        "enable.auto.commit": offsets,
        "auto.commit.enable": offsets,
        "enable.auto.offset.store": offsets,
        "auto.commit.interval.ms": offsets,
        "offset.store.method": offsets,
        "offset.store.path": offsets,
        "offset.store.sync.interval.ms": offsets,
        "group.id": "is set by source.group: remove it here",
        "auto.offset.reset": "is set by source.start: remove it here",
        "acks": loss,
        "request.required.acks": loss,
        "enable.idempotence":
            "must stay on, or outcomes could be stored twice or out of order: remove it",
        "delivery.report.only.error":
            "would hide acknowledgements, so that no offset could be committed: remove it",
        "transactional.id": transactions,
        "transaction.timeout.ms": transactions,
        "enable.partition.eof": "has no effect here: remove it",
        "log.queue": "is set by the bridge, so that Kafka's lines go to its log: remove it",
        "test.mock.num.brokers": "replaces Kafka with a mock: set bootstrap.servers instead",
        "test.mock.broker.rtt": "belongs to the mock cluster: remove it",
        "consume.callback.max.messages": "has no effect here: remove it",
    ]

    private static let pointers: Set<String> = [
        "opaque", "default_topic_conf", "enabled_events", "ssl_engine_callback_data",
        "interceptors", "ssl_certificate", "ssl_ca", "ssl_key",
    ]
}
