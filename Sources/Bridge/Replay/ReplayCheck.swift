public import Configuration
internal import Delivery
internal import Kafka
internal import KafkaLogin

/// Checks the topics of a replay before anything is read.
public enum ReplayCheck {
    /// Throws what is wrong with the topic of dead letters or with the one to write to.
    public static func check(_ connector: Connector, to topic: String) throws(StartFailure) {
        let properties = connector.kafkaProperties
        let letters = connector.results.deadLetter
        let found: ClusterDescription
        do throws(KafkaFailure) {
            found = try ClusterInspection.describe(
                properties: properties, topics: [letters, topic], timeoutMilliseconds: 15_000)
        } catch {
            throw KafkaCheck.unavailable(error, properties, connector.locations)
        }
        let setting = topic == connector.source.replay ? "source.replay" : "--to"
        let problems = [(setting: "results.dead_letter", name: letters), (setting, topic)]
            .compactMap { KafkaCheck.problem(of: connector, $0, found) }
        guard problems.isEmpty else { throw StartFailure(.configuration, problems) }
    }
}
