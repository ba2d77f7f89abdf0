import BridgeSamples
import Configuration
import Delivery
import Kafka

@testable import Bridge

/// A Kafka with dead letters, and replays of them.
struct ReplayStage {
    /// A dead letter, each of an event of its own.
    struct Letter {
        var number: Int
        var daysAgo: Int64 = 0
        var partition: Int32 = 0
        var connector = "orders"
        var reason = "BadTopic"
        var index = 0
        var replays: Int?
        var devices = 1
        /// When its event was written.
        var eventTime: Int64?
        /// Another dead letter of the event has its value.
        var hasValueElsewhere = false
        /// The topic of its event.
        var topic = "shop.orders"
        /// The number in the event, if it is another one.
        var badge: Int?
        var seal: SealKeys?

        /// The value of the event.
        var event: String {
            let tokens = (0..<devices).map { _ in "\"\(Samples.token("aa"))\"" }
            return #"{"device_tokens":[\#(tokens.joined(separator: ","))],"#
                + #""payload":{"aps":{"badge":\#(badge ?? number)}}}"#
        }

        fileprivate var value: [UInt8]? { hasValueElsewhere ? nil : Array(event.utf8) }

        fileprivate var headers: [ResultRecord.Header] {
            var all = [
                "reason": reason, "connector": connector, "index": "\(index)",
                "topic": topic, "partition": "0", "offset": "\(number)",
                "apns-id": "11111111-2222-4333-8444-555555555555",
            ]
            if let eventTime { all["timestamp"] = "\(eventTime)" }
            if hasValueElsewhere { all["value-elsewhere"] = "0" }
            if let replays { all["replays"] = "\(replays)" }
            let headers = all.map {
                (name: "apns-bridge-" + $0.key, value: [UInt8]?(Array($0.value.utf8)))
            }
            guard let seal else { return headers }
            return headers
                + [seal.seal(.deadLetter, key: nil, value: value, headers: headers)]
        }
    }

    /// When the replays run, in milliseconds since 1970.
    static let now: Int64 = 1_800_000_000_000
    static let day: Int64 = 86_400_000

    let cluster: EmbeddedCluster
    var connector: Connector

    init(partitions: Int = 1) throws {
        cluster = try EmbeddedCluster()
        connector = try Samples.connector(plan: Samples.canonicalPlan())
        connector.kafka = [("bootstrap.servers", cluster.bootstrapServers)]
        connector.source.replay = "apns.replay"
        try cluster.createTopic(connector.results.deadLetter, partitions: partitions)
        for topic in ["apns.replay", "shop.orders"] {
            try cluster.createTopic(topic, partitions: 1)
        }
    }

    var properties: KafkaProperties { KafkaProperties(connector.kafka) }

    func write(_ letters: [Letter]) throws {
        var writer = try RecordWriter(properties: properties)
        for letter in letters {
            try writer.write(
                connector.results.deadLetter,
                value: letter.value, headers: letter.headers, partition: letter.partition,
                timestamp: Self.now - letter.daysAgo * Self.day)
        }
        try writer.flush()
    }

    /// Writes an event to the source topic.
    func writeEvent(_ letter: Letter) throws {
        var writer = try RecordWriter(properties: properties)
        try writer.write(
            "shop.orders", value: Array(letter.event.utf8), headers: [], partition: 0,
            timestamp: letter.eventTime)
        try writer.flush()
    }

    /// Begins a replay.
    func begin(
        to topic: String = "apns.replay", of connector: Connector? = nil, isDry: Bool = false,
        _ change: (inout ReplaySelection) -> Void = { _ in }
    ) throws -> Replay {
        var selection = ReplaySelection()
        change(&selection)
        var replay = try Replay(
            connector ?? self.connector, selection, to: topic, isDry: isDry)
        try replay.begin(now: Self.now)
        return replay
    }

    /// Replays to the end.
    @discardableResult func replay(
        to topic: String = "apns.replay", of connector: Connector? = nil, isDry: Bool = false,
        _ change: (inout ReplaySelection) -> Void = { _ in }
    ) throws -> ReplayTotals {
        var replay = try begin(to: topic, of: connector, isDry: isDry, change)
        while try replay.step(atMost: 500, now: Self.now) { try replay.commit() }
        try replay.commit()
        return replay.totals
    }

    /// The numbers of the dead letters that were written to a topic.
    func written(to topic: String = "apns.replay") throws -> [Int] {
        try TopicReader(properties: properties).readAll(topic).compactMap { record in
            let text = String(decoding: record.value ?? [], as: UTF8.self)
            return text.split(separator: "\"badge\":").last.flatMap {
                Int($0.prefix { $0.isNumber })
            }
        }
    }

    /// What the group of the replays has committed.
    func committed(partitions: Int32 = 1) throws -> [CommittedOffset] {
        try GroupOffsets(properties: properties, group: Replay.group(of: connector)).read(
            (0..<partitions).map {
                TopicPartition(topic: connector.results.deadLetter, partition: $0)
            })
    }

    /// Commits for the group of the replays.
    func commit(_ next: Int64, _ metadata: String) throws {
        let location = TopicPartition(topic: connector.results.deadLetter, partition: 0)
        try GroupOffsets(properties: properties, group: Replay.group(of: connector)).commit([
            CommittedOffset(topicPartition: location, next: next, metadata: metadata)
        ])
    }
}
