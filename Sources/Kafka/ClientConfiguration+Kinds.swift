internal import CRDKafka
internal import Delivery

extension ClientConfiguration {
    /// How often the partitions of topics are asked for, in milliseconds; the library's default is
    /// five minutes.
    private static let metadataRefresh = "30000"
    /// The same where a topic may appear that matches a pattern: it takes a rebalance more.
    private static let topicSearch = "20000"

    /// The settings of a group member, on top of what the user set.
    static func consumer(
        _ properties: KafkaProperties, group: String, instance: String? = nil,
        topics: TopicSelection = []
    ) throws(KafkaFailure) -> ClientConfiguration {
        let configuration = ClientConfiguration()
        try configuration.set("client.id", "apns-bridge")
        try configuration.set("group.id", group)
        try configuration.set("enable.auto.commit", "false")
        try configuration.set("enable.auto.offset.store", "false")
        // The bridge decides what to do about a missing offset: see ``Assignments/restart(_:)``.
        try configuration.set("auto.offset.reset", "error")
        // A record that comes later was stored later: see ``LogEnds``.
        try configuration.set("enable.partition.eof", "true")
        // The new group protocol (`group.protocol=consumer`) rejects an assignment strategy.
        if properties.usesClassicGroups {
            try configuration.set("partition.assignment.strategy", "cooperative-sticky")
        }
        // Past either limit the library's fetcher sleeps for up to a second; see
        // ``ConsumerHelper``.
        try configuration.set("queued.min.messages", "1000000")
        // What is fetched stays in the processor's cache until it is taken, and the records of one
        // partition wait behind little of another's backlog: see D0121.
        try configuration.set("queued.max.messages.kbytes", "8192")
        try configuration.set("max.partition.fetch.bytes", "262144")
        configuration.setIfKnown("fetch.queue.backoff.ms", "5")
        // How soon the group notices a partition that was added to a topic, or a topic.
        try configuration.set(
            "topic.metadata.refresh.interval.ms",
            topics.patterns.isEmpty ? metadataRefresh : topicSearch)
        try SessionTimeout.set(in: configuration, properties, instance: instance)
        try configuration.set(properties)
        if GroupPhase.isNeeded {
            let wanted = properties["debug"].map { $0 + "," } ?? ""
            try configuration.set("debug", wanted + "cgrp")
        }
        if let instance { try configuration.set("group.instance.id", instance) }
        return configuration
    }

    /// The settings of an idempotent producer, on top of what the user set.
    static func producer(
        _ properties: KafkaProperties, batching: Batching = .oneRequest
    ) throws(KafkaFailure) -> ClientConfiguration {
        let configuration = ClientConfiguration()
        try configuration.set("client.id", "apns-bridge")
        try configuration.set("enable.idempotence", "true")
        try configuration.set("acks", "all")
        try configuration.set("compression.codec", "lz4")
        try configuration.set("linger.ms", String(batching.linger))
        try configuration.set("max.in.flight", String(batching.requestsInFlight))
        try configuration.set("message.max.bytes", "16777216")
        try configuration.set("queue.buffering.max.kbytes", "131072")
        // Maps keys to the same partitions as Java producers do.
        try configuration.set("partitioner", "murmur2_random")
        try configuration.set("topic.metadata.refresh.interval.ms", metadataRefresh)
        try configuration.set(properties)
        return configuration
    }

    /// The settings of a client that only reads metadata.
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
