internal import CRDKafka
internal import Delivery

/// The configuration of a client that is about to be created; owns the library's object.
@safe struct ClientConfiguration: ~Copyable {
    let pointer: OpaquePointer

    init() {
        unsafe pointer = rd_kafka_conf_new()
    }

    deinit { unsafe rd_kafka_conf_destroy(pointer) }

    /// Sets a property, or throws with the library's error message.
    func set(_ name: String, _ value: String) throws(KafkaFailure) {
        if let problem = problem(setting: name, to: value) {
            throw KafkaFailure(
                RD_KAFKA_RESP_ERR__INVALID_ARG, "set the Kafka property \(name)",
                detail: problem)
        }
    }

    /// Sets all of the user's properties, after rejecting those that must not be set.
    func set(_ properties: KafkaProperties) throws(KafkaFailure) {
        for property in properties.all {
            if let reason = KafkaProperties.refusal(of: property.name, value: property.value) {
                throw KafkaFailure(
                    RD_KAFKA_RESP_ERR__INVALID_ARG, "set the Kafka property \(property.name)",
                    detail: reason)
            }
            try set(property.name, property.value)
        }
    }

    /// Sets a property; returns the library's error message when it is rejected.
    func problem(setting name: String, to value: String) -> String? {
        let reason = Message()
        let result = unsafe rd_kafka_conf_set(pointer, name, value, reason.start, reason.size)
        return result == RD_KAFKA_CONF_OK ? nil : reason.text
    }

    /// Sets a property if this version of the library knows it.
    func setIfKnown(_ name: String, _ value: String) {
        _ = problem(setting: name, to: value)
    }

    /// Creates the client, which takes ownership of the configuration.
    consuming func makeClient(
        _ kind: rd_kafka_type_t, _ operation: String
    ) throws(KafkaFailure) -> OpaquePointer {
        let reason = Message()
        guard let client = unsafe rd_kafka_new(kind, pointer, reason.start, reason.size) else {
            let failure = KafkaFailure(rd_kafka_last_error(), operation, detail: reason.text)
            _ = consume self
            throw failure
        }
        discard self
        return unsafe client
    }
}
