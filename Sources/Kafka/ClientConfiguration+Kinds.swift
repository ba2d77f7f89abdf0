internal import CRDKafka
internal import Delivery

extension ClientConfiguration {
    /// What a group member needs, under what the user set.
    static func consumer(
        _ properties: KafkaProperties, group: String, instance: String? = nil
    ) throws(KafkaFailure) -> ClientConfiguration {
        let configuration = ClientConfiguration()
        try configuration.set("client.id", "apns-bridge")
        try configuration.set("group.id", group)
        try configuration.set("enable.auto.commit", "false")
        try configuration.set("enable.auto.offset.store", "false")
        // An offset that is not there is ours to judge: see ``Assignments/restart(_:)``.
        try configuration.set("auto.offset.reset", "error")
        // The new protocol of groups (`group.protocol=consumer`) refuses to hear of a strategy.
        if (properties["group.protocol"] ?? "classic") == "classic" {
            try configuration.set("partition.assignment.strategy", "cooperative-sticky")
        }
        // Past either limit the library's fetcher naps for up to a second; see ``ConsumerHelper``.
        try configuration.set("queued.min.messages", "1000000")
        // One partition's records wait behind so much of another's backlog: see D0045.
        try configuration.set("queued.max.messages.kbytes", "16384")
        configuration.setIfKnown("fetch.queue.backoff.ms", "5")
        try SessionTimeout.set(in: configuration, properties, instance: instance)
        try configuration.set(properties)
        if GroupPhase.isNeeded {
            let wanted = properties["debug"].map { $0 + "," } ?? ""
            try configuration.set("debug", wanted + "cgrp")
        }
        if let instance { try configuration.set("group.instance.id", instance) }
        return configuration
    }

    /// What an idempotent producer needs, under what the user set.
    static func producer(
        _ properties: KafkaProperties
    ) throws(KafkaFailure) -> ClientConfiguration {
        let configuration = ClientConfiguration()
        try configuration.set("client.id", "apns-bridge")
        try configuration.set("enable.idempotence", "true")
        try configuration.set("acks", "all")
        try configuration.set("compression.codec", "lz4")
        // One request at a time lets batches form while the broker works, and none wait when
        // nothing else is on its way: see D0046.
        let isShort = RoundTrip.isShort(properties)
        try configuration.set("linger.ms", isShort ? "1" : "5")
        try configuration.set("max.in.flight", isShort ? "1" : "5")
        try configuration.set("message.max.bytes", "16777216")
        try configuration.set("queue.buffering.max.kbytes", "131072")
        // Records of one key share a partition with those that Java programs write.
        try configuration.set("partitioner", "murmur2_random")
        try configuration.set(properties)
        return configuration
    }

    /// What a client needs that only looks.
    static func observer(
        _ properties: KafkaProperties
    ) throws(KafkaFailure) -> ClientConfiguration {
        let configuration = ClientConfiguration()
        try configuration.set("client.id", "apns-bridge")
        try configuration.set("enable.auto.commit", "false")
        try configuration.set("enable.auto.offset.store", "false")
        try configuration.set("auto.offset.reset", "earliest")
        try configuration.set(properties)
        return configuration
    }
}
