import LegacyProviders
import Testing

@Suite struct `A record of the unregistered topic` {
    private static let app = EventWriter.App(
        name: "shop", bundleID: "com.example.shop", environment: "production")

    private func finding(_ value: String?, at timestamp: Int64? = 5_000) -> FeedbackReader.Finding {
        var reader = FeedbackReader()
        return reader.finding(in: value.map { Array($0.utf8) }, at: timestamp, for: Self.app)
    }

    private func record(
        token: String = "00ff", bundleID: String = "com.example.shop",
        environment: String = "production", timestamp: String = "1767225600999"
    ) -> String {
        #"{"device_token":"\#(token)","bundle_id":"\#(bundleID)","environment":"\#(environment)","#
            + #""reason":"Unregistered","timestamp":\#(timestamp)}"#
    }

    @Test func `becomes seconds, a length and the device token`() throws {
        guard case .tuple(let tuple) = finding(record()) else {
            return #expect(Bool(false), "not a tuple")
        }
        #expect(tuple == FeedbackTuple(time: 1_767_225_600, deviceToken: [0, 255]))
        #expect(tuple.bytes == Packets.word(1_767_225_600) + [0, 2, 0, 255])
    }

    @Test func `has the time of its record where Apple gave none`() {
        #expect(
            finding(record(timestamp: "null"))
                == .tuple(FeedbackTuple(time: 5, deviceToken: [0, 255])))
    }

    @Test func `is nothing to another app or environment, nor when it was deleted`() {
        #expect(finding(record(bundleID: "com.example.pay")) == .none)
        #expect(finding(record(environment: "development")) == .none)
        #expect(finding(nil) == .none)
    }

    @Test(arguments: ["", "{}", "[]", "null", #"{"device_token":"0","bundle_id":"a"}"#])
    func `is malformed when it is something else`(value: String) {
        #expect(finding(value) == .malformed)
        #expect(finding(record(token: "abc")) == .malformed)
        #expect(finding(record(token: "xy")) == .malformed)
        #expect(finding(record(token: "")) == .malformed)
    }
}

@Suite struct `The core of a feedback service` {
    private var core = FeedbackCore(apps: 2)

    @Test mutating func `commits when the provider has closed after everything was sent`() {
        core.opened(1, app: 0)
        #expect(core.takeCommands() == [.fetch(app: 0)])
        core.read([1, 2], app: 0, isLast: false)
        #expect(core.takeCommands() == [.link(1, .send([1, 2]))])
        core.drained(1)
        #expect(core.takeCommands() == [.more(app: 0)])
        core.read([], app: 0, isLast: true)
        #expect(core.takeCommands() == [.link(1, .finish)])
        core.ended(1, isClean: true)
        #expect(core.takeCommands() == [.commit(app: 0)])
        core.fetchEnded(app: 0)
        #expect(!core.isBusy)
    }

    @Test mutating func `commits nothing when the provider breaks off`() {
        core.opened(1, app: 0)
        core.read([1], app: 0, isLast: true)
        _ = core.takeCommands()
        core.ended(1, isClean: false)
        #expect(core.takeCommands() == [.abandon(app: 0)])
    }

    @Test mutating func `commits nothing when the provider leaves before everything was sent`() {
        core.opened(1, app: 0)
        core.read([1], app: 0, isLast: false)
        _ = core.takeCommands()
        core.ended(1, isClean: true)
        #expect(core.takeCommands() == [.abandon(app: 0)])
    }

    @Test mutating func `commits nothing when the provider ends its side too early`() {
        core.opened(1, app: 0)
        core.read([1], app: 0, isLast: false)
        _ = core.takeCommands()
        core.finished(1)
        #expect(core.takeCommands() == [.abandon(app: 0), .link(1, .close)])
        core.read([2], app: 0, isLast: true)
        core.ended(1, isClean: true)
        #expect(core.takeCommands() == [])
    }

    @Test mutating func `lets providers of one app wait for each other, and those of two not`() {
        core.opened(1, app: 0)
        core.opened(2, app: 0)
        core.opened(3, app: 1)
        #expect(core.takeCommands() == [.fetch(app: 0), .fetch(app: 1)])
        core.read([], app: 0, isLast: true)
        core.ended(1, isClean: true)
        #expect(core.takeCommands() == [.link(1, .finish), .commit(app: 0)])
        core.fetchEnded(app: 0)
        #expect(core.takeCommands() == [.fetch(app: 0)])
        core.read([], app: 0, isLast: true)
        #expect(core.takeCommands() == [.link(2, .finish)])
    }

    @Test mutating func `forgets a provider that leaves while it waits`() {
        core.opened(1, app: 0)
        core.opened(2, app: 0)
        core.ended(2, isClean: false)
        core.ended(1, isClean: false)
        core.fetchEnded(app: 0)
        #expect(!core.isBusy)
    }

    @Test mutating func `resets the connection when Kafka cannot be read`() {
        core.opened(1, app: 0)
        _ = core.takeCommands()
        core.fetchEnded(app: 0)
        #expect(core.takeCommands() == [.link(1, .reset)])
        #expect(!core.isBusy)
    }

    @Test mutating func `sends nothing to a provider that has gone`() {
        core.opened(1, app: 0)
        core.ended(1, isClean: true)
        _ = core.takeCommands()
        core.read([1], app: 0, isLast: true)
        #expect(core.takeCommands() == [])
    }

    @Test mutating func `closes at shutdown only providers that received everything`() {
        core.opened(1, app: 0)
        core.read([1], app: 0, isLast: true)
        core.opened(2, app: 0)
        core.opened(3, app: 1)
        _ = core.takeCommands()
        core.stop()
        #expect(core.takeCommands() == [.link(2, .reset), .link(3, .reset)])
        core.ended(1, isClean: true)
        #expect(core.takeCommands() == [.commit(app: 0)])
    }
}
