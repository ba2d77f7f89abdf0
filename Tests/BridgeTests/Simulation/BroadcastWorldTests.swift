import APNsSimulator
import BridgeSamples
import BridgeTesting
import Delivery
import Engine
import Testing

@testable import Bridge

@Suite struct `A world with broadcasts and pushes to devices` {
    private static let end = Instant.after(.seconds(30))

    private static func scenario(_ response: String) throws -> Scenario {
        let text = """
            answers: [{\(response)}]
            """
        return try Scenario.parse(Array(text.utf8), file: "broadcasts.yaml")
    }

    /// A world that has done what was written to it: a push to a device and a broadcast every
    /// second.
    private func lived(_ seed: Seed, _ behaviour: Scenario) throws -> World {
        let world = try World(seed: seed, behaviour: behaviour)
        let channels = try #require(world.channels["com.example.shop"])
        for second in 0..<30 {
            let partition = Int32(second % 4)
            let events = [
                Samples.event(Samples.token("ab\(1000 + second)")),
                Samples.broadcast(to: channels[second % channels.count]),
            ]
            world.clock.schedule(at: .after(.seconds(second))) { [unowned world] in
                for event in events {
                    _ = world.topic.append(partition: partition, value: Array(event.utf8))
                }
            }
        }
        try world.start()
        world.member?.assign([0, 1, 2, 3])
        world.run(seconds: 32)
        #expect(world.runUntilDone())
        world.oracle.checkEnd()
        #expect(world.oracle.mistakes == [])
        return world
    }

    private func times(_ world: World, ofBroadcasts areBroadcasts: Bool) -> [Int64] {
        world.requests.filter {
            $0.judgement?.status == 200 && ($0.deviceToken == nil) == areBroadcasts
        }.map(\.arrivedAt)
    }

    @Test(arguments: Seed.several(4))
    func `sends each once`(seed: Seed) throws {
        let world = try lived(seed, .acceptsAll)
        #expect(times(world, ofBroadcasts: true).count == 30)
        #expect(times(world, ofBroadcasts: false).count == 30)
    }

    @Test(arguments: Seed.several(4))
    func `sends pushes to devices while the app may not broadcast, and no broadcast is lost`(
        seed: Seed
    ) throws {
        let world = try lived(
            seed,
            Self.scenario(
                "channel: '', from: 5s, until: 25s, status: 400, reason: FeatureNotEnabled"))
        #expect(times(world, ofBroadcasts: true).count == 30)
        let toDevices = times(world, ofBroadcasts: false)
        #expect(toDevices.count == 30)
        for (former, latter) in zip(toDevices, toDevices.dropFirst()) {
            #expect(latter - former < 2000)
        }
    }

    @Test(arguments: Seed.several(4))
    func `sends pushes to devices while a gateway does not know broadcasts`(seed: Seed) throws {
        let world = try lived(
            seed, Self.scenario("channel: '', from: 5s, until: 25s, status: 404, body: none"))
        #expect(times(world, ofBroadcasts: true).count == 30)
        let toDevices = times(world, ofBroadcasts: false)
        for (former, latter) in zip(toDevices, toDevices.dropFirst()) {
            #expect(latter - former < 2000)
        }
    }

    @Test(arguments: Seed.several(4))
    func `behaves identically with the same seed`(seed: Seed) throws {
        let first = try Weather.live(seed, hasBroadcasts: true)
        let second = try Weather.live(seed, hasBroadcasts: true)
        #expect(first.channels == second.channels)
        let pairs = zip(first.history, second.history).enumerated()
        #expect(pairs.first { $0.element.0 != $0.element.1 }?.offset == nil, "\(seed)")
        #expect(first.trace == second.trace, "\(seed)")
    }

    @Test(arguments: Seed.several(12))
    func `keeps every promise while everything goes wrong`(seed: Seed) throws {
        let world = try Weather.live(seed, hasBroadcasts: true)
        world.expectAllPromises()
    }
}
