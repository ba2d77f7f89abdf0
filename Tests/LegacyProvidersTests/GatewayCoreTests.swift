import Delivery
import Testing

@testable import LegacyProviders

@Suite struct `The core of a gateway` {
    private let harness = GatewayHarness()

    @Test func `hands each push to Kafka, and is silent when Kafka has stored it`() {
        harness.open(1)
        harness.send(1, Packets.enhanced(7) + Packets.simple())
        #expect(harness.tickets == [1, 2])
        harness.store(1, 2)
        #expect(harness.commands == [])
        #expect(harness.taken == 2)
    }

    @Test func `names a push that is wrong only when Kafka has all pushes before it`() {
        harness.open(1)
        harness.send(1, Packets.enhanced(7) + Packets.enhanced(8) + Packets.enhanced(9, []))
        harness.store(2)
        #expect(harness.commands == [])
        harness.store(1)
        #expect(harness.commands == harness.goodbye(1, .missingPayload, 9))
    }

    @Test func `takes nothing of a connection after a push that is wrong`() {
        harness.open(1)
        harness.send(1, Packets.enhanced(9, []) + Packets.enhanced(10))
        harness.send(1, Packets.enhanced(11))
        #expect(harness.tickets == [])
        #expect(!harness.wantsInput(1))
        #expect(harness.commands == harness.goodbye(1, .missingPayload, 9))
    }

    @Test func `closes without a response to a faulty command 0`() {
        harness.open(1)
        harness.send(1, Packets.simple() + Packets.simple([]))
        #expect(harness.commands == [])
        harness.store(1)
        #expect(harness.commands == [.link(1, .close)])
    }

    @Test(arguments: [#"{"x":1}"#, "hello", "{\"aps\":{}}\0"])
    func `calls a payload that is not JSON with aps a processing error`(payload: String) {
        harness.open(1)
        harness.send(1, Packets.enhanced(5, Array(payload.utf8)))
        #expect(harness.commands == harness.goodbye(1, .processingError, 5))
    }

    @Test func `says so when Kafka refuses the size of an event`() {
        harness.open(1)
        harness.send(1, Packets.enhanced(7) + Packets.enhanced(8) + Packets.enhanced(9))
        #expect(harness.core.ended(ticket: 2, .refused) == [3])
        #expect(harness.commands == [])
        harness.store(1)
        #expect(harness.commands == harness.goodbye(1, .processingError, 8))
        harness.store(3)
        #expect(harness.commands == [])
    }

    @Test func `takes nothing more of a connection as soon as Kafka has refused a push of it`() {
        harness.open(1)
        harness.send(1, Packets.enhanced(7) + Packets.enhanced(8) + Packets.enhanced(9))
        #expect(harness.core.ended(ticket: 2, .refused) == [3])
        #expect(!harness.wantsInput(1))
        harness.send(1, Packets.enhanced(10))
        #expect(harness.tickets == [1, 2, 3])
        #expect(harness.core.ended(ticket: 3, .discarded) == [])
        #expect(harness.inFlight == 1)
        #expect(harness.taken == 0)
    }

    @Test func `names the first push that Kafka refuses, and not a later fault`() {
        harness.open(1)
        harness.send(1, Packets.enhanced(7) + Packets.enhanced(8) + Packets.enhanced(9, []))
        #expect(harness.core.ended(ticket: 2, .refused) == [])
        #expect(harness.core.ended(ticket: 1, .refused) == [])
        #expect(harness.commands == harness.goodbye(1, .processingError, 7))
    }

    @Test func `discards nothing for another connection, nor for a provider that has gone`() {
        harness.open(1)
        harness.open(2)
        harness.send(1, Packets.enhanced(7) + Packets.enhanced(8))
        harness.send(2, Packets.enhanced(9))
        #expect(harness.core.ended(ticket: 1, .refused) == [2])
        harness.send(2, Packets.enhanced(10) + Packets.enhanced(11))
        harness.core.ended(2)
        #expect(harness.core.ended(ticket: 4, .refused) == [])
    }

    @Test func `logs what was wrong with which push`() {
        harness.open(1)
        harness.open(2)
        harness.send(1, Packets.enhanced(5, Array("hello".utf8)))
        harness.send(2, Packets.simple([]))
        #expect(
            harness.faults() == [
                GatewayCore.Fault(link: 1, app: 0, status: .processingError, identifier: 5),
                GatewayCore.Fault(link: 2, app: 0, status: .missingPayload, identifier: nil),
            ])
        #expect(LegacyStatus.missingPayload.message == "missing payload")
    }

    @Test func `reads nothing more while too much waits for Kafka`() {
        harness.open(1)
        harness.open(2)
        for number in UInt32(0)..<100 { harness.send(1, Packets.enhanced(number)) }
        #expect(harness.isFull)
        #expect(!harness.wantsInput(1))
        #expect(!harness.wantsInput(2))
        harness.store(50)
        #expect(harness.wantsInput(2))
    }

    @Test func `reports to each provider its own last push when it stops`() {
        for link in 1...3 { harness.open(link) }
        harness.send(1, Packets.enhanced(7) + Packets.enhanced(8))
        harness.send(2, Packets.enhanced(70))
        harness.store(1, 2)
        harness.core.stop()
        let commands = harness.commands
        // The third has nothing that could be reported to it.
        #expect(commands.contains(.link(3, .reset)))
        #expect(commands.filter { $0 != .link(3, .reset) } == harness.goodbye(1, .shutdown, 8))
        harness.store(3)
        #expect(harness.commands == harness.goodbye(2, .shutdown, 70))
    }

    @Test func `takes nothing more when it stops`() {
        harness.open(1)
        harness.core.stop()
        harness.send(1, Packets.enhanced(7))
        #expect(harness.tickets == [])
        #expect(!harness.wantsInput(1))
        harness.open(2)
        #expect(harness.commands.suffix(1) == [.link(2, .reset)])
    }

    @Test func `names the last push without a gap when Kafka is too slow for a stop`() {
        harness.open(1)
        harness.open(2)
        harness.send(1, Packets.enhanced(1) + Packets.enhanced(2) + Packets.enhanced(3))
        harness.send(2, Packets.enhanced(9))
        harness.store(1, 3)
        harness.core.stop()
        #expect(harness.commands == [])
        harness.core.abandon()
        let commands = harness.commands
        #expect(commands.contains(.link(2, .reset)))
        #expect(commands.filter { $0 != .link(2, .reset) } == harness.goodbye(1, .shutdown, 1))
    }

    @Test func `answers a stop with the identifier 0 where frames carry none`() {
        harness.open(1)
        harness.open(2)
        harness.send(1, Packets.nameless + Packets.nameless)
        harness.send(2, Packets.nameless)
        harness.store(1, 2)
        harness.core.stop()
        harness.core.abandon()
        let commands = harness.commands
        // Nothing of the second was taken: 0 would be the first of a provider that counts from 0.
        #expect(commands.contains(.link(2, .reset)))
        #expect(commands.filter { $0 != .link(2, .reset) } == harness.goodbye(1, .shutdown, 0))
    }

    @Test func `names the last identifier at a stop, also when frames without one follow`() {
        harness.open(1)
        harness.send(1, Packets.enhanced(7) + Packets.nameless)
        harness.store(1, 2)
        harness.core.stop()
        #expect(harness.commands == harness.goodbye(1, .shutdown, 7))
    }

    @Test func `keeps handing to Kafka what a provider sent that has gone`() {
        harness.open(1)
        harness.send(1, Packets.enhanced(7))
        harness.core.ended(1)
        #expect(harness.inFlight == 1)
        harness.store(1)
        #expect(harness.inFlight == 0)
        #expect(harness.taken == 1)
        #expect(harness.commands == [])
    }

    @Test func `answers a push that is wrong after the provider has ended its side`() {
        harness.open(1)
        harness.send(1, Packets.enhanced(7) + Packets.enhanced(8, []))
        harness.core.finished(1)
        #expect(harness.commands == [])
        harness.store(1)
        #expect(harness.commands == harness.goodbye(1, .missingPayload, 8))
    }

    @Test func `closes after a provider that has ended its side once Kafka has everything`() {
        harness.open(1)
        harness.open(2)
        harness.send(1, Packets.enhanced(7))
        harness.core.finished(1)
        harness.core.finished(2)
        #expect(harness.commands == [.link(2, .close)])
        #expect(!harness.wantsInput(1))
        harness.store(1)
        #expect(harness.commands == [.link(1, .close)])
    }

    @Test func `names the last push to a provider that ended its side before a stop`() {
        harness.open(1)
        harness.send(1, Packets.enhanced(7) + Packets.enhanced(8))
        harness.core.finished(1)
        harness.core.stop()
        harness.store(1)
        harness.core.abandon()
        #expect(harness.commands == harness.goodbye(1, .shutdown, 7))
    }

    @Test func `discards nothing of a provider that has ended its side`() {
        harness.open(1)
        harness.send(1, Packets.enhanced(7) + Packets.enhanced(8))
        harness.core.finished(1)
        #expect(harness.core.ended(ticket: 1, .refused) == [])
        #expect(harness.commands == harness.goodbye(1, .processingError, 7))
        harness.store(2)
        #expect(harness.taken == 1)
    }

    @Test func `closes a connection that leaves a packet unfinished`() {
        harness.open(1)
        harness.send(1, Array(Packets.enhanced(7).prefix(20)))
        harness.core.expire(at: Instant.distantPast + .seconds(29))
        #expect(harness.commands == [])
        harness.core.expire(at: Instant.distantPast + .seconds(30))
        #expect(harness.commands == [.link(1, .close)])
    }

    @Test func `closes a connection that brings nothing for long`() {
        harness.open(1)
        harness.core.expire(at: Instant.distantPast + .seconds(3599))
        #expect(harness.commands == [])
        harness.core.expire(at: Instant.distantPast + .seconds(3600))
        #expect(harness.commands == [.link(1, .close)])
    }

    @Test func `does not time out a provider that it does not read`() {
        harness.open(1)
        harness.open(2)
        harness.send(2, [1])
        for number in UInt32(0)..<100 { harness.send(1, Packets.enhanced(number)) }
        harness.core.expire(at: Instant.distantPast + .seconds(7200))
        #expect(harness.commands == [])
    }
}

/// A core, and what it has said.
final class GatewayHarness {
    var core: GatewayCore
    private var said: [GatewayCore.Command] = []
    private(set) var tickets: [UInt64] = []

    init() {
        core = GatewayCore(
            apps: [EventWriter.App(name: "a", bundleID: "com.example", environment: "production")],
            limits: GatewayLimits(inFlight: 100))
    }

    func faults() -> [GatewayCore.Fault] { core.takeFaults() }

    var taken: Int { core.counts.taken }
    var isFull: Bool { core.isFull }
    var inFlight: Int { core.inFlight }

    func wantsInput(_ link: Int) -> Bool { core.wantsInput(link) }

    func open(_ link: Int) { core.opened(link, app: 0, at: .distantPast) }

    func send(_ link: Int, _ bytes: [UInt8]) {
        unsafe core.received(bytes.span.bytes, from: link, at: .distantPast)
        listen()
    }

    func store(_ tickets: UInt64...) {
        for ticket in tickets { _ = core.ended(ticket: ticket, .stored) }
    }

    private func listen() {
        for command in core.takeCommands() {
            if case .publish(let ticket, _, _) = command {
                tickets.append(ticket)
            } else {
                said.append(command)
            }
        }
    }

    /// What is to be done with links since this was last asked.
    var commands: [GatewayCore.Command] {
        listen()
        defer { said = [] }
        return said
    }

    /// An error response, and the end after it.
    func goodbye(
        _ link: Int, _ status: LegacyStatus, _ identifier: UInt32
    ) -> [GatewayCore.Command] {
        [.link(link, .send(status.response(identifier))), .link(link, .finish)]
    }
}
