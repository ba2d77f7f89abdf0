internal import CRDKafka
internal import Delivery

extension Client {
    /// Asks a broker for the settings of topics; also returns the failure if some are missing.
    func settings(
        of topics: [String], milliseconds: Int
    ) -> (settings: [String: TopicSettings], failure: KafkaFailure?) {
        var found: [String: TopicSettings] = [:]
        let failure = describe(RD_KAFKA_RESOURCE_TOPIC, topics, milliseconds: milliseconds) {
            found[$0] = TopicSettings(reading: $1)
        }
        return (found, failure)
    }

    /// Asks the controller for its own settings; nil when it does not return them in time.
    func brokerSettings(milliseconds limit: Int) -> [String: String]? {
        let end = milliseconds() + limit
        let number = unsafe rd_kafka_controllerid(pointer, Int32(limit))
        guard number >= 0 else { return nil }
        var found: [String: String]?
        _ = describe(
            RD_KAFKA_RESOURCE_BROKER, ["\(number)"], milliseconds: max(0, end - milliseconds())
        ) {
            found = $1
        }
        return found
    }

    /// Asks for the settings of resources; `body` receives the name of each and its settings.
    /// Returns the failure if some are missing.
    private func describe(
        _ type: rd_kafka_ResourceType_t, _ names: [String], milliseconds: Int,
        _ body: (String, [String: String]) -> Void
    ) -> KafkaFailure? {
        guard !names.isEmpty, let queue = unsafe rd_kafka_queue_new(pointer) else { return nil }
        defer { unsafe rd_kafka_queue_destroy(queue) }
        var resources: [OpaquePointer?] = unsafe names.map {
            unsafe rd_kafka_ConfigResource_new(type, $0)
        }
        unsafe rd_kafka_DescribeConfigs(pointer, &resources, resources.count, nil, queue)
        for index in unsafe resources.indices {
            unsafe rd_kafka_ConfigResource_destroy(resources[index])
        }
        guard let event = unsafe rd_kafka_queue_poll(queue, Int32(milliseconds)) else {
            return KafkaFailure(RD_KAFKA_RESP_ERR__TIMED_OUT)
        }
        defer { unsafe rd_kafka_event_destroy(event) }
        let error = unsafe rd_kafka_event_error(event)
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR else {
            let reason = unsafe rd_kafka_event_error_string(event)
            let detail = unsafe reason.map { unsafe String(cString: $0) }
            return KafkaFailure(error, detail: detail)
        }
        return unsafe read(event, body)
    }

    private func read(
        _ event: OpaquePointer, _ body: (String, [String: String]) -> Void
    ) -> KafkaFailure? {
        var failure: KafkaFailure?
        var count = 0
        guard let result = unsafe rd_kafka_event_DescribeConfigs_result(event),
            let resources = unsafe rd_kafka_DescribeConfigs_result_resources(result, &count)
        else { return nil }
        for index in 0..<count {
            guard let resource = unsafe resources[index],
                let name = unsafe rd_kafka_ConfigResource_name(resource)
            else { continue }
            let error = unsafe rd_kafka_ConfigResource_error(resource)
            if error == RD_KAFKA_RESP_ERR_NO_ERROR {
                unsafe body(String(cString: name), Self.entries(of: resource))
            } else {
                failure = failure ?? KafkaFailure(error)
            }
        }
        return failure
    }

    private static func entries(of resource: OpaquePointer) -> [String: String] {
        var count = 0
        var found: [String: String] = [:]
        guard let entries = unsafe rd_kafka_ConfigResource_configs(resource, &count) else {
            return found
        }
        for index in 0..<count {
            guard let entry = unsafe entries[index],
                let name = unsafe rd_kafka_ConfigEntry_name(entry),
                let value = unsafe rd_kafka_ConfigEntry_value(entry)
            else { continue }
            unsafe found[String(cString: name)] = unsafe String(cString: value)
        }
        return found
    }
}

extension TopicSettings {
    fileprivate init(reading entries: [String: String]) {
        self.init()
        if let text = entries["min.insync.replicas"] { minInSyncReplicas = Int(text) ?? 1 }
        isCompacted = entries["cleanup.policy"]?.contains("compact") ?? isCompacted
        if let text = entries["retention.ms"] {
            retention = Int64(text).flatMap { $0 < 0 ? nil : $0 }
        }
    }
}
