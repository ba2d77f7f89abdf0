internal import Delivery
internal import Encoding
internal import Engine
internal import Telemetry

/// What the log says for a notice of the engine: all of its sentences are here.
struct NoticeLine: Equatable {
    var level: LogLevel
    var message: String
    var fields: Logger.Metadata

    init(_ level: LogLevel, _ message: String, _ fields: Logger.Metadata = [:]) {
        self.level = level
        self.message = message
        self.fields = fields
    }

    init(
        _ level: LogLevel, _ message: String, _ partition: TopicPartition, _ fields: Logger.Metadata
    ) {
        self.init(level, message, fields)
        self.fields["topic"] = .string(partition.topic)
        self.fields["partition"] = .number(partition.partition)
    }

    /// The line for a notice.
    init(_ notice: Notice) {
        switch notice {
        case .decided(let push, let decision): self = Self.decided(push, decision)
        case .retried(let push, let delay, let status, let reason):
            self = Self.retried(push, delay, status, reason)
        case .suspended(let suspension): self = Self.suspended(suspension)
        case .resumed(let apps):
            self.init(
                .info, "APNs accepts pushes again; sending resumed", ["apps": .strings(apps)])
        case .guardEngaged(let alarm): self = Self.engaged(alarm)
        case .guardReleased(let app, let withheld, let byOperator):
            self = Self.released(app, withheld, byOperator)
        case .undocumented(let response): self = Self.undocumented(response)
        case .malformed(let response): self = Self.malformed(response)
        case .pausedForApp(let app, let partition, let waiting):
            self = Self.paused(for: app, partition, waiting)
        case .pausedByCommitSize(let partition, let oldest, let above, let hasRetryTopic):
            self = Self.paused(partition, oldest, above, hasRetryTopic)
        case .pausedUncommitted(let partition, let uncommitted):
            self = Self.paused(partition, uncommitted)
        case .metadataRefused(let characters, let left):
            self = Self.metadataRefused(characters, left)
        case .positionReset(let partition, let reset): self = Self.reset(partition, reset)
        case .partitionAdded(let partition, let offset):
            self.init(
                .info, "a partition was added to a topic; reading it from its beginning", partition,
                ["offset": .number(offset)])
        case .awaitsSchema(let partition, let schema, let detail, let isUnknown):
            self = Self.awaits(partition, schema, detail, isUnknown)
        case .schemaUnknown(let schema): self = Self.unknown(schema)
        case .schemasFound(let schema):
            self.init(
                .info, "the schemas of records are found again; taking them resumed",
                ["schema": .string(schema)])
        case .takenOneAtATime(let partition, let starts):
            self = Self.takenOneAtATime(partition, starts)
        case .takenNormally(let partition):
            self.init(.info, "records of the partition are taken normally again", partition, [:])
        case .crashed(let partition, let offset, let crashes, let verdict):
            self = Self.crashed(partition, offset, crashes, verdict)
        case .refused(let topic, let failure): self = Self.refused(topic, failure)
        case .stillRefused(let refusals): self = Self.stillRefused(refusals)
        case .storedAgain(let refusals):
            self.init(.info, "Kafka stores result records again", Self.fields(of: refusals))
        case .noneRefused(let refusals):
            self.init(
                .info, "no refused result record waits here any longer",
                Self.fields(of: refusals))
        case .clockDoubted(let step, let byBroker): self = Self.doubted(step, byBroker)
        case .clockTrusted(let byOperator): self = Self.trusted(byOperator)
        }
    }
}

// MARK: Single pushes

extension NoticeLine {
    private static func fields(of push: Notice.PushNotice) -> Logger.Metadata {
        [
            "apns_id": "\(push.id)", "topic": .string(push.topicPartition.topic),
            "partition": .number(push.topicPartition.partition), "offset": .number(push.offset),
            "index": .number(push.index), "app": .string(push.app),
            "attempts": .number(push.attempts),
        ]
    }

    private static func decided(_ push: Notice.PushNotice, _ decision: Notice.Decision) -> Self {
        var fields = fields(of: push)
        fields["verdict"] = .string(decision.verdict.rawValue)
        if let token = decision.deviceToken { fields["device_token"] = .string(token) }
        if let channel = decision.channelID { fields["channel_id"] = .string(channel) }
        if decision.status > 0 { fields["status"] = .number(decision.status) }
        if let reason = decision.reason { fields["reason"] = .string(reason) }
        return Self(.trace, "push decided", fields)
    }

    private static func retried(
        _ push: Notice.PushNotice, _ delay: Duration, _ status: Int?, _ reason: String?
    ) -> Self {
        var fields = fields(of: push)
        fields["delay_ms"] = .number(delay.milliseconds)
        if let status { fields["last_status"] = .number(status) }
        if let reason { fields["last_reason"] = .string(reason) }
        return Self(.debug, "push waits for a retry", fields)
    }
}

// MARK: Responses of APNs

extension NoticeLine {
    private static let whatResumes =
        "; offsets are kept, nothing is lost, and other apps are not affected; sending resumes"
        + " when a probe succeeds"

    private static func suspended(_ suspension: Notice.Suspension) -> Self {
        var fields: Logger.Metadata = [
            "apps": .strings(suspension.apps), "bundle_id": .strings(suspension.bundleIDs),
            "credential": .string(suspension.credential), "meaning": .string(suspension.meaning),
        ]
        switch suspension.cause {
        case .foreign(let status, let reason):
            fields["status"] = .number(status)
            fields["reason"] = .string(reason)
            fields["action"] = "\(suspension.fix)\(whatResumes)"
            return Self(.error, "sending suspended: the peer is not APNs", fields)
        case .response(let status, let reason):
            fields["status"] = .number(status)
            fields["reason"] = .string(reason)
        case .goAway(let reason):
            fields["frame"] = "GOAWAY"
            fields["reason"] = .string(reason)
        }
        fields["action"] = "\(suspension.fix)\(whatResumes)"
        return Self(
            .error, "sending suspended: APNs rejected the credential or its configuration", fields)
    }

    private static func engaged(_ alarm: Notice.GuardAlarm) -> Self {
        Self(
            .error, "sending suspended: too many device tokens are unregistered or suspect",
            [
                "apps": .strings([alarm.app]), "bundle_id": .strings([alarm.bundleID]),
                "responses": .number(alarm.responses),
                "unregistered_or_suspect": .number(alarm.bad),
                "limit": .string(String(alarm.limit)),
                "window_seconds": .number(alarm.window.components.seconds),
                "action": .string(
                    "check bundle_id, environment and the source of the tokens; meanwhile"
                        + " no token is reported as unregistered; send SIGUSR1 if the"
                        + " responses are right, or wait: 20 tokens are probed at growing"
                        + " intervals; while the share of bad ones stays as high, no probe"
                        + " releases the guard"),
            ])
    }

    private static func released(_ app: String, _ withheld: Int, _ byOperator: Bool) -> Self {
        Self(
            .info,
            byOperator
                ? "guard released by the operator; sending resumed"
                : "a probe of device tokens succeeded; sending resumed",
            ["apps": .strings([app]), "withheld": .number(withheld)])
    }

    private static func fields(of response: Notice.OddResponse) -> Logger.Metadata {
        [
            "status": .number(response.status), "reason": .string(response.reason),
            "meaning": .string(response.meaning), "done": .string(response.reaction),
        ]
    }

    private static func undocumented(_ response: Notice.OddResponse) -> Self {
        var fields = fields(of: response)
        fields["action"] =
            "look the reason up in Apple's documentation; a newer version of the bridge may know it"
        return Self(
            .warning, "APNs gave a response that is not documented; its status decides", fields)
    }

    private static func malformed(_ response: Notice.OddResponse) -> Self {
        var fields = fields(of: response)
        fields["action"] = "report it with the event: what the bridge sends is always valid"
        return Self(
            .error, "APNs rejected a request as malformed; report this as a bug", fields)
    }
}

// MARK: Partitions

extension NoticeLine {
    private static func paused(
        for app: String, _ partition: TopicPartition, _ waiting: Notice.WaitingPushes
    ) -> Self {
        Self(
            .warning, "partition paused: too many of its pushes wait for one app", partition,
            [
                "app": .string(app), "stalled_apps": .strings(waiting.stalledApps),
                "waiting": .number(waiting.records), "waiting_bytes": .number(waiting.bytes),
                "action": .string(
                    "all apps in the partition wait until sending resumes; give the app a"
                        + " topic of its own, or raise delivery.max_waiting"),
            ])
    }

    private static func advice(_ hasRetryTopic: Bool) -> String {
        hasRetryTopic
            ? "the oldest pushes of the partition are in flight or their app is suspended"
            : "pushes that wait hold the partition: set results.retry, so that they wait in a topic"
    }

    private static func paused(
        _ partition: TopicPartition, _ oldest: Int64, _ above: Int64, _ hasRetryTopic: Bool
    ) -> Self {
        Self(
            .warning, "partition paused: its commit can record no more completed offsets",
            partition,
            [
                "oldest_offset": .number(oldest), "offsets_above": .number(above),
                "action": .string(advice(hasRetryTopic)),
            ])
    }

    private static func paused(_ partition: TopicPartition, _ records: Notice.Uncommitted) -> Self {
        Self(
            .warning, "partition paused: too many of its records are done but not committed",
            partition,
            [
                "uncommitted": .number(records.count),
                "action": .string(
                    records.hasMetadata
                        ? "wait for the rebalance, or raise delivery.max_uncommitted"
                        : "the broker keeps no commit metadata, and an older push is not done; "
                            + advice(records.hasRetryTopic)),
            ])
    }

    private static func metadataRefused(_ characters: Int, _ left: Int) -> Self {
        Self(
            left > 0 ? .warning : .error,
            left > 0
                ? "the broker refused the metadata of a commit; using half as much"
                : "the broker keeps no commit metadata; a restart repeats what was completed"
                    + " above the committed offset",
            [
                "refused_characters": .number(characters), "characters": .number(left),
                "action": "set offset.metadata.max.bytes=4096 on the brokers",
            ])
    }

    private static func reset(_ partition: TopicPartition, _ reset: PositionReset) -> Self {
        var fields: Logger.Metadata = [
            "old_offset": .number(reset.from), "new_offset": .number(reset.to),
            "records_gone_at_most": reset.gone.map { .number($0) } ?? "unknown",
        ]
        switch reset.cause {
        case .expired:
            fields["action"] =
                .string(
                    "records below new_offset are permanently lost and have no outcome: raise"
                        + " retention.ms of the topic, or add workers")
            return Self(.error, "Kafka removed records before they were read", partition, fields)
        case .replaced:
            fields["reading_from"] = .string(position(reset.choice))
            fields["action"] =
                .string(
                    "what Kafka has now is sent from new_offset on: find out whether the topic was"
                        + " recreated, or a broker lost the end of its log")
            return Self(.error, "partition was recreated or truncated", partition, fields)
        }
    }

    /// Where reading continues, and why there.
    private static func position(_ choice: PositionReset.Choice) -> String {
        switch choice {
        case .oldest: "the oldest record"
        case .time(let time):
            "the first record since \(Timestamp.text(milliseconds: time)), a minute before the last"
                + " finished one"
        case .noRecord(let time):
            "the oldest record: none is since \(Timestamp.text(milliseconds: time)), a minute"
                + " before the last finished one"
        case .noTime:
            "the oldest record: the time of the last finished one is not known, or times go"
                + " backwards"
        }
    }

    private static func takenOneAtATime(_ partition: TopicPartition, _ starts: Int) -> Self {
        Self(
            .warning,
            "taking the first record of the partition alone: its last starts made no progress",
            partition,
            [
                "starts": .number(starts),
                "action": .string(
                    "find out why the bridge was killed or crashed; a record that crashes it is"
                        + " ended"),
            ])
    }

    private static func crashed(
        _ partition: TopicPartition, _ offset: Int64, _ crashes: Int, _ verdict: Verdict
    ) -> Self {
        Self(
            .error, "record ended: the worker crashed each time it processed it", partition,
            [
                "offset": .number(offset), "crashes": .number(crashes),
                "verdict": .string(verdict.rawValue),
                "action": .string(
                    "this is a fault of the bridge or of its machine: report it with the"
                        + " record and the trace of the crash"),
            ])
    }
}

// MARK: Result records

extension NoticeLine {
    private static func refused(_ topic: String, _ failure: KafkaFailure) -> Self {
        Self(
            .error, "Kafka refused a result record; its offset is not committed until it is stored",
            [
                "topic": .string(topic), "code": .string(failure.code),
                "detail": .string(failure.detail), "action": .string(failure.remedyForResult),
            ])
    }

    private static func stillRefused(_ refusals: Notice.Refusals) -> Self {
        var fields = fields(of: refusals)
        let failure = KafkaFailure(code: refusals.code, detail: "", isFatal: false)
        fields["action"] = .string(failure.remedyForResult)
        return Self(.error, "Kafka still refuses result records", fields)
    }

    private static func fields(of refusals: Notice.Refusals) -> Logger.Metadata {
        [
            "topic": .string(refusals.topic), "code": .string(refusals.code),
            "refused": .number(refusals.count),
            "seconds": .number(refusals.duration.components.seconds),
        ]
    }
}

// MARK: The clock

extension NoticeLine {
    private static func doubted(_ step: Int64, _ byBroker: Bool) -> Self {
        Self(
            .error,
            byBroker
                ? "a broker contradicts the clock; nothing expires and no record is taken meanwhile"
                : "the clock jumped; nothing expires and no record is taken meanwhile",
            [
                "step_seconds": .number(step / 1000),
                "action": .string(
                    "check the machine's clock and its time service; sending resumes when"
                        + " the system calls the clock synchronized or the clock is set"
                        + " right; if it is right, send SIGUSR1"),
            ])
    }

    private static func trusted(_ byOperator: Bool) -> Self {
        Self(
            .info,
            byOperator
                ? "the clock was confirmed by the operator; expiring and taking resumed"
                : "the clock is trusted again; expiring and taking resumed")
    }
}
