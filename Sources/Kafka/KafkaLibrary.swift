internal import CRDKafka

/// The underlying Kafka library.
public enum KafkaLibrary {
    /// The version of librdkafka that is loaded, as it reports it.
    public static var version: String { unsafe String(cString: rd_kafka_version_str()) }

    /// True if SCRAM works with brokers that check the nonce as RFC 5802 says, as Kafka 4 does.
    ///
    /// Before 2.6.1 the library sent its own nonce twice, which brokers took for a wrong password.
    public static var hasStrictSCRAM: Bool { hasStrictSCRAM(version: rd_kafka_version()) }

    /// The same for a version, as the library encodes it: `0x020601ff` is 2.6.1.
    static func hasStrictSCRAM(version: Int32) -> Bool { version >= 0x0206_0100 }

    /// What the loaded library cannot do and newer ones can; nil if there is nothing.
    public static var lacks: String? { hasStrictSCRAM ? nil : "SCRAM with brokers of Kafka 4" }
}
