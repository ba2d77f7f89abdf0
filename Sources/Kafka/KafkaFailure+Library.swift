internal import CRDKafka
internal import Delivery

extension KafkaFailure {
    /// True when the broker refused the metadata of a commit.
    var isAboutMetadata: Bool { code == errorName(RD_KAFKA_RESP_ERR_OFFSET_METADATA_TOO_LARGE) }

    /// Describes an error code of the library; `detail` defaults to the library's description.
    init(
        _ error: rd_kafka_resp_err_t, _ operation: String = "", detail: String? = nil,
        isFatal: Bool = false
    ) {
        self.init(
            code: errorName(error), operation: operation, detail: detail ?? errorMessage(error),
            isFatal: isFatal)
    }

    /// Reads and frees an error object of the library.
    init(consuming error: OpaquePointer, _ operation: String = "") {
        self.init(
            unsafe rd_kafka_error_code(error), operation,
            detail: unsafe String(cString: rd_kafka_error_string(error)),
            isFatal: unsafe rd_kafka_error_is_fatal(error) != 0)
        unsafe rd_kafka_error_destroy(error)
    }
}

extension rd_kafka_resp_err_t {
    /// True when a topic or a partition of it does not exist, as the library or a broker found.
    var isAboutMissingTopic: Bool {
        [
            RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART, RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC,
            RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION,
        ].contains(self)
    }
}

/// The library's name for an error, for example `UNKNOWN_TOPIC_OR_PART`.
func errorName(_ error: rd_kafka_resp_err_t) -> String {
    unsafe String(cString: rd_kafka_err2name(error))
}

/// The library's description of an error.
func errorMessage(_ error: rd_kafka_resp_err_t) -> String {
    unsafe String(cString: rd_kafka_err2str(error))
}

extension [KafkaFailure] {
    /// Records a failure unless it repeats the last one; drops the oldest beyond 64.
    mutating func note(_ failure: KafkaFailure) {
        guard last != failure else { return }
        if count == 64 { removeFirst() }
        append(failure)
    }
}
