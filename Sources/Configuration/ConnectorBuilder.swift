internal import Delivery
internal import Kafka
internal import Mapping
internal import TLS
internal import YAML

/// Assembles a connector from its settings, and checks combinations of keys.
struct ConnectorBuilder {
    let file: String
    let settings: [String: Setting]
    let root: YAMLNode
    let resolver: ReferenceResolver
    let findings: Findings
    /// The example event, for checking.
    let example: ExampleEvent?
    /// What events can be, for checking.
    let schemas: EventSchemas

    /// The connector; nil when something is missing or wrong. Every problem is reported.
    func build() -> Connector? {
        let name = checkedName()
        let source = source()
        let results = results()
        checkLoops()
        checkReplay()
        checkOrder()
        adviseOnSeal()
        adviseOnSecretFiles()
        let (kafka, login) = KafkaLoginBlock(
            settings: settings, resolver: resolver, findings: findings
        ).readWithKafka()
        let apns = APNsBlock(
            settings: settings, block: root["apns"], resolver: resolver, findings: findings
        ).read()
        let registry = registry()
        checkPatterns(source, kafka)
        let retry = retry()
        let plan = plan(apns)
        adviseOnNotifications()
        if resolver.mode.isAdvising { adviseOnCertificates(apns) }
        if let example, let plan {
            example.check(with: plan, topic: source?.firstTopic ?? "-", to: findings)
        }
        guard !findings.hasErrors, !findings.isIncomplete, let name, let source, let results,
            let kafka, let apns, let plan
        else { return nil }
        let standard = DeliverySettings()
        var connector = Connector(
            name: name, file: file, source: source, kafka: kafka, apns: apns, plan: plan,
            results: results,
            delivery: DeliverySettings(
                ordering: word("delivery.ordering") ?? standard.ordering,
                maxInFlight: integer("delivery.max_in_flight") ?? standard.maxInFlight,
                maxInFlightBytes: integer("delivery.max_in_flight_bytes")
                    ?? standard.maxInFlightBytes,
                maxWaiting: integer("delivery.max_waiting") ?? standard.maxWaiting,
                maxWaitingBytes: integer("delivery.max_waiting_bytes") ?? standard.maxWaitingBytes,
                maxUncommitted: integer("delivery.max_uncommitted") ?? standard.maxUncommitted,
                requestTimeout: duration("delivery.request_timeout")
                    ?? standard.requestTimeout,
                revokeDeadline: duration("delivery.revoke_deadline")
                    ?? standard.revokeDeadline,
                rememberUnregistered: duration("delivery.remember_unregistered")
                    ?? standard.rememberUnregistered,
                inDoubt: word("delivery.in_doubt") ?? standard.inDoubt, rate: rate, retry: retry),
            invalidation: invalidation, workers: integer("workers") ?? 1,
            shutdownDeadline: duration("shutdown_deadline") ?? .seconds(25),
            locations: SettingLocations(file: file, root: root, settings: settings))
        connector.delivery.inDoubtDeadLetter = boolean("delivery.in_doubt_dead_letter") ?? false
        connector.delivery.supersede = word("delivery.supersede") ?? connector.delivery.supersede
        connector.kafkaLogin = login
        connector.schemaRegistry = registry
        connector.startupDeadline = duration("startup_deadline") ?? connector.startupDeadline
        connector.files = resolver.files.paths
        connector.processFile = resolver.processFile
        if resolver.mode != .run { connector.resolved = findings.secrets }
        connector.settingsDigest = SettingsDigest(root).text
        return connector
    }

    /// The name is used in headers, client IDs and metrics.
    private func checkedName() -> String? {
        let name = FilePath.baseName(file)
        let isFine = name.allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0))
        }
        guard isFine, !name.isEmpty else {
            findings.error(
                "the connector takes its name from the file, and '\(name)' is not a valid name",
                "rename the file: letters, digits, '-', '_' and '.' only")
            return nil
        }
        return name
    }

    private func registry() -> SchemaRegistrySettings? {
        RegistryBlock(
            settings: settings, resolver: resolver, findings: findings,
            isWritten: root["schema_registry"] != nil
        ).read(
            for: ["format", "key_format"].map { name in
                (name, word("source.\(name)"), root["source"]?[name] != nil)
            })
    }

    private func source() -> SourceSettings? {
        var names: [String] = []
        for (name, node) in texts("source.topics") {
            if TopicPattern.isPattern(name) {
                PatternCheck(node: node, findings: findings).check(name)
            } else {
                TopicName.check(name, node, findings)
            }
            if names.contains(name) {
                findings.error(node, "the topic is listed twice", "remove one")
            }
            names.append(name)
        }
        if names.isEmpty { names = standIns("source.topics") }
        guard !names.isEmpty, let group = needed("source.group") else { return nil }
        return SourceSettings(
            topics: TopicSelection(names), group: group, format: word("source.format") ?? .json,
            keyFormat: word("source.key_format"),
            start: word("source.start") ?? .earliest,
            newGroup: word("source.new_group") ?? .begin, replay: text("source.replay"))
    }

    private func results() -> ResultsSettings? {
        let keys = ["outcomes", "unregistered", "dead_letter", "retry"].map { "results.\($0)" }
        var owners: [String: String] = [:]
        for key in keys {
            guard let setting = settings[key], let topic = text(key) else { continue }
            TopicName.check(topic, setting.node, findings)
            if let owner = owners[topic] {
                findings.error(
                    setting.node, "'\(setting.key.text ?? key)' has the same topic as '\(owner)'",
                    "use separate topics: they need different keys and retention")
            }
            owners[topic] = setting.key.text
        }
        let seal = SealReader(settings: settings, findings: findings, prefix: "results.").read()
        guard let outcomes = needed(keys[0]), let unregistered = needed(keys[1]),
            let deadLetter = needed(keys[2])
        else { return nil }
        var results = ResultsSettings(
            outcomes: outcomes, unregistered: unregistered, deadLetter: deadLetter,
            retry: text(keys[3]), deviceTokens: word("results.device_token") ?? .full,
            reportsFiltered: boolean("results.filtered") ?? false,
            cloudEvents: word("results.cloudevents") ?? .none,
            partitioner: word("results.partitioner") ?? .source,
            containsEventKey: boolean("results.event_key") ?? false)
        results.seal = seal
        return results
    }

    /// Pushes that wait in a topic are overtaken by later ones.
    private func checkOrder() {
        let ordering: DeliverySettings.Ordering = word("delivery.ordering") ?? .none
        guard let setting = settings["results.retry"], ordering != .none else { return }
        findings.error(
            setting.node,
            "'retry' cannot be used with 'ordering: \(ordering.rawValue)': later pushes would "
                + "overtake those that wait there",
            "remove it to keep waiting pushes in memory, or write ordering: none")
    }

    private var sourceTopics: TopicSelection {
        TopicSelection(texts("source.topics").map(\.text))
    }

    /// A result that is read again as an event would produce further results, forever.
    private func checkLoops() {
        let sources = sourceTopics
        for name in ["outcomes", "unregistered", "dead_letter", "retry"] {
            guard let setting = settings["results.\(name)"], let topic = text("results.\(name)")
            else { continue }
            if sources.names.contains(topic) {
                findings.error(
                    setting.node, "'\(name)' is a topic that 'source' reads: an endless loop",
                    "write results to a topic that is not a source")
            } else if let pattern = sources.pattern(of: topic) {
                findings.error(
                    setting.node,
                    "'\(name)' is a topic that 'source' reads, by the pattern '\(pattern.text)': an"
                        + " endless loop", remedy(for: pattern, name))
            }
        }
    }

    /// Every record of the replay topic is taken for a dead letter that is sent again.
    private func checkReplay() {
        guard let setting = settings["source.replay"], let topic = text("source.replay") else {
            return
        }
        TopicName.check(topic, setting.node, findings)
        let results = ["outcomes", "unregistered", "dead_letter", "retry"].map { "results.\($0)" }
        let sources = sourceTopics
        if let pattern = sources.pattern(of: topic) {
            findings.error(
                setting.node, "'replay' matches '\(pattern.text)' in 'source.topics'",
                remedy(for: pattern, "replay"))
        }
        let isSource = sources.names.contains(topic)
        let owner = isSource ? "source.topics" : results.first { text($0) == topic }
        guard let owner else { return }
        findings.error(
            setting.node, "'replay' has the same topic as '\(owner)'",
            "give it a topic of its own, which only 'apns-bridge replay' writes to")
    }

    /// A name that the pattern does not match, or how to narrow a pattern that matches that, too.
    private func remedy(for pattern: TopicPattern, _ setting: String) -> String {
        let word = ["dead_letter": "dead-letter"][setting] ?? setting
        return ["apns.\(word)", "push.\(word)"].first { !pattern.matches($0) }
            .map { "name it differently, for example \(setting): \($0), or narrow the pattern" }
            ?? "narrow the pattern, for example to '^shop\\..*'"
    }

    private func retry() -> RetryPolicy {
        var retry = RetryPolicy()
        let maximum = settings["delivery.retry.longest"]
        retry.first = duration("delivery.retry.first") ?? retry.first
        if case .number(let factor)? = settings["delivery.retry.factor"]?.value {
            retry.factor = factor
        }
        retry.maximum = duration("delivery.retry.longest") ?? retry.maximum
        retry.maxAttempts = integer("delivery.retry.max_attempts") ?? retry.maxAttempts
        retry.giveUpAfter = duration("delivery.retry.give_up_after") ?? retry.giveUpAfter
        if let node = (maximum ?? settings["delivery.retry.first"])?.node,
            retry.maximum < retry.first
        {
            findings.error(
                node, "'longest' is shorter than 'first'",
                "write at least \(DurationText.text(retry.first)) for 'longest'")
        }
        return retry
    }

    private var invalidation: GuardSettings {
        var limits = GuardSettings()
        if case .number(let share)? = settings["guard.share"]?.value { limits.share = share }
        limits.minimum = integer("guard.minimum") ?? limits.minimum
        limits.window = duration("guard.window") ?? limits.window
        return limits
    }

    private var rate: RateSettings {
        func rate(_ name: String) -> PushRate? {
            let value = settings["delivery.rate.\(name)"]?.value
            return if case .rate(let rate)? = value { rate } else { nil }
        }
        var rates = RateSettings(
            perApp: rate("per_app"), perDevice: rate("per_device"),
            isAdaptive: boolean("delivery.rate.adaptive") ?? false)
        rates.owner = word("delivery.rate.of") ?? rates.owner
        adviseOnRate()
        return rates
    }

    private func plan(_ apns: APNsSettings?) -> MappingPlan? {
        let environment: APNsSettings.Environment? = word("apns.environment")
        var defaults = MappingDefaults(
            fileName: file,
            bundleID: needed("apns.bundle_id") ?? apns?.apps.first?.bundleID
                ?? StandInApp.bundleID(settings),
            environment: environment?.rawValue)
        if settings["apns.apps"] != nil {
            let apps = (apns?.apps ?? []).map {
                MappingApp(
                    name: $0.name, bundleID: $0.bundleID, environment: $0.environment.rawValue)
            }
            defaults = MappingDefaults(fileName: file, apps: apps, app: nil)
        }
        // Apps that cannot be read are one mistake, not two.
        defaults.allowedBundleIDs = allowedBundleIDs(apns) ?? (apns == nil ? [] : nil)
        defaults.example = example?.bytes
        defaults.schemas = EventSchemas(value: fittingSchema(), key: fittingKeySchema())
        defaults.isStrictUnicode = boolean("source.strict_unicode") ?? false
        return MappingCompiler(resolver: resolver, findings: findings).compile(
            settings, defaults: defaults)
    }
}

extension ConnectorBuilder {
    /// The bundle identifiers that events may name; nil when that is not written.
    private func allowedBundleIDs(_ apns: APNsSettings?) -> [String]? {
        guard settings["apns.allowed_bundle_ids"] != nil else {
            adviseOnBundleIDs()
            return nil
        }
        let written = texts("apns.allowed_bundle_ids")
        for (text, node) in written where !BundleIdentifier.isPattern(Array(text.utf8)) {
            findings.error(
                node, "'allowed_bundle_ids' contains something that is not a bundle identifier",
                "write com.example.shop, com.example.* for all that begin so, or * for all")
        }
        let apps = apns?.apps ?? []
        guard !apps.isEmpty, apps.allSatisfy({ $0.environment == .development }) else {
            return written.map(\.text)
        }
        for (text, node) in written where BundleIdentifier.isOfWallet(Array(text.utf8)) {
            findings.warning(
                node, "passes and orders in Wallet take pushes in production only",
                "write environment: production, or remove '\(text)'")
        }
        return written.map(\.text)
    }

    private func text(_ path: String) -> String? { settings[path]?.text }

    /// A required string; for inspecting a connector, the text as written is sufficient.
    private func needed(_ path: String) -> String? { text(path) ?? standIns(path).first }

    private func standIns(_ path: String) -> [String] {
        resolver.mode.mode(at: path).isInspecting ? settings[path]?.standIns ?? [] : []
    }

    private func texts(_ path: String) -> [(text: String, node: YAMLNode)] {
        if case .texts(let texts)? = settings[path]?.value { texts } else { [] }
    }

    private func integer(_ path: String) -> Int? {
        if case .integer(let number)? = settings[path]?.value { number } else { nil }
    }

    private func boolean(_ path: String) -> Bool? {
        if case .boolean(let flag)? = settings[path]?.value { flag } else { nil }
    }

    private func duration(_ path: String) -> Duration? {
        if case .duration(let length)? = settings[path]?.value { length } else { nil }
    }

    private func word<Word: RawRepresentable<String>>(_ path: String) -> Word? {
        text(path).flatMap { Word(rawValue: $0) }
    }
}
