internal import CRDKafka
internal import Delivery
internal import Synchronization

/// Whether any broker can be reached.
///
/// The library reports when its last connection breaks, which may be repaired at once, and never
/// when one is open again. From that report on this thread asks for metadata until a broker
/// responds.
extension ConsumerHelper {
    /// How long a request for metadata waits for a broker, in milliseconds.
    static let metadataPatience: Int32 = 500

    /// The library has no connection left; `words` are its report, such as `3/3 brokers are down`.
    func suspectOutage(_ words: String, _ detail: String) {
        state.withLock { state in
            let count = state.brokers ?? words.split(separator: "/").first.flatMap { Int($0) }
            state.suspected = KafkaOutage(brokers: count ?? 0, detail: detail)
        }
        bell.signal()
    }

    /// The outage that lasts; nil while a broker can be reached.
    var outage: KafkaOutage? { state.withLock { $0.outage } }

    /// While an outage is suspected or lasts, asks whether a broker responds.
    func checkOutage() {
        guard state.withLock({ $0.suspected != nil }) else { return }
        let count = askBrokers()
        state.withLock { state in
            if let count {
                state.brokers = count
                state.suspected = nil
                state.outage = nil
            } else {
                state.outage = state.suspected
            }
        }
    }

    /// Learns the number of brokers while they respond.
    func learnBrokers() {
        guard state.withLock({ $0.brokers == nil && $0.suspected == nil }) else { return }
        let count = askBrokers()
        state.withLock { $0.brokers = count }
    }

    /// The number of brokers; nil when none responds in time.
    private func askBrokers() -> Int? {
        var metadata: UnsafePointer<rd_kafka_metadata>?
        let error = unsafe rd_kafka_metadata(
            client.pointer, 0, nil, &metadata, Self.metadataPatience)
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR, let metadata = unsafe metadata else {
            return nil
        }
        defer { unsafe rd_kafka_metadata_destroy(metadata) }
        return unsafe Int(metadata.pointee.broker_cnt)
    }
}
