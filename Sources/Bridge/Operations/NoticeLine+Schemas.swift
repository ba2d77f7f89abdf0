internal import Delivery
internal import Telemetry

/// What the log says about schemas that a registry does not have.
extension NoticeLine {
    static func awaits(
        _ partition: TopicPartition, _ schema: String, _ detail: String, _ isUnknown: Bool
    ) -> Self {
        let message =
            isUnknown
            ? "the registry does not know the schema of a record; its partition is paused for five"
                + " minutes at most"
            : "the schema of a record cannot be looked up; its partition is paused"
        let action =
            isUnknown
            ? "register the schema, or find out who writes records with it; after five minutes they"
                + " become dead letters"
            : "check the registry, and schema_registry in the connector; nothing is lost, and"
                + " taking records resumes by itself"
        return Self(
            .error, message, partition,
            ["schema": .string(schema), "detail": .string(detail), "action": .string(action)])
    }

    static func unknown(_ schema: String) -> Self {
        Self(
            .error, "the registry does not know a schema; its records are dropped",
            [
                "schema": .string(schema),
                "action": .string(
                    "register the schema, and replay the dead letters; it is looked up again once a"
                        + " minute"),
            ])
    }
}
