extension ConnectorKey {
    /// Every key allowed at the top level of a connector file.
    static let root: [ConnectorKey] = [
        FileVersion.key,
        ConnectorKey("source", .block(source), "Where events come from.", isRequired: true),
        ConnectorKey(
            "kafka", .properties,
            "Properties of librdkafka, for the consumer and the producer alike.",
            isRequired: true, example: "{bootstrap.servers: \"localhost:9092\"}"),
        kafkaLogin,
        ConnectorKey(
            "schema_registry", .block(registry),
            "Where the schemas of records are looked up; for `format` and `key_format` `avro` and"
                + " `protobuf`."),
        ConnectorKey(
            "apns", .block(apns), "How to connect and authenticate to APNs.", isRequired: true),
        ConnectorKey(
            "when", .pattern,
            "An event pattern as in Amazon EventBridge; records that do not match are skipped.",
            example: "{type: [order.shipped]}"),
        ConnectorKey(
            "notification", .notification,
            "How an event becomes a notification; if absent, events are canonical.",
            example: "{device_token: \"${token}\", ttl: 4h, payload: {aps: {badge: 1}}}"),
        ConnectorKey(
            "notifications", .notifications,
            "Instead of 'notification': a list of them, each with its own condition.",
            example: "[{when: {urgent: [true]}, device_token: \"${token}\", "
                + "ttl: 4h, payload: {aps: {badge: 1}}}]"),
        ConnectorKey(
            "match", .word(["first", "all"], later: []),
            "Which of the 'notifications' an event produces: the first that matches, or all; "
                + "defaults to first.",
            example: "all"),
        ConnectorKey(
            "policy", .policy,
            "What to do with canonical events that Apple would reject; otherwise it belongs in "
                + "'notification'.",
            example: "{collapse_id_too_long: hash}"),
        ConnectorKey("results", .block(results), "The result topics.", isRequired: true),
        ConnectorKey("delivery", .block(delivery), "Order, limits and retries."),
        ConnectorKey(
            "workers", .integer(1...64),
            "The number of workers; each has its own consumer and connections.",
            example: "2", standard: "1"),
        ConnectorKey(
            "startup_deadline", .duration(minimum...hour),
            "How long to retry a Kafka or APNs that is unavailable at startup.",
            example: "60s", standard: "60s"),
        ConnectorKey(
            "shutdown_deadline", .duration(minimum...hour), "How long a shutdown may take.",
            example: "25s", standard: "25s"),
        ConnectorKey(
            "guard", .block(invalidation),
            "When to suspend sending to an app because too many device tokens are unregistered "
                + "or suspect."),
    ]

    private static let source: [ConnectorKey] = [
        ConnectorKey(
            "topics", .texts,
            "The topics to consume: names, and patterns, which begin with ^.",
            isRequired: true, example: "[shop.orders]"),
        ConnectorKey(
            "group", .text, "The consumer group.", isRequired: true, example: "apns-orders"),
        ConnectorKey(
            "format", .word(["json", "cloudevents", "avro", "protobuf"], later: []),
            "The format of the record values.", example: "avro", standard: "json"),
        ConnectorKey(
            "key_format", .word(["json", "avro", "protobuf"], later: []),
            "The format of the record keys, for templates such as `${@key.customer}`; if absent,"
                + " keys are text.",
            example: "json"),
        ConnectorKey(
            "event", .template,
            "The path of the member that is the event, or whose string contains its JSON; if"
                + " absent, the value is the event.",
            example: "\"${payload}\""),
        ConnectorKey(
            "strict_unicode", .boolean,
            "Whether to drop records with half of a surrogate pair, such as `\\ud83d`, anywhere; "
                + "otherwise it is read as U+FFFD, as browsers do.",
            example: "true", standard: "false"),
        ConnectorKey(
            "start", .word(["earliest", "latest"], later: []),
            "Where a group starts in the partitions that a topic has when it begins to read it; it "
                + "reads one that is added later from its beginning.",
            example: "earliest", standard: "earliest"),
        ConnectorKey(
            "new_group", .word(["begin", "confirm"], later: []),
            "What to do with `start: earliest` when the group has committed nothing and the topics "
                + "hold records: begin, or wait until an operator confirms it.",
            example: "confirm", standard: "begin"),
        ConnectorKey(
            "replay", .text,
            "The topic that `apns-bridge replay` writes dead letters to; the connector consumes it"
                + " beside its sources.",
            example: "apns.replay"),
    ]

    /// Where schemas are looked up.
    static let registry: [ConnectorKey] = [
        ConnectorKey(
            "url", .texts,
            "The addresses of a registry with Confluent's API, or, with `id: 8`, of Apicurio; the"
                + " next one is asked when one does not respond.",
            isRequired: true, example: "[\"http://localhost:8081\"]"),
        ConnectorKey(
            "username", .text, "The user, for basic authentication.", example: "bridge"),
        ConnectorKey(
            "password", .text, "The password of the user.", example: "secret"),
        ConnectorKey(
            "token", .text, "A bearer token, instead of a user.", example: "secret"),
        ConnectorKey(
            "ca_file", .text,
            "A PEM file of the certificate authorities to trust; by default the system's.",
            example: "ca.pem"),
        ConnectorKey(
            "certificate", .text, "A client certificate, as the path of a PEM file.",
            example: "registry.pem"),
        ConnectorKey(
            "certificate_key", .text,
            "The private key of the certificate, if it is in a separate file.",
            example: "registry.key"),
        ConnectorKey(
            "timeout", .duration(minimum ... .seconds(60)), "How long a request may take.",
            example: "10s", standard: "10s"),
        ConnectorKey(
            "id", .choice([4, 8]),
            "The number of bytes of a schema's ID in front of a value: 4 as Confluent's serializers"
                + " write it, or 8 as Apicurio's do.",
            example: "8", standard: "4"),
        ConnectorKey(
            "ids", .word(["global", "content"], later: []),
            "What an ID of eight bytes is: the global ID of a schema, or the ID of its content.",
            example: "content", standard: "global"),
    ]

    /// The keys of an app; next to `apps` they are the defaults of all apps.
    private static let app: [ConnectorKey] = [
        ConnectorKey(
            "environment", .word(["production", "development", "sandbox"], later: []),
            "The APNs environment that the device tokens belong to: development, which Apple calls "
                + "sandbox, for apps that Xcode installed; production for all others, TestFlight "
                + "included.",
            example: "production"),
        ConnectorKey(
            "endpoint", .text, "The address of a simulator or a gateway, instead of Apple's.",
            example: "https://localhost:2197"),
        ConnectorKey(
            "ca_file", .text,
            "A PEM file of the certificate authorities to trust for the endpoint.",
            example: "ca.pem"),
        ConnectorKey(
            "key", .text, "The signing key as PEM: the contents of the .p8 file.", isRequired: true,
            unless: "certificate", "apps", example: "\"${file:AuthKey.p8}\""),
        ConnectorKey(
            "key_id", .text, "The key's ID: ten letters and digits.", isRequired: true,
            unless: "certificate", "apps", example: "ABC123DEFG"),
        ConnectorKey(
            "team_id", .text, "The team's ID: ten letters and digits.", isRequired: true,
            unless: "certificate", "apps", example: "DEF123GHIJ"),
        ConnectorKey(
            "bundle_id", .text,
            "The app's bundle identifier; with a certificate by default the UID in its subject.",
            isRequired: true, unless: "certificate", "apps", example: "com.example.shop"),
        ConnectorKey(
            "certificate", .text,
            "Instead of a key: a client certificate, as the path of a PEM or PKCS#12 file.",
            example: "push.p12"),
        ConnectorKey(
            "certificate_key", .text,
            "The private key of a PEM certificate, if it is in a separate file.",
            example: "push.key"),
        ConnectorKey(
            "passphrase", .text, "The passphrase of a PKCS#12 file or an encrypted key.",
            example: "secret"),
        ConnectorKey(
            "port", .choice([443, 2197]), "Apple's port, for networks that block 443.",
            example: "2197", standard: "443"),
        ConnectorKey(
            "proxy", .text, "The HTTP proxy to connect through.",
            example: "http://proxy.example.com:3128"),
    ]

    private static let apns: [ConnectorKey] =
        app + [
            ConnectorKey(
                "connections", .automatic(1...64),
                "The number of connections per worker; `auto` opens 2, and up to 16 while they"
                    + " are what limits the rate.",
                example: "4", standard: "auto"),
            ConnectorKey(
                "max_streams", .integer(1...10_000),
                "The maximum number of concurrent requests per connection, even if Apple allows"
                    + " more.",
                example: "500"),
            ConnectorKey(
                "apps", .named(app),
                "Several apps by name; each adds the settings that are not next to 'apps'.",
                example: "{live: {environment: production}, test: {environment: development}}"),
            ConnectorKey(
                "allowed_bundle_ids", .texts,
                "The bundle identifiers that events may name besides those of the connector;"
                    + " `com.example.*` allows all that begin so.",
                example: "[com.example.*]"),
            ConnectorKey(
                "app", .template,
                "Which of the 'apps' an event is for; by default the one with its bundle_id and"
                    + " environment.",
                example: "${app}"),
            ConnectorKey(
                "connect_stagger", .duration(.zero ... .seconds(60)),
                "The delay between opening two connections; none for an endpoint on this machine.",
                example: "250ms", standard: "250ms"),
            ConnectorKey(
                "ping_interval", .duration(.zero ... .seconds(3600)),
                "How long a connection may be silent before a PING checks it; 0 for any time.",
                example: "60s", standard: "60s"),
        ]

    private static let results: [ConnectorKey] = [
        ConnectorKey(
            "outcomes", .text, "The topic for outcomes.", isRequired: true,
            example: "apns.outcomes"),
        ConnectorKey(
            "unregistered", .text,
            "The compacted topic for device tokens that are unregistered.",
            isRequired: true, example: "apns.unregistered"),
        ConnectorKey(
            "dead_letter", .text, "The topic for records that could not be delivered.",
            isRequired: true, example: "apns.dead-letter"),
        ConnectorKey(
            "device_token", .word(["full", "hashed", "omitted"], later: []),
            "How outcomes show the device token; unless full, dead letters leave out the event.",
            example: "hashed", standard: "full"),
        ConnectorKey(
            "cloudevents", .word(["none", "binary", "structured"], later: []),
            "Whether outcomes are CloudEvents: in binary mode (headers) or structured mode.",
            example: "binary", standard: "none"),
        ConnectorKey(
            "partitioner", .word(["source", "key"], later: []),
            "The partition of an outcome: the same number as its source record's if the"
                + " topic has at least as many partitions as the source topic, or by key.",
            example: "key", standard: "source"),
        ConnectorKey(
            "filtered", .boolean,
            "Whether a record that 'when' skips also gets an outcome.", example: "true",
            standard: "false"),
        ConnectorKey(
            "retry", .text,
            "The topic for pushes that wait for a retry when memory is full; the "
                + "connector consumes it itself.",
            example: "apns.retry"),
        ConnectorKey(
            "labels", .templates,
            "Up to 16 strings or numbers of the event, at most 64 bytes each, that its result"
                + " records repeat.",
            example: "{campaign: \"${campaign.id?}\"}"),
        seal, sealSince,
        ConnectorKey(
            "event_key", .boolean,
            "Whether outcomes contain the key of the source record as a field; it may be personal"
                + " data.", example: "true", standard: "false"),
    ]

    /// What records that are read again are sealed with.
    static let seal = ConnectorKey(
        "seal", .texts,
        "Keys that seal retry, replay, dead-letter and unregistered records; the first one seals,"
            + " each is accepted.",
        example: "[\"${file:seal.key}\"]")

    /// Which records need no seal.
    static let sealSince = ConnectorKey(
        "seal_since", .text,
        "Records need no seal that a broker has stored before this time, in topics with"
            + " LogAppendTime.",
        example: "2026-01-01T10:00:00Z")

    private static let delivery: [ConnectorKey] = [
        ConnectorKey(
            "ordering", .word(["none", "device", "key", "collapse", "partition"], later: []),
            "Which pushes are sent one after another: none, or those to the same device, with "
                + "the same key, with the same device and collapse ID, or of the same partition.",
            example: "none", standard: "none"),
        ConnectorKey(
            "max_in_flight", .integer(1...1_000_000),
            "The maximum number of records in flight per worker.", example: "4000", standard: "4000"
        ),
        ConnectorKey(
            "max_in_flight_bytes", .bytes(1_048_576...68_719_476_736),
            "The maximum size of the records in flight per worker.",
            example: "64MiB", standard: "64MiB"),
        ConnectorKey(
            "max_waiting", .integer(1...1_000_000),
            "The maximum number of records that wait for a retry or a suspended app, per worker.",
            example: "10000", standard: "10000", formerly: "max_parked"),
        ConnectorKey(
            "max_waiting_bytes", .bytes(1_048_576...68_719_476_736),
            "The maximum size of the records that wait for a retry or a suspended app.",
            example: "64MiB", standard: "64MiB", formerly: "max_parked_bytes"),
        ConnectorKey(
            "max_uncommitted", .integer(2...10_000_000),
            "The maximum number of records of a partition that may be done but not committed, for"
                + " example while the group rebalances; a crash repeats up to this many.",
            example: "50000", standard: "50000"),
        ConnectorKey(
            "request_timeout", .duration(minimum ... .seconds(600)),
            "How long to wait for Apple's response to a request.", example: "20s", standard: "20s"),
        ConnectorKey(
            "revoke_deadline", .duration(minimum ... .seconds(300)),
            "How long a revoked partition may take to drain.",
            example: "10s", standard: "10s"),
        ConnectorKey(
            "remember_unregistered", .duration(.zero ... .seconds(86_400 * 30)),
            "How long, after a 410, to withhold events older than it from that device: they are"
                + " dropped as 'remembered_unregistered'; 0s to send them.",
            example: "24h", standard: "24h"),
        ConnectorKey(
            "in_doubt", .word(["collapse", "resend", "report"], later: []),
            "What to do with a push that was sent but got no response: send it again if the device "
                + "merges or orders repetitions and nothing newer was sent, always send it again"
                + " (it may show twice), or only report it.",
            example: "collapse", standard: "collapse"),
        ConnectorKey(
            "in_doubt_dead_letter", .boolean,
            "Whether a push in doubt that is not sent again leaves a dead letter; 'replay' sends it"
                + " only with --reason in_doubt.",
            example: "true", standard: "false"),
        ConnectorKey(
            "supersede", .word(["retries", "backlog", "none"], later: []),
            "Which pushes are dropped as 'superseded' for a newer one to the device with the same"
                + " collapse ID: those that would be sent again after it; also those not sent yet"
                + " when it is read, and updates of a Live Activity; or none.",
            example: "retries", standard: "retries"),
        ConnectorKey("rate", .block(rate), "Limits on the rate of pushes."),
        ConnectorKey("retry", .block(retry), "When to retry a push, and when to give up."),
    ]

    private static let rate: [ConnectorKey] = [
        ConnectorKey(
            "per_app", .rate, "The maximum rate of pushes per app and worker.",
            example: "2000/s"),
        ConnectorKey(
            "of", .word(["worker", "group"], later: []),
            "Whether per_app is the rate of each worker, or of the whole group, of which each"
                + " worker has the share that it has of the partitions of the source topics.",
            example: "group", standard: "worker"),
        ConnectorKey(
            "per_device", .rate, "The maximum rate of pushes per device and worker.",
            example: "5/s"),
        ConnectorKey(
            "adaptive", .boolean,
            "Whether to keep fewer pushes in flight while Apple is busy or slow.",
            example: "true", standard: "false"),
    ]

    private static let invalidation: [ConnectorKey] = [
        ConnectorKey(
            "share", .number(0.01...1),
            "The share of unregistered or suspect device tokens above which sending to an app is "
                + "suspended; 1 means never.",
            example: "0.2", standard: "0.2"),
        ConnectorKey(
            "minimum", .integer(1...1_000_000),
            "The minimum number of different device tokens within the window before the share"
                + " counts, per worker; with fewer, the last 40 tokens are looked at.",
            example: "200", standard: "200"),
        ConnectorKey(
            "window", .duration(.seconds(1)...hour), "How long a response counts.",
            example: "1m", standard: "1m"),
    ]

    private static let retry: [ConnectorKey] = [
        ConnectorKey(
            "first", .duration(.milliseconds(10)...hour), "The upper bound of the first wait.",
            example: "500ms", standard: "500ms"),
        ConnectorKey(
            "factor", .number(1...10), "The factor by which each wait grows.",
            example: "2", standard: "2"),
        ConnectorKey(
            "longest", .duration(.milliseconds(10)...hour * 24), "The upper bound of every wait.",
            example: "5m", standard: "5m"),
        ConnectorKey(
            "max_attempts", .integer(1...1000), "The maximum number of attempts.",
            example: "20", standard: "20"),
        ConnectorKey(
            "give_up_after", .duration(.milliseconds(100)...hour * 720),
            "How long after its first attempt to give up a push.",
            example: "1h", standard: "1h"),
    ]

    private static let minimum = Duration.milliseconds(100)
    private static let hour = Duration.seconds(3600)
}
