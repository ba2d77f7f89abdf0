import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

/// How each record of a ``Contract`` comes about; the values are the names of its files.
enum ContractScenario: String, CaseIterable {
    case outcomeAccepted = "outcome-accepted"
    case outcomeRejected = "outcome-rejected"
    case outcomeDropped = "outcome-dropped"
    case outcomeUnknown = "outcome-unknown"
    case outcomeHashed = "outcome-hashed"
    case outcomeOmitted = "outcome-omitted"
    case outcomeBinary = "outcome-binary"
    case outcomeStructured = "outcome-structured"
    case outcomeByKey = "outcome-partitioner-key"
    case outcomeSuperseded = "outcome-superseded"
    case outcomeTruncated = "outcome-truncated"
    case outcomeBroadcast = "outcome-broadcast"
    case unregistered
    case unregisteredSealed = "unregistered-sealed"
    case deadLetter = "dead-letter"
    case deadLetterDropped = "dead-letter-dropped"
    case deadLetterTooLarge = "dead-letter-too-large"
    case deadLetterWithoutToken = "dead-letter-without-token"
    case deadLetterElsewhere = "dead-letter-value-elsewhere"
    case deadLetterInDoubt = "dead-letter-in-doubt"
    case deadLetterSealed = "dead-letter-sealed"
    case deadLetterBroadcast = "dead-letter-broadcast"
    case retry
    case retryInDoubt = "retry-in-doubt"
    case retrySealed = "retry-sealed"
    case retryBroadcast = "retry-broadcast"
    case replay
    case replaySealed = "replay-sealed"
    case replayBroadcast = "replay-broadcast"

    static let seal = SealKeys(keys: [Array("0123456789abcdef0123456789abcdef".utf8)])

    /// What this program writes.
    func written() throws -> ResultRecord {
        switch self {
        case .outcomeAccepted, .outcomeHashed, .outcomeOmitted, .outcomeBinary,
            .outcomeStructured, .outcomeByKey:
            try accepted()
        case .outcomeSuperseded: try superseded()
        case .outcomeTruncated: try truncated()
        case .outcomeBroadcast: try broadcast()
        case .outcomeRejected: try rejected("BadDeviceToken").outcomes.only()
        case .outcomeDropped: try dropped().outcomes.only()
        case .outcomeUnknown: try inDoubt().outcomes.only()
        case .unregistered, .unregisteredSealed: try unregistered()
        case .deadLetter, .deadLetterWithoutToken, .deadLetterSealed, .deadLetterBroadcast:
            try deadLetter()
        case .deadLetterDropped: try dropped().deadLetters.only()
        case .deadLetterTooLarge: try tooLarge()
        case .deadLetterElsewhere: try ofManyDevices()
        case .deadLetterInDoubt: try inDoubt().deadLetters.only()
        case .retry, .retrySealed: try movedToRetryTopic { adjust(&$0) }.1.record
        case .retryInDoubt: try retryInDoubt()
        case .retryBroadcast: try retryOfBroadcast()
        case .replay, .replaySealed, .replayBroadcast: try replay()
        }
    }

    private func adjust(_ settings: inout EngineSettings) {
        settings.results.containsEventKey = self == .outcomeAccepted
        settings.results.deviceTokens =
            switch self {
            case .outcomeHashed: .hashed
            case .outcomeOmitted, .deadLetterWithoutToken: .omitted
            default: .full
            }
        settings.results.cloudEvents =
            switch self {
            case .outcomeBinary: .binary
            case .outcomeStructured: .structured
            default: .none
            }
        settings.results.partitioner = self == .outcomeByKey ? .key : .source
        settings.results.seal = rawValue.hasSuffix("sealed") ? Self.seal : nil
        settings.inDoubtDeadLetter = self == .deadLetterInDoubt
    }

    /// A worker with a partition, and events with a label.
    private func harness(cuts: Bool = false) throws -> EngineHarness {
        let plan = try Samples.canonicalPlan(
            labels: Samples.labels([("campaign", "${campaign?}")]), cuts: cuts)
        let harness = try EngineHarness(plan: plan) { adjust(&$0) }
        for topic in harness.engine.topicsToCount {
            harness.engine.setPartitionCount(8, of: topic)
        }
        harness.assign()
        return harness
    }

    private static let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    private func take(_ value: String, by harness: EngineHarness, offset: Int64 = 7) {
        harness.take(
            value, offset: offset, key: "customer-1",
            headers: [
                ("traceparent", Array(Self.trace.utf8)),
                ("tenant", Array("acme".utf8)),
            ])
    }

    private static let event = Samples.event(
        Samples.token("ab01"),
        more: #","collapse_id":"order-7","campaign":"spring","#
            + #""expiration":"2026-01-01T12:00:00Z","event_time":"2026-01-01T09:59:58.500Z""#)

    private func accepted() throws -> ResultRecord {
        let harness = try harness()
        take(Self.event, by: harness)
        harness.respond(try #require(harness.send()), 503, "ServiceUnavailable")
        harness.pass(milliseconds: 1000)
        let push = try #require(harness.send())
        harness.pass(milliseconds: 120)
        harness.respond(push, 200)
        return try harness.settle().outcomes.only()
    }

    private static let broadcastEvent = Samples.broadcast(
        more: #","priority":5,"campaign":"final""#)

    /// The older of two pushes with one collapse ID.
    private func superseded() throws -> ResultRecord {
        let harness = try harness()
        take(Self.event, by: harness)
        try harness.sendAndRespond(503, "ServiceUnavailable")
        take(Self.event, by: harness, offset: 8)
        try harness.sendAndRespond(200)
        harness.settle()
        harness.pass(milliseconds: 500)
        #expect(harness.send() == nil)
        return try harness.settle().outcomes.only()
    }

    /// A push whose text was cut, because it was too long.
    private func truncated() throws -> ResultRecord {
        let harness = try harness(cuts: true)
        let text = String(repeating: "a", count: 5000)
        take(
            #"{"device_token":"\#(Samples.token("ab01"))","payload":{"aps":{"alert":"\#(text)"}}}"#,
            by: harness)
        try harness.sendAndRespond(200)
        return try harness.settle().outcomes.only()
    }

    /// A broadcast that APNs identifies in its response.
    private func broadcast() throws -> ResultRecord {
        let harness = try harness()
        take(Self.broadcastEvent, by: harness)
        let id = try #require(harness.send())
        harness.engine.accepted(
            id, uniqueID: Array("0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0".utf8))
        return try harness.settle().outcomes.only()
    }

    private func retryOfBroadcast() throws -> ResultRecord {
        let harness = try retryHarness { adjust(&$0) }
        take(Self.broadcastEvent, by: harness)
        harness.respond(
            try #require(harness.send()), 503, "ServiceUnavailable", retryAfter: 10)
        return try harness.publish().retries.only()
    }

    private func deadLetter() throws -> ResultRecord {
        let isBroadcast = self == .deadLetterBroadcast || self == .replayBroadcast
        return try rejected(
            isBroadcast ? "ChannelNotRegistered" : "BadTopic",
            isBroadcast ? Self.broadcastEvent : Self.event
        ).deadLetters.only()
    }

    private func rejected(
        _ reason: String, _ event: String = event
    ) throws -> [EngineHarness.Published] {
        let harness = try harness()
        take(event, by: harness)
        try harness.sendAndRespond(400, reason)
        return harness.publish()
    }

    private func dropped() throws -> [EngineHarness.Published] {
        let harness = try harness()
        take(#"{"payload":{"aps":{"alert":"Hi"}}}"#, by: harness)
        return harness.publish()
    }

    private func inDoubt() throws -> [EngineHarness.Published] {
        let harness = try harness()
        take(Samples.event(Samples.token("ab01")), by: harness)
        try harness.sendAndRespond(503, "ServiceUnavailable")
        harness.pass(milliseconds: 1000)
        harness.engine.inDoubt(try #require(harness.send()), reason: "the connection was closed")
        return harness.publish()
    }

    private func unregistered() throws -> ResultRecord {
        let harness = try harness()
        take(Self.event, by: harness)
        try harness.sendAndRespond(410, "Unregistered", timestamp: 1_767_261_500_123)
        return try harness.settle().unregistered.only()
    }

    private func tooLarge() throws -> ResultRecord {
        let harness = try harness()
        take(Self.event, by: harness)
        try harness.sendAndRespond(400, "BadTopic")
        let letter = try #require(harness.publish().deadLetters.first)
        harness.engine.acknowledged(letter.ticket, .tooLarge)
        return try harness.publish().deadLetters.only()
    }

    /// The second dead letter of an event with more devices than leave a value each.
    private func ofManyDevices() throws -> ResultRecord {
        let harness = try harness()
        let tokens = (10..<22).map { "\"\(Samples.token("\($0)"))\"" }.joined(separator: ",")
        take(#"{"device_tokens":[\#(tokens)],"payload":{"aps":{"alert":"Hi"}}}"#, by: harness)
        for push in harness.sendAll() { harness.respond(push, 400, "BadTopic") }
        let letters = harness.settle().deadLetters
        return try #require(letters.first { $0.value == "null" }).record
    }

    private func retryInDoubt() throws -> ResultRecord {
        let harness = try retryHarness { adjust(&$0) }
        take(Self.event, by: harness)
        harness.engine.inDoubt(try #require(harness.send()), reason: "the connection was closed")
        return try harness.publish().retries.only()
    }

    private func replay() throws -> ResultRecord {
        let letter = try deadLetter()
        let stored = try #require(StoredDeadLetter(headers: letter.headers))
        let headers = stored.headersOfReplay(
            key: letter.key, value: letter.value,
            sealedBy: self == .replaySealed ? Self.seal : nil)
        return ResultRecord(
            topic: "apns.replay", key: letter.key, value: letter.value, headers: headers)
    }
}

extension [EngineHarness.Published] {
    /// The record, of which there must be one.
    fileprivate func only() throws -> ResultRecord {
        #expect(count == 1)
        return try #require(first).record
    }
}
