import APNs
import APNsSimulator
import BridgeSamples
import BridgeTesting
import Configuration
import Delivery
import Engine

/// What would hardly ever meet by chance. It has generators of its own, so that the other faults of
/// a seed stay what they were.
extension Weather {
    /// In some worlds a firewall forgets quiet connections, before or after they have to prove
    /// themselves. It has a generator of its own, so that the other faults of a seed stay what they
    /// were.
    func forgetQuietConnections() {
        var chance = world.seed.generator(91)
        guard chance.happens(25) else { return }
        world.network.forgetsAfter = .milliseconds(chance.number(in: 500...20_000))
        world.poolSettings.provenFor = .milliseconds(chance.number(in: 500...20_000))
        let interval = chance.number(in: 1...20)
        world.poolSettings.pingInterval = chance.happens(60) ? .seconds(interval) : nil
    }

    /// In some worlds one of two apps is set up late: connections that were tied before never learn
    /// of it.
    static func lateSetup(_ seed: Seed) -> [ScriptedResponse] {
        var chance = seed.generator(97)
        guard chance.happens(40) else { return [] }
        var refusal = ScriptedResponse(tokenPrefix: "", status: 400, reason: "TopicDisallowed")
        refusal.schedule = Schedule(until: Int(chance.number(in: 100...30_000)))
        refusal.topic = Array("com.example.pay".utf8)
        return [refusal]
    }

    /// Writes pairs of pushes that replace each other: the first gets no response, and while it is
    /// waited for, the second is sent.
    func writeReplacements() {
        let settings = world.settings
        guard settings.inDoubt == .collapse, settings.results.retry == nil, !makesLists else {
            return
        }
        var chance = world.seed.generator(43)
        for number in 0..<6 {
            let moment = chance.moment(until: Self.end)
            let partition = Int32(chance.number(in: 0...UInt64(world.topic.firstCount - 1)))
            for pause in [Duration.zero, .milliseconds(chance.number(in: 200...1500))] {
                world.clock.schedule(at: moment + pause) { [unowned self] in
                    writeReplacement(number, partition)
                }
            }
        }
    }

    private func writeReplacement(_ number: Int, _ partition: Int32) {
        guard world.topic.takesRecords(partition) else { return }
        let token = Samples.token("1060\(4000 + number)")
        let more = #","collapse_id":"r","bundle_id":"\#(world.settings.apps[0].bundleID)""#
        let event =
            switch number % 4 {
            // These replace nothing, whatever their collapse ID.
            case 1: Samples.event(token, more: #","push_type":"voip""# + more)
            case 2: Samples.activityStart(token, more: more)
            default: Samples.event(token, more: more)
            }
        let offset = world.topic.append(partition: partition, value: Array(event.utf8))
        world.oracle.expect(1, partition: partition, offset: offset)
    }

    /// In some worlds newer pushes supersede buffered ones.
    static func chooseSuperseding(_ settings: inout EngineSettings, _ seed: Seed) {
        var chance = seed.generator(127)
        guard chance.happens(40) else { return }
        settings.supersede = .backlog
        if chance.happens(70) { settings.maxQueued = settings.maxInFlight }
    }

    /// Writes updates of a few Live Activities, not in the order of their timestamps, and ends.
    func writeActivities() {
        guard world.settings.supersede == .backlog, !makesLists else { return }
        var chance = world.seed.generator(131)
        for _ in 0..<20 {
            let partition = Int32(chance.number(in: 0...UInt64(world.topic.firstCount - 1)))
            let prefix = ["ab", "1060", "5030", "4290"][Int(chance.number(in: 0...3))]
            let token = Samples.token(prefix + "500\(chance.number(in: 0...1))")
            let timestamp = 1_767_261_600 + Int64(chance.number(in: 0...999))
            let event = chance.happens(5) ? "end" : "update"
            let aps =
                #""event":"\#(event)","timestamp":\#(timestamp),"content-state":{}"#
            let apps = world.settings.apps
            let bundleID = apps[Int(chance.number(in: 0...UInt64(apps.count - 1)))].bundleID
            let value =
                #"{"device_token":"\#(token)","push_type":"liveactivity","priority":5,"#
                + #""bundle_id":"\#(bundleID)","payload":{"aps":{\#(aps)}}}"#
            world.clock.schedule(at: chance.moment(until: Self.end)) { [unowned self] in
                guard world.topic.takesRecords(partition) else { return }
                let offset = world.topic.append(partition: partition, value: Array(value.utf8))
                world.oracle.expect(1, partition: partition, offset: offset)
            }
        }
    }

    /// Sets the clock on the wall back while pushes wait in the retry topic.
    func scheduleRetriesFromTheFuture() {
        var chance = world.seed.generator(47)
        guard world.settings.results.retry != nil, chance.happens(50) else { return }
        for _ in 0..<chance.number(in: 1...3) {
            let length = Int64(chance.number(in: 600_000...7_200_000))
            world.clock.schedule(at: chance.moment(until: Self.end)) { [unowned self] in
                world.clock.wallClockStart -= length
                world.oracle.hasClockJumped = true
            }
        }
    }

    /// Deletes logs of the retry topic, and starts new ones.
    func scheduleReplacedRetries() {
        var chance = world.seed.generator(53)
        let (first, count) = (world.topic.firstCount, world.topic.partitions.count)
        guard count > first, chance.happens(40) else { return }
        for _ in 0..<chance.number(in: 1...2) {
            let partition = Int32(chance.number(in: UInt64(first)...UInt64(count - 1)))
            world.clock.schedule(at: chance.moment(until: Self.end)) { [unowned self] in
                world.replaceLog(of: partition)
            }
        }
    }

    /// Lets a log lose its last records, as when a broker loses power.
    func scheduleTruncations() {
        var chance = world.seed.generator(89)
        guard world.topic.firstCount == world.topic.partitions.count, chance.happens(15) else {
            return
        }
        let partition = Int32(chance.number(in: 0...UInt64(world.topic.firstCount - 1)))
        let count = Int64(chance.number(in: 1...5))
        world.clock.schedule(at: chance.moment(until: Self.end)) { [unowned world] in
            let (low, high) = world.topic.range(of: partition)
            guard !world.topic.missing.contains(partition) else { return }
            world.truncate(partition, from: max(low, high - count))
        }
    }

    /// Stops a worker that has just started, while the group rebalances: it has no progress to
    /// commit, only that it ended in good order.
    func scheduleStopsWhileJoining() {
        var chance = world.seed.generator(73)
        guard chance.happens(30) else { return }
        let number = Int(chance.next() % UInt64(world.seats.count))
        let start = chance.moment(until: Self.end - .seconds(10))
        let joining = start + .milliseconds(chance.number(in: 1000...8000))
        let length = Duration.milliseconds(chance.number(in: 1...10_000))
        let stop = joining + .milliseconds(chance.number(in: 0...500))
        schedule(.killed, of: number, at: start)
        world.clock.schedule(at: joining) { [unowned self] in
            if let member = world.seats[number].member { rebalance(member, for: length) }
        }
        schedule(.drained, of: number, at: stop)
    }

    /// Deletes partitions, and creates them again after a while: until then no commit is stored.
    func scheduleDeletedTopics() {
        var chance = world.seed.generator(71)
        guard chance.happens(15) else { return }
        let partition = Int32(chance.number(in: 0...UInt64(world.topic.firstCount - 1)))
        let start = chance.moment(until: Self.end - .seconds(10))
        let end = start + .milliseconds(chance.number(in: 1...10_000))
        world.clock.schedule(at: start) { [unowned world] in world.delete(partition) }
        world.clock.schedule(at: end) { [unowned world] in
            world.topic.recreate(partition: partition)
        }
    }

    /// Fills the producer, and takes all partitions of a member meanwhile: what it was about to
    /// publish to the retry topic is left to the next owners.
    func scheduleLossesWhileFull() {
        var chance = world.seed.generator(67)
        guard world.settings.results.retry != nil, chance.happens(50) else { return }
        let room = world.results.queueLimit
        for _ in 0..<chance.number(in: 1...3) {
            let number = Int(chance.next() % UInt64(world.seats.count))
            let start = chance.moment(until: Self.end)
            let loss = start + .milliseconds(chance.number(in: 1...2000))
            let end = loss + .milliseconds(chance.number(in: 1...2000))
            world.clock.schedule(at: start) { [unowned world] in world.results.queueLimit = 0 }
            world.clock.schedule(at: loss) { [unowned self] in
                guard let member = world.seats[number].member else { return }
                takeAway(member.partitions, from: member, isAnnounced: true)
            }
            world.clock.schedule(at: end) { [unowned world] in
                world.results.queueLimit = room
                world.clock.wake()
            }
        }
    }

    /// Lets the broker accept less metadata than the connector has room for, from the beginning or
    /// from a moment on.
    func scheduleSmallMetadata() {
        var chance = world.seed.generator(59)
        let limits: [ClosedRange<UInt64>] = [0...0, 1...15, 16...40, 41...200, 1024...1024]
        let limit = Int(chance.number(in: limits[Int(chance.number(in: 0...4))]))
        guard chance.happens(25), limit < world.settings.commitMetadata else { return }
        world.oracle.refusesMetadata = true
        let moment = chance.happens(50) ? chance.moment(until: Self.end) : .distantPast
        world.clock.schedule(at: moment) { [unowned self] in world.topic.metadataLimit = limit }
    }
}
