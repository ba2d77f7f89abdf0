/// The scenarios shipped with the simulator, by name.
public enum ScenarioLibrary {
    /// A shipped scenario: its name and description.
    public struct Entry: Equatable, Sendable {
        /// The name, for `--scenario`.
        public var name: String
        /// A one-line description.
        public var summary: String
    }

    /// The names, in alphabetical order.
    public static let names: [String] = texts.map(\.name)

    /// The shipped scenarios with their descriptions.
    public static func entries() throws(SimulatorError) -> [Entry] {
        var entries: [Entry] = []
        for (name, text) in texts {
            let scenario = try Scenario.parse(text, file: name)
            entries.append(Entry(name: name, summary: scenario.summary))
        }
        return entries
    }

    /// The YAML of a shipped scenario; nil when there is none with that name.
    public static func text(of name: String) -> [UInt8]? {
        texts.first { $0.name == name }?.text
    }

    /// Every file in the folder `Library`, in alphabetical order.
    private static let texts: [(name: String, text: [UInt8])] = [
        ("bad-certificate", PackageResources.bad_certificate_yaml),
        ("bad-day", PackageResources.bad_day_yaml),
        ("broadcast-disabled", PackageResources.broadcast_disabled_yaml),
        ("closed-windows", PackageResources.closed_windows_yaml),
        ("connection-churn", PackageResources.connection_churn_yaml),
        ("connection-cuts", PackageResources.connection_cuts_yaml),
        ("dead-tokens", PackageResources.dead_tokens_yaml),
        ("early-answers", PackageResources.early_answers_yaml),
        ("expired-connections", PackageResources.expired_connections_yaml),
        ("expired-provider-token", PackageResources.expired_provider_token_yaml),
        ("far-away", PackageResources.far_away_yaml),
        ("garbage", PackageResources.garbage_yaml),
        ("goaway", PackageResources.goaway_yaml),
        ("goaway-idle", PackageResources.goaway_idle_yaml),
        ("goaway-too-many-streams", PackageResources.goaway_too_many_streams_yaml),
        ("goaway-two-step", PackageResources.goaway_two_step_yaml),
        ("goaway-unprocessed", PackageResources.goaway_unprocessed_yaml),
        ("goaway-zombie", PackageResources.goaway_zombie_yaml),
        ("half-answers", PackageResources.half_answers_yaml),
        ("hard-day", PackageResources.hard_day_yaml),
        ("load", PackageResources.load_yaml),
        ("lost-answers", PackageResources.lost_answers_yaml),
        ("mass-invalidation", PackageResources.mass_invalidation_yaml),
        ("mass-unregistration", PackageResources.mass_unregistration_yaml),
        ("missing-answers", PackageResources.missing_answers_yaml),
        ("no-http2", PackageResources.no_http2_yaml),
        ("no-streams", PackageResources.no_streams_yaml),
        ("one-app-forbidden", PackageResources.one_app_forbidden_yaml),
        ("refused-connections", PackageResources.refused_connections_yaml),
        ("refused-streams", PackageResources.refused_streams_yaml),
        ("reset-streams", PackageResources.reset_streams_yaml),
        ("revoked-key", PackageResources.revoked_key_yaml),
        ("server-errors", PackageResources.server_errors_yaml),
        ("shutdown", PackageResources.shutdown_yaml),
        ("silence", PackageResources.silence_yaml),
        ("slow", PackageResources.slow_yaml),
        ("slow-reading", PackageResources.slow_reading_yaml),
        ("small-table", PackageResources.small_table_yaml),
        ("small-windows", PackageResources.small_windows_yaml),
        ("stream-limit-after-errors", PackageResources.stream_limit_after_errors_yaml),
        ("stream-limit-swings", PackageResources.stream_limit_swings_yaml),
        ("throttled", PackageResources.throttled_yaml),
        ("throttled-device", PackageResources.throttled_device_yaml),
        ("tls-expired", PackageResources.tls_expired_yaml),
        ("tls-refused", PackageResources.tls_refused_yaml),
        ("tls-silent", PackageResources.tls_silent_yaml),
        ("tls-untrusted", PackageResources.tls_untrusted_yaml),
        ("tls-wrong-host", PackageResources.tls_wrong_host_yaml),
        ("too-many-token-updates", PackageResources.too_many_token_updates_yaml),
        ("topic-disallowed", PackageResources.topic_disallowed_yaml),
        ("unavailable", PackageResources.unavailable_yaml),
        ("unknown-reasons", PackageResources.unknown_reasons_yaml),
        ("unrelated-keys", PackageResources.unrelated_keys_yaml),
        ("wrong-environment", PackageResources.wrong_environment_yaml),
        ("wrong-key-environment", PackageResources.wrong_key_environment_yaml),
    ]
}
