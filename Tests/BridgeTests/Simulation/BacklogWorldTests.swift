import APNs
import APNsSimulator
import BridgeSamples
import BridgeTesting
import Configuration
import Delivery
import Encoding
import Engine
import Testing

@testable import Bridge

@Suite struct `A world in which only the newest state is sent` {
    private func world(
        _ seed: Seed = Seed(1), scenario: Scenario = .builtIn,
        tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> World {
        try World(seed: seed, behaviour: scenario) {
            $0.supersede = .backlog
            tweak(&$0)
        }
    }

    private func write(
        _ event: String, to partition: Int32, at time: Instant, in world: World
    ) {
        world.clock.schedule(at: time) { [unowned world] in
            let offset = world.topic.append(partition: partition, value: Array(event.utf8))
            world.oracle.expect(1, partition: partition, offset: offset)
        }
    }

    private func update(_ token: String, at second: Int) -> String {
        let aps =
            #""event":"update","timestamp":\#(1_767_261_600 + second),"content-state":{}"#
        return #"{"device_token":"\#(Samples.token(token))","push_type":"liveactivity","#
            + #""priority":5,"payload":{"aps":{\#(aps)}}}"#
    }

    private func play(_ world: World, seconds: Int = 300) throws {
        try world.start()
        world.member?.assign([0, 1, 2, 3])
        world.run(seconds: 5)
        #expect(world.runUntilDone(seconds: seconds), "\(world.seed)")
        world.oracle.check(world.requests)
        world.oracle.checkEnd()
        #expect(world.oracle.mistakes == [], "\(world.seed)")
    }

    /// The values of a request's payload after a name, in the order of the requests.
    private func values(_ name: StaticString, in world: World) -> [Int64] {
        world.requests.compactMap {
            (String(decoding: $0.body, as: UTF8.self).components(after: name)?.digits)
                .flatMap { Int64($0) }
        }
    }

    @Test func `sends 1,000 requests for ten updates of each of 1,000 devices`() throws {
        let world = try world {
            $0.maxInFlight = 4000
            $0.maxQueued = 4000
        }
        let back = Instant.after(.seconds(30))
        world.network.rules = [
            .peace(from: back),
            FaultRule { event, _ in if case .connect = event { .refuse } else { nil } },
        ]
        for number in 0..<10 {
            for device in 0..<1000 {
                let event =
                    #"{"device_token":"\#(Samples.token("ab\(1000 + device)"))","#
                    + #""collapse_id":"score","payload":{"aps":{"badge":\#(number + 1)}}}"#
                write(
                    event, to: Int32(device % 4),
                    at: .after(.milliseconds(1000 * (number + 1))), in: world)
            }
        }
        try play(world)
        let badges = values(#""badge":"#, in: world)
        #expect(badges == Array(repeating: 10, count: 1000))
        #expect(world.counters.accepted == 1000 && world.counters.dropped == 9000)
    }

    @Test func `sends one request for 20 updates of a Live Activity that wait`() throws {
        let world = try world()
        world.network.rules = [
            .peace(from: .after(.seconds(30))),
            FaultRule { event, _ in if case .connect = event { .refuse } else { nil } },
        ]
        for second in 0..<20 {
            write(
                update("ab01", at: second), to: 0, at: .after(.milliseconds(1000 + second)),
                in: world)
        }
        try play(world)
        #expect(values(#""timestamp":"#, in: world) == [1_767_261_619])
    }

    @Test(arguments: Seed.several(12))
    func `sends the latest timestamp of each Live Activity, in whatever order they are read`(
        seed: Seed
    ) throws {
        var chance = seed.generator(3)
        var outage = ScriptedResponse(
            tokenPrefix: "", status: 503, reason: "ServiceUnavailable")
        outage.schedule = Schedule(from: 1000, until: 5000)
        let world = try world(seed, scenario: Scenario(responses: [outage])) {
            $0.ordering = [.none, .device, .key, .partition][Int(chance.next() % 4)]
            $0.retry.first = .milliseconds(chance.number(in: 100...2000))
            $0.maxInFlight = Int(chance.number(in: 5...60))
        }
        var latest: [String: Int] = [:]
        for _ in 0..<150 {
            let token = "ab\(chance.number(in: 10...15))"
            let second = Int(chance.number(in: 0...1000))
            latest[token] = max(latest[token] ?? 0, second)
            // Those of an activity are in one partition.
            write(
                update(token, at: second), to: Int32(token.utf8.last ?? 0) % 4,
                at: .after(.milliseconds(chance.number(in: 900...6000))), in: world)
        }
        try play(world)
        for (token, second) in latest {
            let accepted = world.requests.filter {
                $0.deviceToken?.hasPrefix(token) == true && $0.judgement?.status == 200
            }
            let isSent = accepted.contains {
                String(decoding: $0.body, as: UTF8.self).contains("\(1_767_261_600 + second),")
            }
            #expect(isSent, "\(seed) \(token)")
        }
        #expect(world.counters.dropped > 20, "\(seed)")
    }

    /// What a request says of a Live Activity: its timestamp, then the offset of its record.
    private func age(_ request: JudgedRequest) -> [Int64] {
        let body = String(decoding: request.body, as: UTF8.self)
        return [#""timestamp":"#, #""offset":"#].map { name in
            (body.components(after: name)?.digits).flatMap { Int64($0) } ?? -1
        }
    }

    @Test(arguments: Seed.several(12))
    func `sends no update again over a newer one, and the end of each Live Activity`(
        seed: Seed
    ) throws {
        var chance = seed.generator(5)
        let busy = ScriptedResponse(tokenPrefix: "", status: 503, reason: "ServiceUnavailable")
        var sometimes = busy
        sometimes.share = 0.4
        let policy: DeliverySettings.Supersede = chance.next() % 4 == 0 ? .retries : .backlog
        let world = try world(seed, scenario: Scenario(responses: [sometimes])) {
            $0.supersede = policy
            $0.retry.first = .milliseconds(chance.number(in: 20...500))
            $0.retry.maxAttempts = 1000
            $0.maxInFlight = Int(chance.number(in: 5...60))
        }
        var count: Int64 = 0
        for number in 0..<200 {
            // Few seconds, so that many have the same one; each fifth push is an end.
            let second = chance.number(in: 0...4)
            let event = number % 5 == 4 ? "end" : "update"
            let token = Samples.token("ab\(chance.number(in: 10...14))")
            world.clock.schedule(at: .after(.milliseconds(chance.number(in: 900...6000)))) {
                [unowned world] in
                let aps =
                    #""event":"\#(event)","timestamp":\#(1_767_261_600 + second),"#
                    + #""content-state":{"offset":\#(count)}"#
                count += 1
                let value =
                    #"{"device_token":"\#(token)","push_type":"liveactivity","priority":5,"#
                    + #""collapse_id":"x","payload":{"aps":{\#(aps)}}}"#
                let offset = world.topic.append(partition: 0, value: Array(value.utf8))
                world.oracle.expect(1, partition: 0, offset: offset)
            }
        }
        try play(world)
        var tried: Set<[UInt8]> = []
        var newest: [String: [Int64]] = [:]
        var ends = 0
        for request in world.requests {
            let isFirst = tried.insert(request.identifier).inserted
            guard request.judgement?.status == 200, let token = request.deviceToken else {
                continue
            }
            let isEnd = String(decoding: request.body, as: UTF8.self).contains(#""event":"end""#)
            ends += isEnd ? 1 : 0
            // With `retries` it counts what was taken later, whatever its timestamp.
            let age = policy == .retries ? [self.age(request)[1]] : self.age(request)
            if !isFirst, !isEnd, let known = newest[token] {
                #expect(!age.lexicographicallyPrecedes(known), "\(seed) \(token)")
            }
            if newest[token]?.lexicographicallyPrecedes(age) ?? true { newest[token] = age }
        }
        #expect(ends == 40, "\(seed)")
    }
}
