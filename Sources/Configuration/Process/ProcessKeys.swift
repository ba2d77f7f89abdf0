/// The keys of the process settings.
extension ConnectorKey {
    /// Every key allowed at the top level of a `bridge.yaml`.
    static let process: [ConnectorKey] = [
        FileVersion.key,
        ConnectorKey("log", .block(log), "How the process logs."),
        ConnectorKey("admin", .block(admin), "Where health, metrics and status are served."),
        ConnectorKey("telemetry", .block(telemetry), "What metrics distinguish, and traces."),
        ConnectorKey(
            "schema_registry", .block(registry),
            "Where connectors with `format: avro` or `protobuf` look up schemas, unless they name a"
                + " registry of their own."),
    ]

    private static let log: [ConnectorKey] = [
        ConnectorKey(
            "level", .word(ProcessSettings.logLevels, later: []), "The minimum level of log lines.",
            example: "info", standard: "info"),
        ConnectorKey(
            "format", .word(ProcessSettings.logFormats, later: []), "How log lines are written.",
            example: "json", standard: "text"),
        ConnectorKey(
            "summary", .duration(.zero ... .seconds(3600)),
            "How often a line sums up what happened, if anything did; 0 for never.",
            example: "1m", standard: "30s"),
    ]

    private static let telemetry: [ConnectorKey] = [
        ConnectorKey(
            "labels", .texts,
            "Labels of events, from results.labels, that apns_bridge_pushes_total has: "
                + "at most \(ProcessSettings.metricLabelLimit), of whose values the first 50 are "
                + "distinguished.",
            example: "[campaign]"),
        ConnectorKey(
            "otlp", .text,
            "The URL of an OpenTelemetry collector that receives spans of pushes, by OTLP/HTTP in "
                + "JSON.",
            example: "http://127.0.0.1:4318/v1/traces"),
        ConnectorKey(
            "sample", .number(0...1),
            "The share of pushes that are traced, where no traceparent of the event decides.",
            example: "0.1", standard: "0.01"),
    ]

    private static let admin: [ConnectorKey] = [
        ConnectorKey(
            "listen", .text, "Where the admin endpoint listens: HOST:PORT, or unix:PATH.",
            isRequired: true, example: "127.0.0.1:8080"),
        ConnectorKey(
            "host_names", .texts,
            "The names by which clients may call it, besides localhost and any address.",
            example: "[bridge.internal]"),
        ConnectorKey(
            "token_file", .text,
            "A file with the token that all but health and metrics require; must be set where "
                + "other machines can connect.",
            example: "admin.token"),
        ConnectorKey(
            "metrics_token", .boolean,
            "Whether /metrics requires the token, too: metrics show labels of events.",
            example: "true", standard: "false"),
    ]
}
