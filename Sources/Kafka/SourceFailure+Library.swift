internal import CRDKafka
internal import Delivery

extension SourceFailure {
    /// Names an error code of the library; `detail` defaults to the library's words for it.
    init(_ error: rd_kafka_resp_err_t, _ detail: String? = nil, isFatal: Bool = false) {
        self.init(code: errorName(error), detail: detail ?? errorWords(error), isFatal: isFatal)
    }

    /// Reads and frees an error object of the library.
    init(consuming error: OpaquePointer) {
        self.init(
            unsafe rd_kafka_error_code(error),
            unsafe String(cString: rd_kafka_error_string(error)),
            isFatal: unsafe rd_kafka_error_is_fatal(error) != 0)
        unsafe rd_kafka_error_destroy(error)
    }
}

extension [SourceFailure] {
    /// Remembers a failure, unless it was just said or nobody listens.
    mutating func note(_ failure: SourceFailure) {
        guard last != failure else { return }
        if count == 64 { removeFirst() }
        append(failure)
    }
}
