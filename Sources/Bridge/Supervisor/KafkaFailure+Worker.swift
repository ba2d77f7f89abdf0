internal import Configuration
internal import Delivery
internal import Kafka
internal import KafkaLogin

extension KafkaFailure {
    /// What to do about a worker that ended with the failure.
    func remedyOfWorker(of connector: Connector) -> String {
        let properties = connector.kafkaProperties
        guard isFenced, let name = properties["group.instance.id"] else {
            return "nothing is lost, and the worker is started again; if that does not end, run"
                + " 'apns-bridge doctor' with its file"
        }
        return "another process uses the name '\(name)' in the group"
            + " '\(connector.source.group)': give each process a group.instance.id of its own, or"
            + " stop the other one"
    }
}
