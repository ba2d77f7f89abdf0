internal import CRDKafka

/// The underlying Kafka library.
public enum KafkaLibrary {
    /// The version of librdkafka that is loaded, as it reports it.
    public static var version: String { unsafe String(cString: rd_kafka_version_str()) }
}
