internal import Arguments
internal import Configuration
internal import Delivery
internal import EventLoop
internal import Kafka
internal import KafkaLogin
internal import Spelling

/// The Kafka of a measurement, with topics and a group of its own.
struct BenchKafka: Sendable {
    /// The embedded Kafka; nil when it is the user's.
    let cluster: EmbeddedCluster?
    let properties: KafkaProperties
    /// The name of the group, and the beginning of the topics' names.
    let prefix: String
    /// The topics that are removed at the end.
    private(set) var created: [String] = []
    /// The partitions of the topic of events.
    private(set) var partitions: Int

    var events: String { "\(prefix).events" }
    var outcomes: String { "\(prefix).outcomes" }
    var unregistered: String { "\(prefix).unregistered" }
    var deadLetter: String { "\(prefix).dead-letter" }
    private var topics: [String] { [events, outcomes, unregistered, deadLetter] }

    /// Starts the embedded Kafka, or checks the user's, and sees to it that there are empty topics.
    static func prepare(
        _ settings: BenchSettings, _ connector: Connector
    ) throws(BenchFailure) -> BenchKafka {
        let workers = settings.workers ?? connector.workers
        guard let bootstrap = settings.bootstrap else {
            try check(workers, settings.partitions)
            return try embedded(settings, connector)
        }
        var properties = BenchKafka.properties(of: connector)
        properties["metadata.broker.list"] = nil
        properties["bootstrap.servers"] = bootstrap
        let name = "apns-bridge-bench-" + String(UInt64.random(in: .min ... .max), radix: 36)
        var kafka = BenchKafka(
            cluster: nil, properties: properties, prefix: settings.topics ?? name,
            partitions: settings.partitions)
        try kafka.createTopics(for: workers)
        return kafka
    }

    private static func embedded(
        _ settings: BenchSettings, _ connector: Connector
    ) throws(BenchFailure) -> BenchKafka {
        do throws(KafkaFailure) {
            let cluster = try EmbeddedCluster()
            var properties = BenchKafka.properties(of: connector)
            // It knows no TLS and no users.
            properties.tokens = nil
            properties.all.removeAll { property in
                ["security.", "sasl.", "ssl.", "metadata."].contains {
                    property.name.hasPrefix($0)
                }
            }
            properties["bootstrap.servers"] = cluster.bootstrapServers
            // It looks for new records only once within this time.
            properties["fetch.wait.max.ms"] = "5"
            let kafka = BenchKafka(
                cluster: cluster, properties: properties, prefix: "bench",
                partitions: settings.partitions)
            for topic in kafka.topics {
                try cluster.createTopic(topic, partitions: settings.partitions)
            }
            return kafka
        } catch {
            throw BenchFailure(.unavailable, "cannot start the embedded Kafka: \(error.message)")
        }
    }

    /// The connector's own properties, without those that would make it a known group member.
    private static func properties(of connector: Connector) -> KafkaProperties {
        var properties = connector.kafkaProperties
        properties["group.instance.id"] = nil
        return properties
    }

    /// Refuses more workers than there are partitions of the events; `topic` has them already, or
    /// is nil.
    private static func check(
        _ workers: Int, _ partitions: Int, of topic: String? = nil
    ) throws(BenchFailure) {
        guard workers > partitions else { return }
        let message =
            topic.map { "give the topic '\($0)' \(workers) partitions" }
            ?? "--partitions \(workers)"
        throw BenchFailure(
            .configuration, "\(workers) workers cannot share the \(partitions) partitions of the"
                + " events: pass --workers \(partitions) or fewer, or \(message)")
    }

    private mutating func createTopics(for workers: Int) throws(BenchFailure) {
        let found = try describe()
        var missing: [String] = []
        for topic in topics {
            switch found.topics[topic] {
            case .partitions(let count):
                if topic == events { partitions = count }
                try checkEmptiness(of: topic)
            case .failed(let failure) where failure.code != "UNKNOWN_TOPIC_OR_PART":
                throw BenchFailure(
                    .configuration, "the topic '\(topic)' cannot be used: \(failure.detail):"
                        + " choose other topics with --topics PREFIX")
            default: missing.append(topic)
            }
        }
        let existing = missing.contains(events) ? nil : events
        try Self.check(workers, partitions, of: existing)
        guard !missing.isEmpty else { return }
        do throws(KafkaFailure) {
            let administration = try TopicAdministration(properties: properties)
            try administration.create(missing, partitions: partitions)
        } catch {
            throw BenchFailure(
                .configuration, "\(error.message): create the topics \(names(missing)) yourself,"
                    + " and pass --topics \(prefix)")
        }
        created = missing
        do throws(BenchFailure) {
            try awaitTopics()
        } catch {
            remove()
            throw error
        }
    }

    /// Asks the cluster for all topics.
    private func describe() throws(BenchFailure) -> ClusterDescription {
        do throws(KafkaFailure) {
            return try ClusterInspection.describe(
                properties: properties, topics: topics, timeoutMilliseconds: 10_000)
        } catch {
            // A broker's error contains its address; a timeout does not.
            let detail = error.code == "_TIMED_OUT" ? ": no response" : ": \(error.detail)"
            throw BenchFailure(
                .unavailable, "no connection to Kafka at \(properties.addresses)\(detail):"
                    + " start Kafka there, or correct --bootstrap")
        }
    }

    private func checkEmptiness(of topic: String) throws(BenchFailure) {
        let count: Int64
        do throws(KafkaFailure) {
            count = try TopicAdministration(properties: properties).recordCount(of: topic)
        } catch {
            throw BenchFailure(
                .unavailable, "\(error.message): check this user's rights for the topic")
        }
        guard count > 0 else { return }
        let records = Plural.counted(count, "record")
        throw BenchFailure(
            .configuration, "the topic '\(topic)' is not empty, it has \(records): delete"
                + " it, or choose other topics with --topics PREFIX")
    }

    /// Waits until every broker that is asked knows the new topics.
    private func awaitTopics() throws(BenchFailure) {
        let end = MonotonicClock.now + .seconds(15)
        while MonotonicClock.now < end {
            let found = try describe()
            if topics.allSatisfy({ (found.topics[$0]?.partitionCount ?? 0) > 0 }) { return }
        }
        throw BenchFailure(
            .unavailable, "Kafka at \(properties.addresses) does not show the new topics within"
                + " 15 s: try again")
    }

    /// Deletes what was created. Kafka forgets a group whose topics are gone by itself, and
    /// librdkafka 2.0.2 may abort the process when it is asked to delete one.
    func remove() {
        guard !created.isEmpty else { return }
        do throws(KafkaFailure) {
            try TopicAdministration(properties: properties).delete(created)
        } catch {
            Console.error(
                "warning: \(error.message): delete the topics \(names(created)) yourself")
        }
    }

    private func names(_ topics: [String]) -> String { topics.joined(separator: ", ") }
}
