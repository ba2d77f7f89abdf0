import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

private let keys = SealKeys(keys: [Array("0123456789abcdef".utf8)])
private let others = SealKeys(keys: [Array("fedcba9876543210".utf8)])
private let both = SealKeys(keys: [
    Array("fedcba9876543210".utf8), Array("0123456789abcdef".utf8),
])

extension ResultRecord {
    fileprivate func fault(_ kind: SealKeys.Kind, _ keys: SealKeys = keys) -> String? {
        keys.fault(kind, key: key, value: value, headers: headers, storedAt: nil)
    }

    fileprivate func with(_ name: String, _ value: String?) -> ResultRecord {
        var record = self
        record.headers.removeAll { $0.name == name }
        if let value { record.headers.append((name, Array(value.utf8))) }
        return record
    }
}

@Suite struct `A sealed record` {
    /// A retry record that was written with keys, taken back by a worker with others.
    private func takenBack(
        _ change: (ResultRecord) -> ResultRecord = { $0 }, sealedBy written: SealKeys? = keys,
        readWith read: SealKeys? = keys, writtenAt: Int64? = nil, isLogAppendTime: Bool = false
    ) throws -> EngineHarness {
        let (_, retry) = try movedToRetryTopic { $0.results.seal = written }
        let harness = try EngineHarness {
            $0.results.retry = "apns.retry"
            $0.results.seal = read
        }
        harness.takeBack(
            change(retry.record), offset: 3, of: harness.assignRetry(), writtenAt: writtenAt,
            isLogAppendTime: isLogAppendTime)
        return harness
    }

    private func reason(_ harness: EngineHarness) throws -> String? {
        let all = harness.settle()
        #expect(all.outcomes.count == 1 && all.deadLetters.count == 1)
        return try Samples.member("reason", of: #require(all.outcomes.first).value)
    }

    @Test func `is read again by a holder of its key, or of the next one`() throws {
        for read in [keys, both, nil] {
            let harness = try takenBack(readWith: read)
            #expect(harness.settle().outcomes.isEmpty)
            #expect(harness.engine.openPushes == 1)
        }
    }

    @Test func `is damaged for all others, with a dead letter and the time of its event`() throws {
        for (written, read) in [(others, keys), (nil, keys)] as [(SealKeys?, SealKeys)] {
            let harness = try takenBack(sealedBy: written, readWith: read)
            let all = harness.settle()
            let outcome = try #require(all.outcomes.first)
            #expect(try Samples.member("reason", of: outcome.value) == "damaged_retry")
            #expect(all.deadLetters.count == 1)
            // The event's time, not 1970.
            #expect(
                try Samples.member("event_time", of: outcome.value) == "2026-01-01T09:59:55.000Z")
        }
    }

    @Test(arguments: [
        "due", "index", "apns-id", "attempts", "taken", "until", "in-doubt", "topic", "partition",
        "offset", "timestamp", "written",
    ])
    func `is damaged when a header that decides is changed`(_ name: String) throws {
        let header = "apns-bridge-retry-" + name
        for value in ["9", "1d490eb6-950b-59b2-95a8-8e0e391d7643"] {
            #expect(
                try reason(takenBack { $0.with(header, value) }) == "damaged_retry", "\(value)")
        }
    }

    @Test func `is damaged when key, value or any other header is changed`() throws {
        let changes: [(ResultRecord) -> ResultRecord] = [
            { $0.with("traceparent", "00-2") }, { $0.with("more", "1") },
            { $0.with("apns-bridge-replays", "1") },
            { record in
                var record = record
                record.key = Array("bob".utf8)
                return record
            },
            { record in
                var record = record
                record.value = Array(Samples.event("bb").utf8)
                return record
            },
            { $0.with(SealKeys.header, nil) },
            { record in
                var record = record
                record.headers += record.headers.filter { $0.name == SealKeys.header }
                return record
            },
        ]
        for change in changes { #expect(try reason(takenBack(change)) == "damaged_retry") }
    }

    @Test func `needs no seal if Kafka stored it before there were seals`() throws {
        let since = SealKeys(keys: [Array("0123456789abcdef".utf8)], since: EngineHarness.start)
        let early = try takenBack(
            sealedBy: nil, readWith: since, writtenAt: EngineHarness.start - 1,
            isLogAppendTime: true)
        #expect(early.settle().outcomes.isEmpty)
        let late = try takenBack(
            sealedBy: nil, readWith: since, writtenAt: EngineHarness.start, isLogAppendTime: true)
        #expect(try reason(late) == "damaged_retry")
        // Its writer can choose any other time.
        let chosen = try takenBack(
            sealedBy: nil, readWith: since, writtenAt: EngineHarness.start - 1)
        #expect(try reason(chosen) == "damaged_retry")
    }

    @Test func `cannot be taken for one of another kind`() throws {
        let (_, retry) = try movedToRetryTopic { $0.results.seal = keys }
        #expect(retry.record.fault(.retry) == nil)
        for kind: SealKeys.Kind in [.deadLetter, .replay, .unregistered] {
            #expect(retry.record.fault(kind) != nil)
        }
    }

    @Test func `is a dead letter, a replay of it, and an unregistered device token`() throws {
        let harness = try EngineHarness { $0.results.seal = keys }
        harness.assign()
        harness.push(offset: 0)
        try harness.sendAndRespond(400, "BadTopic")
        let letter = try #require(harness.settle().deadLetters.first).record
        #expect(letter.fault(.deadLetter) == nil)
        #expect(letter.with("apns-bridge-topic", "../../x\n").fault(.deadLetter) != nil)
        let stored = try #require(StoredDeadLetter(headers: letter.headers))
        let replay = ResultRecord(
            topic: "apns.replay", key: letter.key, value: letter.value,
            headers: stored.headersOfReplay(
                key: letter.key, value: letter.value, sealedBy: keys))
        #expect(replay.fault(.replay) == nil)
        #expect(replay.with("apns-bridge-replays", "0").fault(.replay) != nil)
        harness.push("ab02", offset: 1)
        try harness.sendAndRespond(410, "Unregistered")
        let gone = try #require(harness.settle().unregistered.first).record
        #expect(gone.fault(.unregistered) == nil)
        #expect(gone.fault(.unregistered, others) != nil)
    }

    @Test func `hides device tokens behind its key where they are hashed`() throws {
        func token(_ seal: SealKeys?) throws -> String {
            let harness = try EngineHarness {
                $0.results.deviceTokens = .hashed
                $0.results.seal = seal
            }
            harness.assign()
            harness.push(offset: 0)
            try harness.sendAndRespond(200)
            let outcome = try #require(harness.settle().outcomes.first)
            return try Samples.member("device_token", of: outcome.value) ?? ""
        }
        let found = [try token(nil), try token(keys), try token(others), try token(keys)]
        #expect(found[1] == found[3] && Set(found).count == 3)
        #expect(found.allSatisfy { $0.count == 64 })
    }
}

@Suite struct `A forged record` {
    /// Hands a worker without keys a retry record that is due in the year 292 million.
    private func forged(storedAt time: Int64, writtenAt: Int64) throws -> EngineHarness {
        let (_, retry) = try movedToRetryTopic()
        let harness = try EngineHarness { $0.results.retry = "apns.retry" }
        harness.takeBack(
            retry.record.with("apns-bridge-retry-due", "9223372036854775807")
                .with("apns-bridge-retry-until", String(Int64.max >> 21))
                .with("apns-bridge-retry-written", String(writtenAt)),
            offset: 3, of: harness.assignRetry(), writtenAt: time)
        return harness
    }

    @Test func `that is due in the year 292 million waits as long as any that is stored then`()
        throws
    {
        let hour: Int64 = 3_600_000
        for stored in [EngineHarness.start - 50 * 60_000, .max] {
            for written in [EngineHarness.start, 0, Int64.max >> 21] {
                let harness = try forged(storedAt: stored, writtenAt: written)
                // Where the clock may have been set back, it counts from now.
                let isAhead = stored == .max || written >= EngineHarness.start
                let left = isAhead ? hour : hour - 50 * 60_000
                harness.pass(milliseconds: left + 1000)
                let isOver = harness.nextToSend() != nil || !harness.settle().outcomes.isEmpty
                #expect(isOver, "\(stored) \(written)")
            }
        }
    }

    @Test func `is none that only a broker whose clock is behind has stored long ago`() throws {
        for seal in [nil, keys] {
            let (_, retry) = try movedToRetryTopic { $0.results.seal = seal }
            let harness = try EngineHarness {
                $0.results.retry = "apns.retry"
                $0.results.seal = seal
            }
            let storedAt = EngineHarness.start - 3 * 3_600_000
            harness.takeBack(
                retry.record, offset: 3, of: harness.assignRetry(), writtenAt: storedAt,
                isLogAppendTime: true)
            #expect(harness.settle().outcomes.isEmpty)
            harness.pass(milliseconds: 60_000)
            #expect(harness.nextToSend() != nil)
        }
    }

    @Test func `is damaged where records are sealed, whenever it says that it is due`() throws {
        let (_, retry) = try movedToRetryTopic()
        let harness = try EngineHarness {
            $0.results.retry = "apns.retry"
            $0.results.seal = keys
        }
        harness.takeBack(
            retry.record.with("apns-bridge-retry-due", "9223372036854775807"),
            offset: 3, of: harness.assignRetry())
        #expect(harness.send() == nil)
        let all = harness.settle()
        #expect(all.outcomes.first?.value.contains(#""reason":"damaged_retry""#) == true)
        #expect(all.deadLetters.count == 1)
        #expect(harness.next(AssignmentID(100)) == 4)
    }

    @Test func `is no event that says how often it was replayed`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.take(
            Samples.event("aa"), offset: 0, headers: [("apns-bridge-replays", Array("99".utf8))])
        try harness.sendAndRespond(400, "BadTopic")
        let letter = try #require(harness.settle().deadLetters.first)
        #expect(letter.header("apns-bridge-replays") == nil)
    }

    @Test func `carries no device token in its tracestate where tokens are hidden`() throws {
        for privacy: ResultsSettings.DeviceTokenPrivacy in [.hashed, .omitted, .full] {
            let harness = try EngineHarness { $0.results.deviceTokens = privacy }
            harness.assign()
            harness.take(
                Samples.event("ab01"), offset: 0,
                headers: [
                    ("traceparent", Array("00-1".utf8)), ("tracestate", Array("v=ab01".utf8)),
                    ("ce_tracestate", Array("v=ab02".utf8)),
                ])
            try harness.sendAndRespond(400, "BadTopic")
            let all = harness.settle()
            for record in all.outcomes + all.deadLetters {
                let isShown = record.record.headers.contains { $0.name.hasSuffix("tracestate") }
                #expect(isShown == (privacy == .full))
            }
        }
    }
}
