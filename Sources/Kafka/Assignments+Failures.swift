internal import CRDKafka
internal import Delivery

/// Errors that the library reports.
extension Assignments {
    /// Records an error that the library reported in place of a record.
    mutating func note(_ message: UnsafeMutablePointer<rd_kafka_message_t>) {
        let error = unsafe message.pointee.err
        if error == RD_KAFKA_RESP_ERR__PARTITION_EOF { return unsafe reachedEnd(message) }
        if error == RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET { return unsafe refused(message) }
        let reason = unsafe rd_kafka_message_errstr(message).map { unsafe String(cString: $0) }
        guard let topic = unsafe message.pointee.rkt else { return note(error, reason) }
        let name = unsafe String(cString: rd_kafka_topic_name(topic))
        if error.isAboutMissingTopic, helper?.noteMissing(name) == true { return }
        let number = unsafe message.pointee.partition
        let partitionStart = number < 0 ? name : "\(name)/\(number)"
        report(error, "cannot read \(partitionStart): \(reason ?? "")")
    }

    /// Records an error that the library reported for the client as a whole.
    mutating func note(_ error: rd_kafka_resp_err_t, _ reason: String?) {
        // Such as `shop.orders [0]: topic does not exist`.
        let topic = reason?.prefix { $0 != " " } ?? ""
        if !topic.isEmpty, error.isAboutMissingTopic, helper?.noteMissing(topic) == true { return }
        report(error, reason)
    }

    private mutating func report(_ error: rd_kafka_resp_err_t, _ reason: String?) {
        switch error {
        case RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN:
            outages?.suspect(reason ?? "", lastConnectionFailure)
        case RD_KAFKA_RESP_ERR__TRANSPORT, RD_KAFKA_RESP_ERR__RESOLVE, RD_KAFKA_RESP_ERR__SSL,
            RD_KAFKA_RESP_ERR__AUTHENTICATION:
            lastConnectionFailure = readableMessage(reason ?? errorMessage(error))
        default: break
        }
        if let failure = explain(error) { return failures.note(failure) }
        failures.note(client?.failure(error, reason) ?? KafkaFailure(error, detail: reason))
    }
}
