import APNsSimulator
import BridgeSamples
import BridgeTesting
import Configuration
import Delivery
import Engine

/// Broadcasts among the pushes of a world. They have generators of their own, so that the other
/// faults of a seed stay what they were.
extension Weather {
    /// In one of twelve worlds pushes are broadcast, too: in none whose seed once found a fault.
    static func hasBroadcasts(_ seed: Seed) -> Bool { seed.number % 12 == 6 }

    /// In some worlds the apps may not broadcast for a while.
    static func refusedBroadcasts(_ seed: Seed) -> [ScriptedResponse] {
        var chance = seed.generator(139)
        guard chance.happens(50) else { return [] }
        var refusal = ScriptedResponse(
            tokenPrefix: "", status: 400, reason: "FeatureNotEnabled")
        refusal.channelPrefix = []
        let from = Int(chance.number(in: 0...30_000))
        refusal.schedule = Schedule(from: from, until: from + Int(chance.number(in: 100...10_000)))
        return [refusal]
    }

    /// Writes broadcasts: to channels of the app and to one that it does not have, with updates,
    /// with ends, and with what cannot be broadcast.
    func writeBroadcasts() {
        guard !makesLists else { return }
        var chance = world.seed.generator(149)
        for number in 0..<30 {
            let apps = world.settings.apps
            let app = apps[Int(chance.number(in: 0...UInt64(apps.count - 1)))].bundleID
            let known = world.channels[app] ?? []
            let channels = known + known + ["dW5rbm93bg==", "not a channel", ""]
            let channel = channels[Int(chance.number(in: 0...UInt64(channels.count - 1)))]
            let events = ["update", "update", "end", "start"]
            let event = events[Int(chance.number(in: 0...3))]
            let aps = #"{"event":"\#(event)","timestamp":\#(1_767_261_600 + number),"#
                + #""content-state":{"n":\#(number)}}"#
            let expiration = chance.happens(30) ? #","ttl":3600"# : ""
            let value = Samples.broadcast(
                to: channel, aps: aps, more: #","bundle_id":"\#(app)""# + expiration)
            let partition = Int32(chance.number(in: 0...UInt64(world.topic.firstCount - 1)))
            world.clock.schedule(at: chance.moment(until: Self.end)) { [unowned self] in
                guard world.topic.takesRecords(partition) else { return }
                let offset = world.topic.append(partition: partition, value: Array(value.utf8))
                world.oracle.expect(1, partition: partition, offset: offset)
            }
        }
    }
}
