import Delivery
import Testing

@testable import LegacyProviders

@Suite struct `The core of a gateway` {
    private let desk = GatewayDesk()

    @Test func `hands each push to Kafka, and is silent when Kafka has stored it`() {
        desk.open(1)
        desk.send(1, Packets.enhanced(7) + Packets.simple())
        #expect(desk.tickets == [1, 2])
        desk.store(1, 2)
        #expect(desk.commands == [])
        #expect(desk.taken == 2)
    }

    @Test func `names a push that is wrong only when Kafka has all pushes before it`() {
        desk.open(1)
        desk.send(1, Packets.enhanced(7) + Packets.enhanced(8) + Packets.enhanced(9, []))
        desk.store(2)
        #expect(desk.commands == [])
        desk.store(1)
        #expect(desk.commands == desk.goodbye(1, .missingPayload, 9))
    }

    @Test func `takes nothing of a connection after a push that is wrong`() {
        desk.open(1)
        desk.send(1, Packets.enhanced(9, []) + Packets.enhanced(10))
        desk.send(1, Packets.enhanced(11))
        #expect(desk.tickets == [])
        #expect(!desk.wantsInput(1))
        #expect(desk.commands == desk.goodbye(1, .missingPayload, 9))
    }

    @Test func `closes without a response to a faulty command 0`() {
        desk.open(1)
        desk.send(1, Packets.simple() + Packets.simple([]))
        #expect(desk.commands == [])
        desk.store(1)
        #expect(desk.commands == [.link(1, .close)])
    }

    @Test(arguments: [#"{"x":1}"#, "hello", "{\"aps\":{}}\0"])
    func `calls a payload that is not JSON with aps a processing error`(payload: String) {
        desk.open(1)
        desk.send(1, Packets.enhanced(5, Array(payload.utf8)))
        #expect(desk.commands == desk.goodbye(1, .processingError, 5))
    }

    @Test func `says so when Kafka refuses the size of an event`() {
        desk.open(1)
        desk.send(1, Packets.enhanced(7) + Packets.enhanced(8) + Packets.enhanced(9))
        #expect(desk.core.ended(ticket: 2, .refused) == [3])
        #expect(desk.commands == [])
        desk.store(1)
        #expect(desk.commands == desk.goodbye(1, .processingError, 8))
        desk.store(3)
        #expect(desk.commands == [])
    }

    @Test func `takes nothing more of a connection as soon as Kafka has refused a push of it`() {
        desk.open(1)
        desk.send(1, Packets.enhanced(7) + Packets.enhanced(8) + Packets.enhanced(9))
        #expect(desk.core.ended(ticket: 2, .refused) == [3])
        #expect(!desk.wantsInput(1))
        desk.send(1, Packets.enhanced(10))
        #expect(desk.tickets == [1, 2, 3])
        #expect(desk.core.ended(ticket: 3, .discarded) == [])
        #expect(desk.inFlight == 1)
        #expect(desk.taken == 0)
    }

    @Test func `names the first push that Kafka refuses, and not a later fault`() {
        desk.open(1)
        desk.send(1, Packets.enhanced(7) + Packets.enhanced(8) + Packets.enhanced(9, []))
        #expect(desk.core.ended(ticket: 2, .refused) == [])
        #expect(desk.core.ended(ticket: 1, .refused) == [])
        #expect(desk.commands == desk.goodbye(1, .processingError, 7))
    }

    @Test func `discards nothing for another connection, nor for a provider that has gone`() {
        desk.open(1)
        desk.open(2)
        desk.send(1, Packets.enhanced(7) + Packets.enhanced(8))
        desk.send(2, Packets.enhanced(9))
        #expect(desk.core.ended(ticket: 1, .refused) == [2])
        desk.send(2, Packets.enhanced(10) + Packets.enhanced(11))
        desk.core.ended(2)
        #expect(desk.core.ended(ticket: 4, .refused) == [])
    }

    @Test func `logs what was wrong with which push`() {
        desk.open(1)
        desk.open(2)
        desk.send(1, Packets.enhanced(5, Array("hello".utf8)))
        desk.send(2, Packets.simple([]))
        #expect(
            desk.faults() == [
                GatewayCore.Fault(link: 1, app: 0, status: .processingError, identifier: 5),
                GatewayCore.Fault(link: 2, app: 0, status: .missingPayload, identifier: nil),
            ])
        #expect(LegacyStatus.missingPayload.words == "missing payload")
    }

    @Test func `reads nothing more while too much waits for Kafka`() {
        desk.open(1)
        desk.open(2)
        for number in UInt32(0)..<100 { desk.send(1, Packets.enhanced(number)) }
        #expect(desk.isFull)
        #expect(!desk.wantsInput(1))
        #expect(!desk.wantsInput(2))
        desk.store(50)
        #expect(desk.wantsInput(2))
    }

    @Test func `tells each provider of its own last push when it stops`() {
        for link in 1...3 { desk.open(link) }
        desk.send(1, Packets.enhanced(7) + Packets.enhanced(8))
        desk.send(2, Packets.enhanced(70))
        desk.store(1, 2)
        desk.core.stop()
        let commands = desk.commands
        // The third has nothing of which it could be told.
        #expect(commands.contains(.link(3, .reset)))
        #expect(commands.filter { $0 != .link(3, .reset) } == desk.goodbye(1, .shutdown, 8))
        desk.store(3)
        #expect(desk.commands == desk.goodbye(2, .shutdown, 70))
    }

    @Test func `takes nothing more when it stops`() {
        desk.open(1)
        desk.core.stop()
        desk.send(1, Packets.enhanced(7))
        #expect(desk.tickets == [])
        #expect(!desk.wantsInput(1))
        desk.open(2)
        #expect(desk.commands.suffix(1) == [.link(2, .reset)])
    }

    @Test func `names the last push without a gap when Kafka is too slow for a stop`() {
        desk.open(1)
        desk.open(2)
        desk.send(1, Packets.enhanced(1) + Packets.enhanced(2) + Packets.enhanced(3))
        desk.send(2, Packets.enhanced(9))
        desk.store(1, 3)
        desk.core.stop()
        #expect(desk.commands == [])
        desk.core.giveUp()
        let commands = desk.commands
        #expect(commands.contains(.link(2, .reset)))
        #expect(commands.filter { $0 != .link(2, .reset) } == desk.goodbye(1, .shutdown, 1))
    }

    @Test func `answers a stop with the identifier 0 where frames carry none`() {
        desk.open(1)
        desk.open(2)
        desk.send(1, Packets.nameless + Packets.nameless)
        desk.send(2, Packets.nameless)
        desk.store(1, 2)
        desk.core.stop()
        desk.core.giveUp()
        let commands = desk.commands
        // Nothing of the second was taken: 0 would tell a provider that counts from 0 of its first.
        #expect(commands.contains(.link(2, .reset)))
        #expect(commands.filter { $0 != .link(2, .reset) } == desk.goodbye(1, .shutdown, 0))
    }

    @Test func `names the last identifier at a stop, also when frames without one follow`() {
        desk.open(1)
        desk.send(1, Packets.enhanced(7) + Packets.nameless)
        desk.store(1, 2)
        desk.core.stop()
        #expect(desk.commands == desk.goodbye(1, .shutdown, 7))
    }

    @Test func `keeps handing to Kafka what a provider sent that has gone`() {
        desk.open(1)
        desk.send(1, Packets.enhanced(7))
        desk.core.ended(1)
        #expect(desk.inFlight == 1)
        desk.store(1)
        #expect(desk.inFlight == 0)
        #expect(desk.taken == 1)
        #expect(desk.commands == [])
    }

    @Test func `answers a push that is wrong after the provider has ended its side`() {
        desk.open(1)
        desk.send(1, Packets.enhanced(7) + Packets.enhanced(8, []))
        desk.core.finished(1)
        #expect(desk.commands == [])
        desk.store(1)
        #expect(desk.commands == desk.goodbye(1, .missingPayload, 8))
    }

    @Test func `closes after a provider that has ended its side once Kafka has everything`() {
        desk.open(1)
        desk.open(2)
        desk.send(1, Packets.enhanced(7))
        desk.core.finished(1)
        desk.core.finished(2)
        #expect(desk.commands == [.link(2, .close)])
        #expect(!desk.wantsInput(1))
        desk.store(1)
        #expect(desk.commands == [.link(1, .close)])
    }

    @Test func `names the last push to a provider that ended its side before a stop`() {
        desk.open(1)
        desk.send(1, Packets.enhanced(7) + Packets.enhanced(8))
        desk.core.finished(1)
        desk.core.stop()
        desk.store(1)
        desk.core.giveUp()
        #expect(desk.commands == desk.goodbye(1, .shutdown, 7))
    }

    @Test func `discards nothing of a provider that has ended its side`() {
        desk.open(1)
        desk.send(1, Packets.enhanced(7) + Packets.enhanced(8))
        desk.core.finished(1)
        #expect(desk.core.ended(ticket: 1, .refused) == [])
        #expect(desk.commands == desk.goodbye(1, .processingError, 7))
        desk.store(2)
        #expect(desk.taken == 1)
    }

    @Test func `closes a connection that leaves a packet unfinished`() {
        desk.open(1)
        desk.send(1, Array(Packets.enhanced(7).prefix(20)))
        desk.core.expire(at: Instant.distantPast + .seconds(29))
        #expect(desk.commands == [])
        desk.core.expire(at: Instant.distantPast + .seconds(30))
        #expect(desk.commands == [.link(1, .close)])
    }

    @Test func `closes a connection that brings nothing for long`() {
        desk.open(1)
        desk.core.expire(at: Instant.distantPast + .seconds(3599))
        #expect(desk.commands == [])
        desk.core.expire(at: Instant.distantPast + .seconds(3600))
        #expect(desk.commands == [.link(1, .close)])
    }

    @Test func `does not time out a provider that it does not read`() {
        desk.open(1)
        desk.open(2)
        desk.send(2, [1])
        for number in UInt32(0)..<100 { desk.send(1, Packets.enhanced(number)) }
        desk.core.expire(at: Instant.distantPast + .seconds(7200))
        #expect(desk.commands == [])
    }
}

/// A core, and what it has said.
final class GatewayDesk {
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
