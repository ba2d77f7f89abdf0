import Delivery
import Telemetry
import Testing

@testable import Bridge
@testable import Engine

@Suite struct `The log line of a notice` {
    private static let orders = TopicPartition(topic: "shop.orders", partition: 3)

    private func text(_ notice: Notice, _ field: String) -> String? {
        switch NoticeLine(notice).fields[field] {
        case .string(let text): text
        case .integer(let number): String(number)
        case .array(let values):
            values.map { if case .string(let text) = $0 { text } else { "" } }
                .joined(separator: " ")
        default: nil
        }
    }

    private func suspension(
        _ cause: Notice.Suspension.Cause, fix: String = "fix the credential"
    ) -> Notice {
        .suspended(
            Notice.Suspension(
                cause: cause, apps: ["shop", "pay"], bundleIDs: ["com.example.shop"],
                credential: "key SHOP", meaning: "The key does not permit this.",
                fix: fix))
    }

    @Test func `about a suspension names apps, credential, response and remedy`() {
        let notice = suspension(.response(status: 403, reason: "Forbidden"))
        let line = NoticeLine(notice)
        #expect(line.level == .error)
        #expect(
            line.message
                == "sending suspended: APNs rejected the credential or its configuration")
        #expect(text(notice, "apps") == "shop pay")
        #expect(text(notice, "bundle_id") == "com.example.shop")
        #expect(text(notice, "status") == "403" && text(notice, "reason") == "Forbidden")
        #expect(text(notice, "credential") == "key SHOP")
        #expect(
            text(notice, "action")
                == "fix the credential; offsets are kept, nothing is lost, and other apps are not"
                + " affected; sending resumes when a probe succeeds")
    }

    @Test func `about a GOAWAY names the frame and no status`() {
        let notice = suspension(.goAway(reason: "BadCertificateEnvironment"))
        #expect(text(notice, "frame") == "GOAWAY" && text(notice, "status") == nil)
        #expect(text(notice, "reason") == "BadCertificateEnvironment")
    }

    @Test func `about a peer that is not APNs points at endpoint and proxy`() {
        let notice = suspension(
            .foreign(status: 302, reason: ""), fix: "check endpoint and proxy")
        #expect(NoticeLine(notice).message == "sending suspended: the peer is not APNs")
        #expect(text(notice, "action")?.hasPrefix("check endpoint and proxy; offsets") == true)
    }

    @Test func `about the guard has its numbers, and says what to do`() {
        let notice = Notice.guardEngaged(
            Notice.GuardAlarm(
                app: "shop", bundleID: "com.example.shop", responses: 10, bad: 9, limit: 0.5,
                window: .seconds(60)))
        #expect(NoticeLine(notice).level == .error)
        #expect(text(notice, "responses") == "10")
        #expect(text(notice, "unregistered_or_suspect") == "9")
        #expect(text(notice, "limit") == "0.5" && text(notice, "window_seconds") == "60")
        #expect(text(notice, "action")?.contains("SIGUSR1") == true)
    }

    @Test(arguments: [
        (PositionReset.Choice.time(1_767_261_600_000), "the first record since 2026-01-01T10:00"),
        (.noRecord(since: 1_767_261_600_000), "the oldest record: none is since 2026-01-01T10:00"),
        (.noTime, "the oldest record: the time of the last finished one is not known"),
    ])
    func `about a replaced log says where it is read on, and why`(
        choice: PositionReset.Choice, message: String
    ) {
        let notice = Notice.positionReset(
            Self.orders,
            PositionReset(cause: .replaced, from: 9, to: 5, gone: nil, choice: choice))
        #expect(NoticeLine(notice).message == "partition was recreated or truncated")
        #expect(text(notice, "reading_from")?.hasPrefix(message) == true)
        #expect(text(notice, "records_gone_at_most") == "unknown")
        #expect(text(notice, "old_offset") == "9" && text(notice, "new_offset") == "5")
    }

    @Test func `about records that are gone says where and how many`() {
        let notice = Notice.positionReset(
            Self.orders, PositionReset(cause: .expired, from: 3, to: 100, gone: 97))
        #expect(NoticeLine(notice).message == "Kafka removed records before they were read")
        #expect(text(notice, "topic") == "shop.orders" && text(notice, "partition") == "3")
        #expect(text(notice, "records_gone_at_most") == "97")
        #expect(text(notice, "reading_from") == nil)
    }

    @Test(arguments: [
        ("KAFKA_STORAGE_ERROR", "free space on the disks of the brokers, or replace the broken"),
        ("NOT_ENOUGH_REPLICAS", "bring back the brokers with replicas of the topic"),
        ("UNKNOWN_TOPIC_OR_PART", "create the topic"),
        ("TOPIC_AUTHORIZATION_FAILED", "grant this user WRITE on the topic"),
        ("MSG_SIZE_TOO_LARGE", "raise max.message.bytes of the topic"),
        ("_MSG_TIMED_OUT", "check that the brokers run, and look at their disks"),
        ("INVALID_TIMESTAMP", "set this machine's clock"),
        ("INVALID_RECORD", "look up the code in Kafka's documentation"),
    ])
    func `about a refused result record says what to do about its code`(
        code: String, action: String
    ) {
        let failure = KafkaFailure(code: code, detail: "no", isFatal: false)
        let first = Notice.refused(topic: "apns.outcomes", failure)
        #expect(text(first, "action")?.hasPrefix(action) == true)
        let later = Notice.stillRefused(
            Notice.Refusals(
                topic: "apns.outcomes", code: code, count: 2999, duration: .milliseconds(60_400)))
        #expect(text(later, "action")?.hasPrefix(action) == true)
        #expect(text(later, "refused") == "2999" && text(later, "seconds") == "60")
    }

    @Test(arguments: [
        (false, true, "wait for the rebalance, or raise delivery.max_uncommitted"),
        (true, true, "wait for the rebalance, or raise delivery.max_uncommitted"),
        (false, false, "the broker keeps no commit metadata, and an older push is not done; p"),
        (true, false, "the broker keeps no commit metadata, and an older push is not done; t"),
    ])
    func `about a partition whose records are not committed says what to do`(
        hasRetryTopic: Bool, hasMetadata: Bool, action: String
    ) {
        let notice = Notice.pausedUncommitted(
            Self.orders,
            Notice.Uncommitted(
                count: 8, hasMetadata: hasMetadata, hasRetryTopic: hasRetryTopic))
        #expect(NoticeLine(notice).level == .warning && text(notice, "uncommitted") == "8")
        #expect(text(notice, "action")?.hasPrefix(action) == true)
    }

    @Test(arguments: [
        (true, "the oldest pushes of the partition"), (false, "pushes that wait hold"),
    ])
    func `about a partition whose commit is full says what to do`(
        hasRetryTopic: Bool, action: String
    ) {
        let notice = Notice.pausedByCommitSize(
            Self.orders, oldest: 7, above: 900, hasRetryTopic: hasRetryTopic)
        #expect(text(notice, "oldest_offset") == "7" && text(notice, "offsets_above") == "900")
        #expect(text(notice, "action")?.hasPrefix(action) == true)
    }

    @Test(arguments: [(16, LogLevel.warning), (0, .error)])
    func `about refused metadata is an error once none is left`(left: Int, level: LogLevel) {
        let notice = Notice.metadataRefused(characters: 64, left: left)
        #expect(NoticeLine(notice).level == level)
        #expect(text(notice, "characters") == String(left))
    }

    @Test func `about a crashing record names it, and asks for a report`() {
        let notice = Notice.crashed(Self.orders, offset: 10, crashes: 2, .dropped)
        #expect(text(notice, "offset") == "10" && text(notice, "crashes") == "2")
        #expect(text(notice, "verdict") == "dropped" && text(notice, "action") != nil)
        let search = Notice.takenOneAtATime(Self.orders, starts: 4)
        #expect(NoticeLine(search).message.contains("alone"))
        #expect(text(search, "starts") == "4" && text(search, "action") != nil)
    }

    @Test func `about an undocumented response is a warning, about a malformed request an error`() {
        let response = Notice.OddResponse(
            status: 400, reason: "BadMoon", meaning: "unknown", reaction: "not sent again")
        #expect(NoticeLine(.undocumented(response)).level == .warning)
        #expect(NoticeLine(.malformed(response)).level == .error)
        #expect(text(.malformed(response), "done") == "not sent again")
        #expect(text(.undocumented(response), "reason") == "BadMoon")
    }

    @Test func `about the clock says who doubted it, and who confirmed it`() {
        let doubted = Notice.clockDoubted(step: -7_200_000, byBroker: true)
        #expect(NoticeLine(doubted).message.hasPrefix("a broker contradicts the clock"))
        #expect(text(doubted, "step_seconds") == "-7200" && text(doubted, "action") != nil)
        #expect(
            NoticeLine(.clockTrusted(byOperator: true)).message
                == "the clock was confirmed by the operator; expiring and taking resumed")
    }

    @Test func `about a schema says whether the registry is away or does not know it`() {
        let away = Notice.awaitsSchema(
            Self.orders, "7", "the registry responds 503", isUnknown: false)
        #expect(
            NoticeLine(away).message
                == "the schema of a record cannot be looked up; its partition is paused")
        #expect(text(away, "topic") == "shop.orders" && text(away, "partition") == "3")
        #expect(text(away, "schema") == "7" && text(away, "detail")?.contains("503") == true)
        let unknown = Notice.awaitsSchema(
            Self.orders, "7", "Schema 7 not found", isUnknown: true)
        #expect(NoticeLine(unknown).message.contains("paused for five minutes at most"))
        #expect(text(unknown, "action")?.hasPrefix("register the schema") == true)
        #expect(NoticeLine(.schemaUnknown("7")).message.hasSuffix("its records are dropped"))
        #expect(NoticeLine(.schemasFound("7")).level == .info)
    }
}
