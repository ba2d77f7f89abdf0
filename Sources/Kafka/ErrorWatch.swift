internal import CRDKafka
internal import Delivery
internal import Glibc

/// Collects the errors that a client reports while its owner waits for a response.
@safe struct ErrorWatch: ~Copyable {
    private let client: Client
    private let queue: OpaquePointer

    init(_ client: Client) {
        self.client = client
        unsafe queue = rd_kafka_queue_get_main(client.pointer)
    }

    deinit { unsafe rd_kafka_queue_destroy(queue) }

    /// Waits for the cluster ID, the first response of a reachable cluster.
    func firstReply(until end: Int, _ operation: String) throws(KafkaFailure) -> String? {
        var reasons: [String] = []
        var code = "_TIMED_OUT"
        repeat {
            if let identity = clusterID(milliseconds: 100) { return identity }
            // The first response may have come in between: then the ID is known by now.
            if hasReply() { return clusterID(milliseconds: 0) }
            while let failure = next() {
                if failure.code == RD_KAFKA_RESP_ERR__AUTHENTICATION
                    && !isLostConnection(failure.code, failure.reason)
                    || failure.code == RD_KAFKA_RESP_ERR__SSL
                {
                    throw KafkaFailure(failure.code, operation, detail: failure.reason)
                }
                guard failure.code != RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN else { continue }
                code = errorName(
                    isLostConnection(failure.code, failure.reason)
                        ? RD_KAFKA_RESP_ERR__TRANSPORT : failure.code)
                if !reasons.contains(failure.reason), reasons.count < 8 {
                    reasons.append(failure.reason)
                }
            }
        } while milliseconds() < end
        let detail = reasons.isEmpty ? "no response in time" : reasons.joined(separator: "; ")
        throw KafkaFailure(code: code, operation: operation, detail: detail)
    }

    private func clusterID(milliseconds: Int32) -> String? {
        guard let identity = unsafe rd_kafka_clusterid(client.pointer, milliseconds) else {
            return nil
        }
        defer { unsafe rd_kafka_mem_free(client.pointer, identity) }
        return unsafe String(cString: identity)
    }

    /// True when a broker responded, even if it has no cluster ID.
    private func hasReply() -> Bool {
        var metadata: UnsafePointer<rd_kafka_metadata>?
        guard
            unsafe rd_kafka_metadata(client.pointer, 0, nil, &metadata, 100)
                == RD_KAFKA_RESP_ERR_NO_ERROR
        else { return false }
        unsafe rd_kafka_metadata_destroy(metadata)
        return true
    }

    /// The same failure, with the errors that the client reported meanwhile.
    func explain(_ failure: KafkaFailure) -> KafkaFailure {
        guard let said = next() else { return failure }
        var failure = failure
        failure.detail += ": " + said.reason
        return failure
    }

    private func next() -> (code: rd_kafka_resp_err_t, reason: String)? {
        while let event = unsafe rd_kafka_queue_poll(queue, 0) {
            defer { unsafe rd_kafka_event_destroy(event) }
            guard unsafe rd_kafka_event_type(event) == RD_KAFKA_EVENT_ERROR else { continue }
            return unsafe (
                rd_kafka_event_error(event),
                readableMessage(String(cString: rd_kafka_event_error_string(event)))
            )
        }
        return nil
    }
}

/// Monotonic milliseconds.
func milliseconds() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
}
