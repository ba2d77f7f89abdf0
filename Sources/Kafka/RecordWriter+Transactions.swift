internal import CRDKafka
public import Delivery

/// Transactions, for a writer with a transactional ID: tests show readers what these leave in a
/// log.
extension RecordWriter {
    /// Initializes transactions; call it before anything else.
    public func prepareTransactions(timeoutMilliseconds: Int = 10_000) throws(KafkaFailure) {
        try unsafe check(
            unsafe rd_kafka_init_transactions(client.pointer, Int32(timeoutMilliseconds)),
            "prepare transactions")
    }

    /// Begins a transaction.
    public func begin() throws(KafkaFailure) {
        try unsafe check(unsafe rd_kafka_begin_transaction(client.pointer), "begin a transaction")
    }

    /// Aborts the transaction: `read_committed` consumers never see its records.
    public func abort(timeoutMilliseconds: Int = 10_000) throws(KafkaFailure) {
        try unsafe check(
            unsafe rd_kafka_abort_transaction(client.pointer, Int32(timeoutMilliseconds)),
            "abort a transaction")
    }

    private func check(_ error: OpaquePointer?, _ operation: String) throws(KafkaFailure) {
        if let error = unsafe error { throw unsafe KafkaFailure(consuming: error, operation) }
    }
}
