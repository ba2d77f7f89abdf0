import BridgeSamples
import BridgeTesting
import Configuration
import Delivery
import Engine

/// Somebody who may write to the retry topic and has no key writes records there.
extension Weather {
    private static let oldKey = Array("the first key of a world".utf8)
    private static let newKey = Array("the next key of a world.".utf8)

    /// In some worlds with a retry topic records are sealed. The generator is one of its own, so
    /// that the other faults of a seed stay what they were.
    static func chooseSeal(_ settings: inout EngineSettings, _ seed: Seed) {
        var chance = seed.generator(107)
        guard settings.results.retry != nil, chance.happens(60) else { return }
        settings.results.seal = SealKeys(keys: [oldKey, newKey])
    }

    /// Forges retry records, and lets workers that start later seal with another key.
    func scheduleForgedRetries() {
        guard world.settings.results.seal != nil else { return }
        var chance = world.seed.generator(109)
        let (first, count) = (world.topic.firstCount, world.topic.partitions.count)
        for number in 0..<chance.number(in: 1...12) {
            let partition = Int32(chance.number(in: UInt64(first)...UInt64(count - 1)))
            let kind: UInt64 = chance.next() % 5
            world.clock.schedule(at: chance.moment(until: Self.end)) { [unowned self] in
                forge(Int(number), kind, partition)
            }
        }
        guard chance.happens(50) else { return }
        world.clock.schedule(at: chance.moment(until: Self.end)) { [unowned world] in
            world.settings.results.seal = SealKeys(keys: [Self.newKey, Self.oldKey])
        }
    }

    private func forge(_ number: Int, _ kind: UInt64, _ partition: Int32) {
        guard world.topic.takesRecords(partition) else { return }
        let token = Samples.token(ForgedRetryCheck.tokenPrefix + String(1000 + number))
        let app = #","bundle_id":"\#(world.settings.apps[0].bundleID)""#
        let value = Array(Samples.event(token, more: app).utf8)
        var headers = headers(kind == 0 ? .max : 0)
        let sealed = { (keys: SealKeys?, value: [UInt8]) in
            keys.map { $0.seal(.retry, key: nil, value: value, headers: headers) }
        }
        switch kind {
        // Everybody may make a seal; only with the key does it count.
        case 0: sealed(SealKeys(keys: [Array("the key of a stranger".utf8)]), value)
            .map { headers.append($0) }
        // The seal of another record.
        case 1: sealed(world.settings.results.seal, value + [32]).map { headers.append($0) }
        // A seal twice.
        case 2:
            if let seal = sealed(world.settings.results.seal, value) { headers += [seal, seal] }
        // Of another kind.
        case 3:
            if let seal = world.settings.results.seal {
                headers.append(
                    seal.seal(.replay, key: nil, value: value, headers: headers))
            }
        default: break
        }
        let offset = world.topic.append(partition: partition, value: value, headers: headers)
        world.oracle.forgedRetries.note(written: partition, offset)
    }

    /// The headers of a record that is due at a time.
    private func headers(_ due: Int64) -> [ResultRecord.Header] {
        let now = String(world.clock.wallClock)
        return [
            ("due", String(due)), ("index", "0"),
            ("apns-id", "1d490eb6-950b-59b2-95a8-8e0e391d7643"), ("attempts", "0"),
            ("suspended", "0"), ("taken", now), ("order", "0"),
            ("until", String(Int64.max >> 21)), ("written", now),
            ("topic", World.topicName), ("partition", "0"), ("offset", "0"), ("timestamp", now),
        ].map { ("apns-bridge-retry-" + $0.0, Array($0.1.utf8)) }
    }
}
