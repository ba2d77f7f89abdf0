internal import Delivery
internal import Engine
internal import EventLoop
internal import Telemetry

extension Worker where Machine: ~Copyable, Source: ~Copyable, Sink: ~Copyable {
    /// Partitions belong to other members, or their topics do not exist any more.
    mutating func lost(_ ids: [AssignmentID]) {
        awaitsAssignmentSince = awaitsAssignmentSince ?? engine.now
        let partitions = engine.topicPartitions(ids)
        var areDeleted = !partitions.isEmpty
        for partition in partitions where !source.wasDeleted(partition.topic) {
            areDeleted = false
        }
        engine.lost(ids, areDeleted: areDeleted)
        var metadata = Self.names(partitions)
        guard !areDeleted else {
            return logger.info("topics that matched a pattern were deleted", metadata: metadata)
        }
        let remedy =
            "what was sent and not committed is sent again; if this happens often, check"
            + " the network to Kafka, and whether the machine stalls"
        metadata["action"] = .string(failure?.remedy(unlessFenced: remedy) ?? remedy)
        logger.warning("partitions lost", metadata: metadata)
    }
}
