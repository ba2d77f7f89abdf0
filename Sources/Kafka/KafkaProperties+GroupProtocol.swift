internal import CRDKafka

extension KafkaProperties {
    /// What the broker decides for a group with `group.protocol: consumer`: the library rejects
    /// some of these there.
    private static let decidedByBroker: Set<String> = [
        "partition.assignment.strategy", "session.timeout.ms", "heartbeat.interval.ms",
        "group.protocol.type",
    ]

    /// Why a property cannot be used with the protocol of groups that these properties choose; nil
    /// when it can.
    func conflictWithGroupProtocol(
        _ name: String, version: Int32 = rd_kafka_version()
    ) -> String? {
        guard self["group.protocol"]?.lowercased() == "consumer" else { return nil }
        if name == "group.protocol", !KafkaLibrary.hasConsumerGroups(version: version) {
            return "'consumer' needs librdkafka 2.12 or newer, and this is"
                + " \(KafkaLibrary.version): remove it"
        }
        guard Self.decidedByBroker.contains(name) else { return nil }
        return "cannot be used with group.protocol: consumer, where the broker decides: remove it"
    }
}
