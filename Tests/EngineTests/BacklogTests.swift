import APNs
import BridgeSamples
import Configuration
import Delivery
import EventLoop
import Testing

@testable import Engine

/// A worker with one partition, whose buffered pushes are superseded by newer ones.
func backlogHarness(
    orderedByDevice: Bool = false, tweak: (inout EngineSettings) -> Void = { _ in }
) throws -> EngineHarness {
    let harness = try EngineHarness(orderedByDevice: orderedByDevice) {
        $0.supersede = .backlog
        $0.maxQueued = $0.maxInFlight
        tweak(&$0)
    }
    harness.assign()
    return harness
}

extension EngineHarness {
    /// Hands the worker an alert that replaces others about the same order.
    func order(
        _ token: String = "aa", offset: Int64, _ id: String = "7", more: String = "",
        key: String? = nil
    ) {
        take(
            Samples.event(token, more: #","collapse_id":"order-\#(id)""# + more), offset: offset,
            key: key)
    }

    /// Sends whatever may be sent, which APNs accepts, and returns the offsets.
    func deliverAll() -> [Int64] {
        let ids = sendAll()
        defer { for id in ids { respond(id, 200) } }
        return ids.map(offset)
    }

    /// The offsets of the records whose pushes are reported as superseded.
    func superseded() -> [Int64] {
        settle().outcomes.filter { $0.value.contains(#""reason":"superseded""#) }
            .compactMap { $0.value.components(after: #""offset":"#) }
    }
}

extension String {
    /// The number that follows the first occurrence of a string.
    fileprivate func components(after text: String) -> Int64? {
        firstRange(of: text).flatMap { Int64(self[$0.upperBound...].prefix { $0.isNumber }) }
    }
}

@Suite struct `A buffered push that a newer one replaces` {
    @Test func `is dropped at once, and names the other's apns-id, without a dead letter`() throws {
        let harness = try backlogHarness()
        harness.order(offset: 0)
        harness.order(offset: 1)
        let all = harness.settle()
        let value = try #require(all.outcomes.first).value
        #expect(all.count == 1)
        #expect(value.contains(#""verdict":"dropped","reason":"superseded""#))
        #expect(value.contains(#""detail":"a newer push replaced it""#))
        #expect(value.contains(#""offset":0,"#))
        #expect(harness.next() == 1)
        let newer = try #require(harness.send())
        #expect(harness.offset(newer) == 1)
        #expect(value.contains(#""superseded_by":"\#(harness.apnsID(newer))""#))
        harness.respond(newer, 200)
        harness.settle()
        #expect(harness.next() == 2 && harness.engine.openPushes == 0)
    }

    @Test func `leaves it to the next owner, who sends it`() throws {
        let harness = try backlogHarness()
        harness.order(offset: 0)
        harness.order(offset: 1)
        harness.settle()
        harness.engine.revoking([AssignmentID(0)])
        #expect(harness.openRecords == 0)
        #expect(harness.takeCommits().allSatisfy { $0.next == 1 })
    }

    @Test func `is open until Kafka has its outcome`() throws {
        let harness = try backlogHarness()
        harness.order(offset: 0)
        harness.order(offset: 1)
        let published = harness.publish()
        for id in harness.sendAll() { harness.respond(id, 200) }
        harness.settle()
        #expect(harness.next() == 0)
        harness.store(published)
        #expect(harness.next() == 2)
    }

    @Test func `leaves its place in the queue to it`() throws {
        let harness = try backlogHarness()
        harness.order("aa", offset: 0)
        harness.order("bb", offset: 1)
        harness.order("cc", offset: 2)
        harness.order("aa", offset: 3)
        harness.order("bb", offset: 4)
        harness.order("aa", offset: 5)
        #expect(harness.deliverAll() == [5, 4, 2])
        #expect(harness.superseded() == [0, 1, 3])
        #expect(harness.next() == 6)
    }

    @Test func `does not delay it until the end of its back-off`() throws {
        let harness = try backlogHarness()
        harness.order(offset: 0)
        try harness.sendAndRespond(503, "ServiceUnavailable")
        harness.order(offset: 1)
        #expect(harness.deliverAll() == [1])
        let value = try #require(harness.settle().outcomes.first).value
        #expect(value.contains(#""last_status":503,"last_reason":"ServiceUnavailable""#))
        #expect(value.contains(#""attempts":1,"#))
        harness.pass(milliseconds: 60_000)
        #expect(harness.send() == nil && harness.engine.openPushes == 0)
    }

    @Test func `is in its queue once, also after it was sent before`() throws {
        let harness = try backlogHarness()
        for (offset, token) in ["aa", "bb", "cc"].enumerated() {
            harness.order(token, offset: Int64(offset))
        }
        for id in harness.sendAll() { harness.respond(id, 503, "ServiceUnavailable") }
        harness.pass(milliseconds: 500)
        for (offset, token) in ["aa", "bb", "cc"].enumerated() {
            harness.order(token, offset: 3 + Int64(offset))
        }
        #expect(harness.superseded() == [0, 1, 2])
        let waiting = harness.engine.sendingCell.value.waitingToBeSent
        #expect(waiting == 3)
    }

    @Test func `is dropped when it would be sent again and the newer one waits`() throws {
        let harness = try backlogHarness()
        harness.order(offset: 0)
        let older = try #require(harness.send())
        harness.order(offset: 1)
        harness.order(offset: 2)
        harness.respond(older, 503, "ServiceUnavailable")
        #expect(harness.superseded().sorted() == [0, 1])
        #expect(harness.deliverAll() == [2])
    }

    @Test func `is sent again if the newer one was rejected meanwhile`() throws {
        let harness = try backlogHarness()
        harness.order(offset: 0)
        let older = try #require(harness.send())
        harness.order(offset: 1)
        try harness.sendAndRespond(413, "PayloadTooLarge")
        harness.respond(older, 503, "ServiceUnavailable")
        harness.pass(milliseconds: 500)
        #expect(harness.deliverAll() == [0])
    }

    @Test func `leaves the pause of its device to it`() throws {
        let harness = try backlogHarness()
        harness.order(offset: 0)
        let older = try #require(harness.send())
        harness.order(offset: 1)
        harness.respond(older, 429, "TooManyRequests", retryAfter: 60)
        #expect(harness.superseded() == [0])
        #expect(harness.send() == nil)
        harness.pass(milliseconds: 50_000)
        #expect(harness.send() == nil)
        harness.pass(milliseconds: 20_000)
        #expect(harness.deliverAll() == [1])
    }

    @Test func `is dropped while its app is suspended, and the newest resumes sending`() throws {
        let harness = try backlogHarness()
        for offset in 0..<3 { harness.order("a\(offset)", offset: Int64(offset)) }
        try harness.sendAndRespond(403, "InvalidProviderToken")
        #expect(harness.isFirstAppSuspended)
        for offset in 3..<9 { harness.order("a\(offset % 3)", offset: Int64(offset)) }
        #expect(harness.superseded().sorted() == [0, 1, 2, 3, 4, 5])
        harness.pass(milliseconds: 120_000)
        try harness.sendAndRespond(200)
        #expect(!harness.isFirstAppSuspended)
        _ = harness.deliverAll()
        harness.settle()
        #expect(harness.engine.counters.accepted == 3 && harness.next() == 9)
    }

    @Test func `of several elements leaves the others of its record alone`() throws {
        let harness = try backlogHarness()
        let more = #","collapse_id":"goal","payload":{"aps":{"badge":1}}}"#
        harness.take(#"{"device_tokens":["aa","bb","cc"]\#(more)"#, offset: 0)
        harness.take(#"{"device_tokens":["cc","dd"]\#(more)"#, offset: 1)
        harness.take(#"{"device_token":"bb"\#(more)"#, offset: 2)
        #expect(harness.superseded() == [0, 0])
        #expect(harness.sendAll().map(harness.token) == ["aa", "bb", "cc", "dd"])
        #expect(harness.next() == 0)
    }

    @Test func `among 1,000 devices with ten updates each leaves one request to each`() throws {
        let harness = try backlogHarness { $0.maxInFlight = 1500 }
        var offset: Int64 = 0
        for _ in 0..<10 {
            for device in 0..<1000 {
                #expect(harness.engine.takeLimit(taken: 0) ?? 0 > 0)
                harness.order("ab\(1000 + device)", offset: offset)
                offset += 1
                if offset % 100 == 0 { harness.settle() }
            }
        }
        harness.settle()
        #expect(harness.deliverAll() == Array(9000..<10_000))
        harness.settle()
        #expect(harness.next() == 10_000)
    }
}

@Suite struct `A push is not superseded by a newer one` {
    @Test func `when it is in flight`() throws {
        let harness = try backlogHarness()
        harness.order(offset: 0)
        let older = try #require(harness.send())
        harness.order(offset: 1)
        #expect(harness.deliverAll() == [1])
        harness.respond(older, 200)
        #expect(harness.superseded() == [])
    }

    @Test func `when it is in doubt`() throws {
        let harness = try backlogHarness { $0.inDoubt = .resend }
        harness.order(offset: 0)
        harness.engine.inDoubt(try #require(harness.send()), reason: "lost")
        harness.order(offset: 1)
        #expect(harness.superseded() == [])
        harness.pass(milliseconds: 500)
        #expect(harness.sendAll().map(harness.offset).sorted() == [0, 1])
    }

    @Test func `when the guard withholds its verdict or repeats it as a probe`() throws {
        let harness = try backlogHarness {
            $0.invalidation = GuardSettings(share: 0.5, minimum: 10)
        }
        for offset in 0..<10 { harness.order("ab\(10 + offset)", offset: Int64(offset)) }
        for push in harness.sendAll() { harness.respond(push, 410, "Unregistered") }
        #expect(harness.publish().isEmpty)
        harness.order("ab11", offset: 10)
        #expect(harness.publish().isEmpty)
        harness.pass(milliseconds: 30_000)
        harness.order("ab12", offset: 11)
        #expect(harness.superseded() == [])
    }

    @Test func `when it comes back from the retry topic`() throws {
        let (harness, retry) = try movedToRetryTopic(#","collapse_id":"order-7""#) {
            $0.supersede = .backlog
        }
        harness.store([retry])
        let id = harness.assignRetry()
        harness.pass(milliseconds: 20_000)
        harness.takeBack(retry.record, offset: 0, of: id)
        harness.order(offset: 2)
        #expect(harness.superseded() == [])
        #expect(harness.sendAll().map(harness.offset).sorted() == [1, 2])
    }

    @Test(arguments: [
        (#","collapse_id":"other""#, "aa"), ("", "aa"), (#","collapse_id":"order-7""#, "bb"),
        (#","collapse_id":"order-7","bundle_id":"com.example.other""#, "aa"),
    ])
    func `of another device, app or collapse ID`(more: String, token: String) throws {
        let harness = try backlogHarness()
        harness.order(offset: 0)
        harness.push(token, offset: 1, more: more)
        #expect(harness.deliverAll() == [0, 1])
    }

    @Test(arguments: ["background", "voip", "pushtotalk"])
    func `of another type than alert, even with a collapse ID`(type: String) throws {
        let harness = try backlogHarness()
        let priority = type == "background" ? 5 : 10
        for offset in 0..<2 {
            harness.take(
                #"{"device_token":"aa","push_type":"\#(type)","collapse_id":"x","priority":"#
                    + #"\#(priority),"payload":{"aps":{"content-available":1}}}"#,
                offset: Int64(offset))
        }
        #expect(harness.deliverAll() == [0, 1])
    }

    @Test func `of another partition`() throws {
        let harness = try backlogHarness()
        let other = harness.assign(1)
        harness.order(offset: 0)
        harness.push("aa", offset: 0, of: other, more: #","collapse_id":"order-7""#)
        #expect(harness.sendAll().count == 2)
    }

    @Test func `whose hash alone is that of its own`() throws {
        let harness = try backlogHarness()
        harness.order("bb", offset: 0)
        let sent = try #require(harness.send())
        let key = harness.engine.pushesCell.value.backlogKey(sent)
        harness.order("aa", offset: 1)
        let queued = try #require(harness.nextToSend())
        harness.engine.backlogCell.value.add(queued, key, harness.engine.pushesCell.value)
        harness.order("bb", offset: 2)
        #expect(harness.deliverAll() == [1, 2])
    }

    @Test func `that has expired`() throws {
        let harness = try backlogHarness()
        let soon = EngineHarness.start / 1000 + 5
        harness.order(offset: 0)
        harness.pass(milliseconds: 10_000)
        harness.order(offset: 1, more: #","expiration":\#(soon)"#)
        #expect(harness.deliverAll() == [0])
    }

    @Test func `for one that has expired when it comes back from APNs`() throws {
        let harness = try backlogHarness(orderedByDevice: true)
        let soon = EngineHarness.start / 1000 + 5
        harness.order(offset: 0)
        let older = try #require(harness.send())
        harness.order(offset: 1, more: #","expiration":\#(soon)"#)
        harness.pass(milliseconds: 10_000)
        harness.respond(older, 503, "ServiceUnavailable")
        harness.pass(milliseconds: 500)
        #expect(harness.deliverAll() == [0])
        #expect(harness.superseded() == [])
    }

    @Test(arguments: [DeliverySettings.Supersede.retries, .none])
    func `without supersede backlog`(setting: DeliverySettings.Supersede) throws {
        let harness = try backlogHarness { $0.supersede = setting }
        for offset in 0..<3 { harness.order(offset: Int64(offset)) }
        #expect(harness.deliverAll() == [0, 1, 2])
        let count = harness.engine.backlogCell.value.count
        #expect(count == 0)
    }
}
