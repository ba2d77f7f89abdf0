/// The keys of the two files for legacy providers.
extension ConnectorKey {
    /// Every key allowed at the top level of a `*.legacy-gateway.yaml`.
    static let legacyGateway: [ConnectorKey] = [
        FileVersion.key,
        listen(port: 2195),
        legacyKafka,
        kafkaLogin,
        ConnectorKey(
            "topic", .text,
            "The topic for the events; a connector without 'notification' consumes it.",
            isRequired: true, example: "legacy.pushes"),
        legacyApps,
        ConnectorKey("limits", .block(gatewayLimits), "Limits on what providers may send."),
        ConnectorKey(
            "shutdown_deadline", .duration(.milliseconds(100) ... .seconds(3600)),
            "How long a shutdown may take.", example: "25s", standard: "25s"),
    ]

    /// Every key allowed at the top level of a `*.feedback-service.yaml`.
    static let feedbackService: [ConnectorKey] = [
        FileVersion.key,
        listen(port: 2196),
        legacyKafka,
        kafkaLogin,
        ConnectorKey(
            "unregistered", .text,
            "The topic of the device tokens that are unregistered, as a connector's "
                + "results name it.",
            isRequired: true, example: "apns.unregistered"),
        ConnectorKey(
            "group", .text,
            "The prefix of the consumer groups; each app has its own: GROUP.APP.",
            isRequired: true, example: "apns-feedback"),
        seal,
        sealSince,
        legacyApps,
        ConnectorKey(
            "limits", .block([connections]), "The maximum number of connected providers."),
    ]

    private static let legacyKafka = ConnectorKey(
        "kafka", .properties, "Properties of librdkafka.", isRequired: true,
        example: "{bootstrap.servers: \"localhost:9092\"}")

    private static let legacyApps = ConnectorKey(
        "apps", .named(legacyApp), "The apps, each with its providers' certificates.",
        isRequired: true,
        example: "{shop: {bundle_id: com.example.shop, client_ca_file: clients.pem}}")

    private static func listen(port: Int) -> ConnectorKey {
        ConnectorKey(
            "listen",
            .block([
                ConnectorKey(
                    "host", .text, "The address or host name to listen on.",
                    example: "0.0.0.0", standard: "127.0.0.1"),
                ConnectorKey(
                    "port", .integer(0...65_535), "The port to listen on; 0 picks a free one.",
                    example: "\(port)", standard: "\(port)"),
                ConnectorKey(
                    "certificate", .text,
                    "The server certificate: a PEM or PKCS#12 file.",
                    isRequired: true, example: "gateway.pem"),
                ConnectorKey(
                    "certificate_key", .text,
                    "Its private key as PEM, if it is in a separate file.",
                    example: "gateway.key"),
                ConnectorKey(
                    "passphrase", .text, "The passphrase of the certificate's file or key.",
                    example: "secret"),
            ]), "The listening socket.", isRequired: true)
    }

    private static let legacyApp: [ConnectorKey] = [
        ConnectorKey(
            "bundle_id", .text, "The app's bundle identifier.", isRequired: true,
            example: "com.example.shop"),
        ConnectorKey(
            "environment", .word(["production", "development", "sandbox"], later: []),
            "The APNs environment that the device tokens belong to.", example: "production",
            standard: "production"),
        ConnectorKey(
            "client_ca_file", .text,
            "A PEM file of the authorities to trust for a provider's certificate, which "
                + "must name the bundle identifier in its subject's UID, as Apple's do.",
            isRequired: true, unless: "client_fingerprints", example: "clients.pem"),
        ConnectorKey(
            "client_fingerprints", .texts,
            "The SHA-256 fingerprints of certificates to accept regardless of their issuer.",
            example: "[\"" + Array(repeating: "3F", count: 32).joined(separator: ":") + "\"]"),
    ]

    private static let connections = ConnectorKey(
        "connections", .integer(1...10_000), "The maximum number of connections.",
        example: "1000", standard: "1000")

    private static let gatewayLimits: [ConnectorKey] = [
        connections,
        ConnectorKey(
            "payload", .bytes(1...4096), "The largest payload for commands 0 and 1.",
            example: "2048", standard: "256"),
        ConnectorKey(
            "frame_payload", .bytes(1...4096), "The largest payload for command 2.",
            example: "4096", standard: "2048"),
        ConnectorKey(
            "in_flight", .integer(1...1_000_000),
            "How many pushes may wait for Kafka before reading pauses.",
            example: "10000", standard: "10000"),
        ConnectorKey(
            "idle", .duration(.seconds(1) ... .seconds(604_800)),
            "How long a connection may be idle before it is closed.", example: "1h",
            standard: "1h"),
    ]
}
