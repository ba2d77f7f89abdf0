import APNsSimulator
import BridgeSamples
import BridgeTesting
import Configuration
import Delivery
import Encoding
import Engine
import Tracing

@testable import Bridge

/// Everything that goes wrong in a world for a while, all derived from the seed: the network, APNs,
/// Kafka, the group and its members, and the clock. It lives as long as its world.
final class Weather {
    /// When the faults stop.
    static let end = Instant.after(.seconds(40))
    /// The prefixes of the records' device tokens, which decide what happens to them.
    private static let prefixes =
        Array(repeating: "ab", count: 30)
        + ["dead", "dead", "bad0", "bad1", "4290", "4290", "5030", "5030", "5000", "5100", "1050"]
        + ["1060", "1070", "4130"]
    /// The same for pushes that replace each other: of many it is in doubt whether they arrived.
    private static let fewPrefixes = ["ab", "ab", "ab", "1060", "1070", "5030", "4290"]

    /// The world owns its weather.
    unowned let world: World
    var chance: SeededGenerator
    /// What happens to workers at the next turn, by their numbers.
    var endings: [Int: Ending] = [:]
    private(set) var recordCount = 0
    /// When the group has assigned each partition, oldest first.
    var assignmentTimes: [Instant] = []
    /// The record of which each worker dies; nil for none.
    var deadly: DeadlyRecord?
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
        guard world.topic.takesRecords(partition) else {
            return world.clock.schedule(after: .seconds(1)) { [unowned self] in append(number) }
        }
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
            // Few devices, so that pushes to them replace each other.
            let few = Samples.token(draw(Self.fewPrefixes) + String(1000 + chance.next() % 3))
            let more = #","collapse_id":"c\#(number % 2)""#
            return Array(Samples.event(few, more: more + app).utf8)
        default: return Array(Samples.event(token, more: app).utf8)
        }
    }

    /// An event with a list of devices: some at fault, some filtered, or none at all.
    private func list(_ token: String, _ count: inout Int) -> [UInt8] {
        var devices: [String] = []
        var filtered = 0
        count = 0
        for index in 0..<chance.next() % 4 {
            count += 1
            switch chance.next() % 5 {
            case 0: devices.append(draw(["null", "7", #""ab""#, "[]", "{}", #"{"token":1.5}"#]))
            case 1:
                devices.append(#"{"off":true,"token":"\#(token)"}"#)
                count -= 1
                filtered += 1
            case 2: devices.append(#"{"token":"\#(token)","badge":\#(index)}"#)
            default:
                let other = Samples.token("ab" + String(2000 + chance.next() % 50))
                devices.append(#"{"token":"\#(other)","badge":\#(index)}"#)
            }
        }
        if devices.isEmpty { count = 1 }
        // An event of which nothing is left is skipped, once.
        if world.settings.results.reportsFiltered { count = count == 0 ? 1 : count + filtered }
        return Array(#"{"list":true,"devices":[\#(devices.joined(separator: ","))]}"#.utf8)
    }

    /// Writes records for two devices each, the second of which rejects its first push.
    func writePairs(_ count: Int, at moment: Instant) {
        world.clock.schedule(at: moment) { [unowned self] in
            for number in 0..<count {
                let tokens = ["ab", "5032"].map { Samples.token($0 + String(3000 + number)) }
                let list = tokens.map { #""\#($0)""# }.joined(separator: ",")
                let event = #"{"device_tokens":[\#(list)],"payload":{"aps":{"badge":1}}}"#
                let partition = Int32(number % world.topic.firstCount)
                guard !world.topic.missing.contains(partition) else { continue }
                let offset = world.topic.append(partition: partition, value: Array(event.utf8))
                world.oracle.expect(2, partition: partition, offset: offset)
            }
        }
    }

    /// The field that chooses one of several apps.
    func appField() -> String {
        let apps = world.settings.apps
        return apps.count > 1 ? #","bundle_id":"\#(draw(apps).bundleID)""# : ""
    }

    // MARK: Faults

    /// Lets everything go wrong now and then, until the end.
    func begin() {
        beginFaultyRequests()
        scheduleGroupFaults()
        scheduleEnds()
        scheduleKafkaFaults()
        scheduleRenewals()
        scheduleClockJumps()
        scheduleRetriesFromTheFuture()
        scheduleReplacedRetries()
        scheduleTruncations()
        scheduleDeletedTopics()
        scheduleStopsWhileJoining()
        schedulePauses()
        scheduleSmallMetadata()
        scheduleLossesWhileFull()
        scheduleDeadlyRecord()
        scheduleForgedRetries()
        forgetQuietConnections()
        scheduleFairWeather()
    }

    /// Lets requests to APNs and Kafka fail until the end.
    func beginFaultyRequests() {
        world.network.latency = .milliseconds(chance.number(in: 1...50))
        world.network.rules = [.peace(from: Self.end), networkRule()]
        world.results.rules = [resultRule()]
        world.habits.failingCommits = chance.number(in: 0...20)
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
                case 15..<(15 + bad / 2): .corrupt(at: Int(chance.number(in: 0...1000)))
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
            let left = max(.zero, world.topic.outageEnd - clock.now)
            let delay = Duration.milliseconds(chance.number(in: 1...2000)) + left
            return switch chance.next() % 100 {
            case 0..<bad: .failed(after: delay)
            case 10..<(10 + bad): .storedUnconfirmed(after: delay)
            case 20..<(20 + bad): .full
            case 30..<(30 + bad): .failedAtOnce
            case 40..<(40 + bad): .stored(after: delay)
            case 50..<(50 + bad) where record.value != nil || record.key != nil:
                draw([.tooLargeAtOnce, .tooLarge(after: delay)])
            default: left > .zero ? draw([.stored(after: delay), .failed(after: delay)]) : nil
            }
        }
    }

    /// Offers other credentials, also while responses to requests with the old one are due.
    private func scheduleRenewals() {
        for _ in 0..<chance.number(in: 0...3) {
            let isKnown = chance.happens(60)
            world.clock.schedule(at: chance.moment(until: Self.end)) { [unowned self] in
                try? world.renew(isKnown: isKnown, draw(Array(world.seats.indices)))
            }
        }
    }

    /// An operator pauses a worker for a while. It has a generator of its own, so that the other
    /// faults of a seed stay what they were.
    private func schedulePauses() {
        var chance = world.seed.generator(23)
        for _ in 0..<chance.number(in: 0...2) {
            let number = Int(chance.next() % UInt64(world.seats.count))
            let start = chance.moment(until: Self.end)
            let end = start + .milliseconds(chance.number(in: 10...10_000))
            world.clock.schedule(at: start) { [unowned self] in world.pause(true, number) }
            world.clock.schedule(at: end) { [unowned self] in world.pause(false, number) }
        }
    }

    /// Sets the clock on the wall forward or back, in some worlds; nobody may vouch for it.
    private func scheduleClockJumps() {
        let beginning = world.clock.now
        guard chance.happens(20) else { return }
        for _ in 0..<chance.number(in: 1...2) {
            let length = Int64(chance.number(in: 1...7_200_000))
            let milliseconds = chance.happens(50) ? length : -length
            let moment = chance.moment(until: Self.end)
            var doubt = world.seed.generator(83)
            if doubt.happens(60) {
                let end = moment + .milliseconds(doubt.number(in: 1...20_000))
                world.clock.schedule(at: moment) { [unowned world] in
                    world.clock.isSynchronized = false
                }
                world.clock.schedule(at: end) { [unowned world] in
                    world.clock.isSynchronized = true
                    world.oracle.doubtfulLead = nil
                }
            }
            world.clock.schedule(at: moment) { [unowned self] in
                // At the very beginning no worker has looked at the clock yet.
                let isFirst = !world.oracle.hasClockJumped && world.clock.now > beginning
                let isDoubted = isFirst && !world.clock.isSynchronized && milliseconds > 60_000
                world.oracle.doubtfulLead = isDoubted ? milliseconds : nil
                world.clock.wallClockStart += milliseconds
                world.oracle.hasClockJumped = true
            }
        }
    }

    /// Makes Kafka unreachable, lets records expire and replaces logs.
    private func scheduleKafkaFaults() {
        for _ in 0..<(chance.happens(30) ? 1 : 0) {
            let length = Duration.milliseconds(chance.number(in: 100...8000))
            world.clock.schedule(at: chance.moment(until: Self.end - .seconds(8))) {
                [unowned self] in world.topic.outageEnd = world.clock.now + length
            }
        }
        guard chance.happens(20) else { return }
        let partition = Int32(chance.number(in: 0...UInt64(world.topic.firstCount - 1)))
        let isReplaced = chance.happens(50)
        world.clock.schedule(at: chance.moment(until: Self.end)) { [unowned self] in
            guard isReplaced else {
                let (low, high) = world.topic.range(of: partition)
                let offset = low + Int64(chance.number(in: 0...UInt64(high - low)))
                return world.topic.removeRecords(partition: partition, below: offset)
            }
            world.replaceLog(of: partition)
        }
    }

    // MARK: The world

    /// A world in which everything may go wrong, after it has.
    static func live(_ seed: Seed, hasBroadcasts chosen: Bool? = nil) throws -> World {
        var chance = seed.generator(13)
        let retryPartitions = chance.happens(40) ? 2 : 0
        let makesLists = chance.happens(25)
        let hasTwoApps = !makesLists && chance.happens(25)
        let twoApps = hasTwoApps ? try Samples.twoAppsPlan() : nil
        let plan = makesLists ? try Samples.elementsPlan() : twoApps
        let world = try World(
            seed: seed, workers: [1, 1, 2, 2, 3][Int(chance.next() % 5)],
            retryPartitions: retryPartitions,
            behaviour: behaviour(seed, hasTwoApps, chosen ?? hasBroadcasts(seed)), plan: plan
        ) {
            if hasTwoApps { $0.apps = Samples.twoApps }
            if hasTwoApps, chance.happens(50) { $0.apps[1].route = 0 }
            choose(&$0, &chance)
            chooseSeal(&$0, seed)
            chooseSuperseding(&$0, seed)
        }
        var queueing = seed.generator(79)
        if queueing.happens(30) { world.settings.maxQueued = Int(queueing.number(in: 1...12)) }
        // What is traced must change nothing.
        var tracing = seed.generator(37)
        if tracing.happens(20) { world.spans = SpanQueue(sampler: TraceSampler(share: 0.5)) }
        let weather = Weather(world)
        weather.makesLists = makesLists
        weather.write(100)
        weather.writeReplacements()
        weather.writeActivities()
        if chosen ?? hasBroadcasts(seed) { weather.writeBroadcasts() }
        weather.begin()
        try weather.run()
        return world
    }

    private static func choose(_ settings: inout EngineSettings, _ chance: inout SeededGenerator) {
        settings.inDoubt = [.collapse, .resend, .report][Int(chance.next() % 3)]
        if chance.happens(20) { settings.supersede = .none }
        if settings.results.retry == nil, chance.happens(50) {
            settings.ordering = [.device, .key, .collapse, .partition][Int(chance.next() % 4)]
        }
        settings.maxWaiting = Int(chance.number(in: 1...25))
        settings.revokeDeadline = .milliseconds(3000)
        settings.results.reportsFiltered = chance.happens(50)
        // Some commits have room for fewer offsets than there are records.
        if chance.happens(30) { settings.commitMetadata = Int(chance.number(in: 11...19)) }
        if chance.happens(20) { settings.maxUncommitted = 4 }
        if chance.happens(30) { settings.maxInFlight = Int(chance.number(in: 5...49)) }
    }

    /// How APNs and whatever is in front of it respond: in some worlds APNs rejects the credential
    /// for a while, in some a gateway responds in its place.
    private static func behaviour(_ seed: Seed, _ hasTwoApps: Bool, _ casting: Bool) -> Scenario {
        var responses = Scenario.builtIn.responses + [
            lost("1060", .silence), lost("1070", .reset(2)),
            ScriptedResponse(tokenPrefix: "4130", status: 413, reason: "PayloadTooLarge"),
        ]
        var chance = seed.generator(11)
        if chance.happens(hasTwoApps ? 80 : 30) {
            var refusal = ScriptedResponse(
                tokenPrefix: "", status: 403, reason: "InvalidProviderToken")
            refusal.schedule = schedule(&chance)
            if hasTwoApps { refusal.topic = Array("com.example.pay".utf8) }
            responses.insert(refusal, at: 0)
        }
        if hasTwoApps { responses.insert(contentsOf: lateSetup(seed), at: 0) }
        if casting { responses.insert(contentsOf: refusedBroadcasts(seed), at: 0) }
        if chance.happens(40) {
            let status = [400, 413, 431, 502, 204][Int(chance.next() % 5)]
            responses.insert(gateway(status, schedule(&chance)), at: 0)
        }
        var scenario = Scenario(responses: responses)
        if chance.happens(40) { scenario.faults = [goAway(&chance)] }
        return scenario
    }

    /// The first request for a push gets no response.
    private static func lost(
        _ tokenPrefix: String, _ outcome: ScriptedResponse.Outcome
    ) -> ScriptedResponse {
        var response = ScriptedResponse(tokenPrefix: tokenPrefix, attempts: 1)
        response.outcome = outcome
        return response
    }

    /// Every connection ends after some requests: at once, or announced in advance.
    static func goAway(_ chance: inout SeededGenerator) -> ScriptedFault {
        var goAway = ScriptedGoAway()
        if chance.happens(50) { goAway.secondAfter = Int(chance.number(in: 1...300)) }
        let interval = Int(chance.number(in: 2...30))
        return ScriptedFault(.event(.goAway(goAway)), .everyRequest(interval))
    }

    private static func schedule(_ chance: inout SeededGenerator) -> Schedule {
        let from = Int(chance.number(in: 0...30_000))
        return Schedule(from: from, until: from + Int(chance.number(in: 100...10_000)))
    }

    /// What a gateway responds to every push for a while, with reasons that are not Apple's.
    static func gateway(_ status: Int, _ schedule: Schedule) -> ScriptedResponse {
        var response = ScriptedResponse(tokenPrefix: "", status: status)
        response.schedule = schedule
        response.body = Array("<html>\(status)</html>".utf8)
        return response
    }
}
