internal import CRDKafka
internal import Delivery

extension Client {
    /// Asks a broker for the settings of topics; also returns the failure if some are missing.
    func settings(
        of topics: [String], milliseconds: Int
    ) -> (settings: [String: TopicSettings], failure: KafkaFailure?) {
        guard !topics.isEmpty, let queue = unsafe rd_kafka_queue_new(pointer) else {
            return ([:], nil)
        }
        defer { unsafe rd_kafka_queue_destroy(queue) }
        var resources: [OpaquePointer?] = unsafe topics.map {
            unsafe rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, $0)
        }
        unsafe rd_kafka_DescribeConfigs(pointer, &resources, resources.count, nil, queue)
        for index in unsafe resources.indices {
            unsafe rd_kafka_ConfigResource_destroy(resources[index])
        }
        guard let event = unsafe rd_kafka_queue_poll(queue, Int32(milliseconds)) else {
            return ([:], KafkaFailure(RD_KAFKA_RESP_ERR__TIMED_OUT))
        }
        defer { unsafe rd_kafka_event_destroy(event) }
        let error = unsafe rd_kafka_event_error(event)
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR else {
            let words = unsafe rd_kafka_event_error_string(event)
            let detail = unsafe words.map { unsafe String(cString: $0) }
            return ([:], KafkaFailure(error, detail: detail))
        }
        return unsafe read(event)
    }

    private func read(
        _ event: OpaquePointer
    ) -> (settings: [String: TopicSettings], failure: KafkaFailure?) {
        var found: [String: TopicSettings] = [:]
        var failure: KafkaFailure?
        var count = 0
        guard let result = unsafe rd_kafka_event_DescribeConfigs_result(event),
            let resources = unsafe rd_kafka_DescribeConfigs_result_resources(result, &count)
        else { return ([:], nil) }
        for index in 0..<count {
            guard let resource = unsafe resources[index],
                let name = unsafe rd_kafka_ConfigResource_name(resource)
            else { continue }
            let error = unsafe rd_kafka_ConfigResource_error(resource)
            if error == RD_KAFKA_RESP_ERR_NO_ERROR {
                unsafe found[String(cString: name)] = unsafe TopicSettings(reading: resource)
            } else {
                failure = failure ?? KafkaFailure(error)
            }
        }
        return (found, failure)
    }
}

extension TopicSettings {
    fileprivate init(reading resource: OpaquePointer) {
        self.init()
        var count = 0
        guard let entries = unsafe rd_kafka_ConfigResource_configs(resource, &count) else { return }
        for index in 0..<count {
            guard let entry = unsafe entries[index],
                let name = unsafe rd_kafka_ConfigEntry_name(entry),
                let value = unsafe rd_kafka_ConfigEntry_value(entry)
            else { continue }
            unsafe take(String(cString: name), String(cString: value))
        }
    }

    private mutating func take(_ name: String, _ value: String) {
        switch name {
        case "min.insync.replicas": minInSyncReplicas = Int(value) ?? 1
        case "cleanup.policy": isCompacted = value.contains("compact")
        case "retention.ms": retention = Int64(value).flatMap { $0 < 0 ? nil : $0 }
        default: break
        }
    }
}
