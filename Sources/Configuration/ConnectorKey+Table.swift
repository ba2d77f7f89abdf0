extension ConnectorKey {
    /// Everything that may stand at the top level of a connector file.
    static let root: [ConnectorKey] = [
        ConnectorKey("source", .block(source), "Where events come from.", isRequired: true),
        ConnectorKey(
            "kafka", .properties,
            "Properties of librdkafka, for the consumer and the producer alike.",
            isRequired: true, example: "{bootstrap.servers: \"localhost:9092\"}"),
        ConnectorKey("apns", .block(apns), "How to reach Apple, and as whom.", isRequired: true),
        ConnectorKey(
            "when", .pattern,
            "An event pattern as in Amazon EventBridge; other records are left out.",
            example: "{type: [order.shipped]}"),
        ConnectorKey(
            "notification", .notification,
            "How an event becomes a notification; without it events are canonical.",
            example: "{device_token: \"${token}\", ttl: 4h, payload: {aps: {badge: 1}}}"),
        ConnectorKey(
            "notifications", .notifications,
            "In place of one notification: a list of them, each with a condition of its own.",
            example: "[{when: {urgent: [true]}, device_token: \"${token}\", "
                + "ttl: 4h, payload: {aps: {badge: 1}}}]"),
        ConnectorKey(
            "match", .word(["first", "all"], later: []),
            "Which of the 'notifications' an event makes: the first that matches, or all; "
                + "first when it is not written.",
            example: "all"),
        ConnectorKey(
            "policy", .policy,
            "What is done about canonical events that Apple would refuse; else it stands in "
                + "'notification'.",
            example: "{collapse_id_too_long: hash}"),
        ConnectorKey("results", .block(results), "Where outcomes go.", isRequired: true),
        ConnectorKey("delivery", .block(delivery), "Order, limits and retries."),
        ConnectorKey(
            "workers", .integer(1...64), "How many workers run it, each with its own connections.",
            example: "2", standard: "1"),
        ConnectorKey(
            "startup_deadline", .duration(shortest...hour),
            "How long a start waits for an APNs that does not answer.",
            example: "60s", standard: "60s"),
        ConnectorKey(
            "shutdown_deadline", .duration(shortest...hour), "How long a stop may take.",
            example: "25s", standard: "25s"),
        ConnectorKey(
            "guard", .block(invalidation),
            "When sending to an app is suspended because too many device tokens are unregistered "
                + "or suspect."),
    ]

    private static let source: [ConnectorKey] = [
        ConnectorKey(
            "topics", .texts, "The topics to read.", isRequired: true, example: "[shop.orders]"),
        ConnectorKey(
            "group", .text, "The consumer group.", isRequired: true, example: "apns-orders"),
        ConnectorKey(
            "format", .word(["json", "cloudevents"], later: ["avro", "protobuf"]),
            "How the values of the records are written.", example: "json", standard: "json"),
        ConnectorKey(
            "start", .word(["earliest", "latest"], later: []),
            "Where a group begins that has no committed offset.",
            example: "earliest", standard: "earliest"),
    ]

    /// What an app needs; beside `apps` it stands for what the apps lack.
    private static let app: [ConnectorKey] = [
        ConnectorKey(
            "environment", .word(["production", "development"], later: []),
            "Which of Apple's two services the device tokens belong to.", example: "production"),
        ConnectorKey(
            "endpoint", .text, "The address of a simulator or a gateway, in place of Apple's.",
            example: "https://localhost:2197"),
        ConnectorKey(
            "ca_file", .text,
            "A PEM file with the certificate authorities that may vouch for the endpoint.",
            example: "ca.pem"),
        ConnectorKey(
            "key", .text, "The signing key in PEM: the text of the .p8 file.", isRequired: true,
            unless: "certificate", "apps", example: "\"${file:AuthKey.p8}\""),
        ConnectorKey(
            "key_id", .text, "The key's ID: ten letters and digits.", isRequired: true,
            unless: "certificate", "apps", example: "ABC123DEFG"),
        ConnectorKey(
            "team_id", .text, "The team's ID: ten letters and digits.", isRequired: true,
            unless: "certificate", "apps", example: "DEF123GHIJ"),
        ConnectorKey(
            "bundle_id", .text, "The app's bundle identifier.", isRequired: true,
            unless: "apps", example: "com.example.shop"),
        ConnectorKey(
            "certificate", .text,
            "In place of the key: a client certificate, as the path of a PEM or PKCS#12 file.",
            example: "push.p12"),
        ConnectorKey(
            "certificate_key", .text,
            "The private key of a certificate in PEM, where it stands in a file of its own.",
            example: "push.key"),
        ConnectorKey(
            "passphrase", .text, "The pass phrase of a PKCS#12 file or of an encrypted key.",
            example: "secret"),
        ConnectorKey(
            "port", .choice([443, 2197]), "Apple's port, for networks that do not let 443 out.",
            example: "2197", standard: "443"),
        ConnectorKey(
            "proxy", .text, "The HTTP proxy on the way to the endpoint.",
            example: "http://proxy.example.com:3128"),
    ]

    private static let apns: [ConnectorKey] =
        app + [
            ConnectorKey(
                "connections", .integer(1...64), "How many connections each worker keeps.",
                example: "4", standard: "4"),
            ConnectorKey(
                "max_streams", .integer(1...10_000),
                "The most requests that may be open on one connection, where Apple allows more.",
                example: "500"),
            ConnectorKey(
                "apps", .named(app),
                "Several apps by their names; each needs what is not written beside 'apps'.",
                example: "{live: {environment: production}, test: {environment: development}}"),
            ConnectorKey(
                "app", .template,
                "Which of the 'apps' an event is for; else its bundle_id and environment say it.",
                example: "${app}"),
            ConnectorKey(
                "connect_stagger", .duration(0...60_000_000_000),
                "The pause between the first opens of two connections; none on this machine.",
                example: "250ms", standard: "250ms"),
        ]

    private static let results: [ConnectorKey] = [
        ConnectorKey(
            "outcomes", .text, "The topic of the outcomes.", isRequired: true,
            example: "apns.outcomes"),
        ConnectorKey(
            "unregistered", .text,
            "The compacted topic of the device tokens that are no longer registered.",
            isRequired: true, example: "apns.unregistered"),
        ConnectorKey(
            "dead_letter", .text, "The topic of the records that could not be delivered.",
            isRequired: true, example: "apns.dead-letter"),
        ConnectorKey(
            "device_token", .word(["full", "hashed", "omitted"], later: []),
            "How much of a device token an outcome shows.", example: "hashed", standard: "full"),
        ConnectorKey(
            "cloudevents", .word(["none", "binary", "structured"], later: []),
            "Whether outcomes are CloudEvents: with headers, or with attributes beside 'data'.",
            example: "binary", standard: "none"),
        ConnectorKey(
            "partitioner", .word(["source", "key"], later: []),
            "Which partition an outcome goes to: that of its source record's number, where the"
                + " topic has as many, or that of its key.",
            example: "key", standard: "source"),
        ConnectorKey(
            "filtered", .boolean,
            "Whether a record that 'when' leaves out has an outcome, too.", example: "true",
            standard: "false"),
        ConnectorKey(
            "retry", .text,
            "The topic of pushes that wait for a retry when there is no more room in memory; the "
                + "connector reads it itself.",
            example: "apns.retry"),
    ]

    private static let delivery: [ConnectorKey] = [
        ConnectorKey(
            "ordering", .word(["none", "device", "key", "collapse", "partition"], later: []),
            "What waits for what: nothing, or a push for the earlier ones to the same device, of "
                + "the same key, for the same device and collapse ID, or of its partition.",
            example: "none", standard: "none"),
        ConnectorKey(
            "max_in_flight", .integer(1...1_000_000),
            "How many records a worker may have in flight.", example: "4000", standard: "4000"),
        ConnectorKey(
            "max_in_flight_bytes", .bytes(1_048_576...68_719_476_736),
            "How many bytes of records a worker may have in flight.",
            example: "64MiB", standard: "64MiB"),
        ConnectorKey(
            "max_waiting", .integer(1...1_000_000),
            "How many records may wait for a retry or a suspended app, beside those in flight.",
            example: "10000", standard: "10000", formerly: "max_parked"),
        ConnectorKey(
            "max_waiting_bytes", .bytes(1_048_576...68_719_476_736),
            "How many bytes of records may wait for a retry or a suspended app.",
            example: "64MiB", standard: "64MiB", formerly: "max_parked_bytes"),
        ConnectorKey(
            "max_uncommitted", .integer(2...10_000_000),
            "How many records of a partition may be done and not committed, as while the group "
                + "joins: so many are sent again if the worker crashes.",
            example: "50000", standard: "50000"),
        ConnectorKey(
            "request_timeout", .duration(shortest...600_000_000_000),
            "How long Apple may take to answer a request.", example: "20s", standard: "20s"),
        ConnectorKey(
            "revoke_deadline", .duration(shortest...300_000_000_000),
            "How long a partition that is taken away may take to drain.",
            example: "10s", standard: "10s"),
        ConnectorKey(
            "in_doubt", .word(["collapse", "resend", "report"], later: []),
            "What becomes of a push that was sent and not answered: sent again if it has a "
                + "collapse ID and nothing newer was sent, always sent again (it may show twice), "
                + "or only reported.",
            example: "collapse", standard: "collapse"),
        ConnectorKey("rate", .block(rate), "How many pushes a worker sends in a time."),
        ConnectorKey("retry", .block(retry), "When a push is tried again, and when no more."),
    ]

    private static let rate: [ConnectorKey] = [
        ConnectorKey(
            "per_app", .rate, "How many pushes each worker sends to one app.",
            example: "2000/s"),
        ConnectorKey(
            "per_device", .rate, "How many pushes each worker sends to one device.",
            example: "5/s"),
        ConnectorKey(
            "adaptive", .boolean,
            "Whether fewer pushes are underway at a time while Apple is busy or slow.",
            example: "true", standard: "false"),
    ]

    private static let invalidation: [ConnectorKey] = [
        ConnectorKey(
            "share", .number(0.01...1),
            "The share of unregistered or suspect device tokens above which sending to an app is "
                + "suspended; 1 is never.",
            example: "0.2", standard: "0.2"),
        ConnectorKey(
            "minimum", .integer(1...1_000_000),
            "How many responses an app must have had at least, in each worker.",
            example: "200", standard: "200"),
        ConnectorKey(
            "window", .duration(1_000_000_000...hour), "How long a response counts.",
            example: "1m", standard: "1m"),
    ]

    private static let retry: [ConnectorKey] = [
        ConnectorKey(
            "first", .duration(10_000_000...hour), "The upper bound of the first wait.",
            example: "500ms", standard: "500ms"),
        ConnectorKey(
            "factor", .number(1...10), "By how much each wait is longer than the one before.",
            example: "2", standard: "2"),
        ConnectorKey(
            "longest", .duration(10_000_000...24 * hour), "The upper bound of every wait.",
            example: "5m", standard: "5m"),
        ConnectorKey(
            "max_attempts", .integer(1...1000), "How many attempts there are in all.",
            example: "20", standard: "20"),
        ConnectorKey(
            "give_up_after", .duration(100_000_000...720 * hour),
            "How long after its first attempt a push is given up.",
            example: "1h", standard: "1h"),
    ]

    private static let shortest: UInt64 = 100_000_000
    private static let hour: UInt64 = 3_600_000_000_000
}
