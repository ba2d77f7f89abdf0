import APNsSimulator
import BridgeSamples
import BridgeTesting
import Configuration
import Delivery
import Encoding
import Engine

@testable import Bridge

/// Faults that a world meets for a while, all derived from the seed. They live as long as their
/// world.
final class Weather {
    /// When the faults stop.
    static let end = Instant.after(.seconds(40))
    /// The prefixes of the records' device tokens, which decide what happens to them.
    private static let prefixes =
        Array(repeating: "ab", count: 30)
        + ["dead", "dead", "bad0", "bad1", "4290", "4290", "5030", "5030", "5000", "5100", "1050"]

    /// The world owns its weather.
    private unowned let world: World
    private var chance: SeededGenerator
    /// True when the worker is to be killed or drained at the next turn.
    private var shallDie = false
    private var shallDrain = false
    private(set) var recordCount = 0
    /// True to write events with lists of devices, for a world with a plan for them.
    var makesLists = false
    /// When the event that is being made expires, in seconds since 1970.
    private var deadline: Int64?

    init(_ world: World) {
        self.world = world
        chance = world.seed.generator(7)
        world.weather = self
    }

    // MARK: Records

    /// Writes records, some at once and some later.
    func write(_ count: Int) {
        for index in 0..<count {
            let later = chance.happens(50) ? chance.moment(until: Self.end) : .distantPast
            let number = index
            world.clock.schedule(at: later) { [unowned self] in append(number) }
        }
        recordCount += count
    }

    private func append(_ number: Int) {
        let partition = Int32(chance.number(in: 0...UInt64(world.topic.firstCount - 1)))
        let gap = Int64(chance.happens(5) ? chance.number(in: 1...9) : 0)
        var count = 1
        let offset = world.topic.append(
            partition: partition, key: chance.happens(50) ? Array("k\(number)".utf8) : nil,
            value: event(number, &count), skipping: gap)
        world.oracle.expect(count, partition: partition, offset: offset, until: deadline)
        deadline = nil
    }

    private func event(_ number: Int, _ count: inout Int) -> [UInt8]? {
        let token = Samples.token(draw(Self.prefixes) + String(1000 + chance.next() % 20))
        let app = appField()
        switch chance.next() % 40 {
        case 0: return nil
        case 1: return Array("no JSON".utf8)
        case 2:
            let past = world.clock.wallClock / 1000 - 10
            return Array(Samples.event(token, more: #","expiration":\#(past)"# + app).utf8)
        case 3:
            let soon = world.clock.wallClock / 1000 + 3
            deadline = soon
            return Array(Samples.event(token, more: #","expiration":\#(soon)"# + app).utf8)
        case 4 where makesLists, 16...19 where makesLists: return list(token, &count)
        case 4:
            count = 3
            let others = ["ab", "cd"].map { Samples.token($0 + String(1000 + number)) }
            let tokens = ([token] + others).map { #""\#($0)""# }.joined(separator: ",")
            let payload = #""payload":{"aps":{"badge":1}}"#
            return Array(#"{"device_tokens":[\#(tokens)],\#(payload)\#(app)}"#.utf8)
        case 5:
            count = world.settings.results.reportsFiltered ? 1 : 0
            return Array(Samples.event(token, more: #","kind":"quiet""# + app).utf8)
        case 6...15:
            let more = #","collapse_id":"c\#(number % 3)""#
            return Array(Samples.event(token, more: more + app).utf8)
        default: return Array(Samples.event(token, more: app).utf8)
        }
    }

    /// An event with a list of devices: some at fault, some filtered, or none at all.
    private func list(_ token: String, _ count: inout Int) -> [UInt8] {
        var devices: [String] = []
        count = 0
        for index in 0..<chance.next() % 4 {
            count += 1
            switch chance.next() % 5 {
            case 0: devices.append(draw(["null", "7", #""ab""#, "[]", "{}", #"{"token":1.5}"#]))
            case 1:
                devices.append(#"{"off":true,"token":"\#(token)"}"#)
                count -= 1
            case 2: devices.append(#"{"token":"\#(token)","badge":\#(index)}"#)
            default:
                let other = Samples.token("ab" + String(2000 + chance.next() % 50))
                devices.append(#"{"token":"\#(other)","badge":\#(index)}"#)
            }
        }
        if devices.isEmpty { count = 1 }
        // An event of which nothing is left is filtered, once.
        if count == 0, world.settings.results.reportsFiltered { count = 1 }
        return Array(#"{"list":true,"devices":[\#(devices.joined(separator: ","))]}"#.utf8)
    }

    /// The field that chooses one of several apps.
    private func appField() -> String {
        let apps = world.settings.apps
        return apps.count > 1 ? #","bundle_id":"\#(draw(apps).bundleID)""# : ""
    }

    private func draw<Element>(_ elements: [Element]) -> Element {
        elements[Int(chance.next() % UInt64(elements.count))]
    }

    // MARK: Faults

    /// Lets everything go wrong now and then, until the end.
    func begin(isAlone: Bool = true) {
        world.network.latency = .milliseconds(chance.number(in: 1...50))
        world.network.rules = [.peace(from: Self.end), networkRule()]
        world.results.rules = [resultRule()]
        world.habits.failingCommits = chance.number(in: 0...20)
        if isAlone {
            scheduleRebalances()
            scheduleRestarts()
            scheduleRenewals()
        }
        world.clock.schedule(at: Self.end) { [unowned self] in
            world.member?.habits.failingCommits = 0
            world.habits.failingCommits = 0
        }
    }

    private func networkRule() -> FaultRule {
        let bad = chance.number(in: 0...4)
        return FaultRule { [unowned self] event, _ in
            switch event {
            case .lookup: chance.happens(bad * 3) ? .failLookup : nil
            case .connect: chance.happens(bad * 4) ? draw([.refuse, .stall]) : nil
            case .toPeer, .toClient:
                switch chance.next() % 1500 {
                case 0..<bad: .cut(after: draw([0, 1, 7, .max]))
                case 10..<(10 + bad / 2): .stall
                case 20..<(20 + 20 * bad): .delay(by: .milliseconds(chance.number(in: 1...500)))
                default: nil
                }
            }
        }
    }

    private func resultRule() -> ResultRule {
        let bad = chance.number(in: 0...5)
        return ResultRule { [unowned self] record, clock in
            guard clock.now < Self.end else { return nil }
            let delay = Duration.milliseconds(chance.number(in: 1...2000))
            return switch chance.next() % 100 {
            case 0..<bad: .failed(after: delay)
            case 10..<(10 + bad): .storedUnheard(after: delay)
            case 20..<(20 + bad): .full
            case 30..<(30 + bad): .failedAtOnce
            case 40..<(40 + bad): .stored(after: delay)
            case 50..<(50 + bad) where record.value != nil || record.key != nil:
                draw([.tooLargeAtOnce, .tooLarge(after: delay)])
            default: nil
            }
        }
    }

    private func scheduleRebalances() {
        for _ in 0..<chance.number(in: 0...8) {
            let count = world.topic.partitions.count
            let some = (0..<Int32(count)).filter { _ in chance.happens(50) }
            let isLoss = chance.happens(25)
            world.clock.schedule(at: chance.moment(until: Self.end)) { [unowned self] in
                guard let member = world.member else { return }
                guard isLoss else { return member.revoke(some) }
                let mine = member.partitions.filter(some.contains)
                member.lose(mine)
                bringBack(mine)
            }
        }
    }

    private func scheduleRestarts() {
        for _ in 0..<chance.number(in: 0...5) {
            let isKill = chance.happens(60)
            world.clock.schedule(at: chance.moment(until: Self.end)) { [unowned self] in
                if isKill { shallDie = true } else { shallDrain = true }
                world.clock.wake()
            }
        }
    }

    /// Offers other credentials, also while responses to requests with the old one are due.
    private func scheduleRenewals() {
        for _ in 0..<chance.number(in: 0...3) {
            let isKnown = chance.happens(60)
            world.clock.schedule(at: chance.moment(until: Self.end)) { [unowned self] in
                try? world.renew(isKnown: isKnown)
            }
        }
    }

    /// How APNs and whatever is in front of it respond: in some worlds APNs rejects the credential
    /// for a while, in some a gateway responds in its place.
    static func behaviour(_ seed: Seed) -> Scenario {
        var answers = Scenario.builtIn.answers
        var chance = seed.generator(11)
        if chance.happens(30) {
            var refusal = ScriptedAnswer(
                tokenPrefix: "", status: 403, reason: "InvalidProviderToken")
            refusal.schedule = schedule(&chance)
            answers.insert(refusal, at: 0)
        }
        if chance.happens(40) {
            let status = [400, 413, 431, 502, 204][Int(chance.next() % 5)]
            answers.insert(gateway(status, schedule(&chance)), at: 0)
        }
        return Scenario(answers: answers)
    }

    private static func schedule(_ chance: inout SeededGenerator) -> Schedule {
        let from = Int(chance.number(in: 0...30_000))
        return Schedule(from: from, until: from + Int(chance.number(in: 100...10_000)))
    }

    /// What a gateway responds to every push for a while, with reasons that are not Apple's.
    static func gateway(_ status: Int, _ schedule: Schedule) -> ScriptedAnswer {
        var answer = ScriptedAnswer(tokenPrefix: "", status: status)
        answer.schedule = schedule
        answer.body = Array("<html>\(status)</html>".utf8)
        return answer
    }

    /// Assigns partitions, after a while, to the member of that time.
    private func bringBack(_ partitions: [Int32]) {
        world.clock.schedule(after: .milliseconds(chance.number(in: 0...3000))) { [unowned self] in
            if world.member?.hasLeft != false { return bringBack(partitions) }
            world.member?.assign(partitions)
        }
    }

    // MARK: The run

    func start() throws {
        try world.start()
        world.member?.onGivenUp = { [unowned self] in bringBack($0) }
    }

    /// Runs through the faults and what follows, until everything is committed.
    func run() throws {
        try start()
        world.member?.assign((0..<Int32(world.topic.partitions.count)).map { $0 })
        let isOver = { [unowned world] in
            world.clock.now > Self.end && world.topic.isDone || self.shallDie || self.shallDrain
        }
        while world.oracle.mistakes.isEmpty, world.clock.now < .after(.seconds(800)) {
            world.run(seconds: 1000, until: isOver)
            if shallDrain { world.drain() }
            if shallDrain, !shallDie { world.run(seconds: 100) { world.hasEnded } }
            guard shallDie || shallDrain else { return }
            (shallDie, shallDrain) = (false, false)
            try start()
        }
    }
}
