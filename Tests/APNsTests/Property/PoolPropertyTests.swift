import BridgeTesting
import Testing

@Suite struct `A pool in a world of random servers` {
    @Test(arguments: Seed.several(40))
    func `respects every limit, delays nothing and ends every request once`(_ seed: Seed) throws {
        let world = try PoolWorld(seed)
        world.run()
        #expect(world.mistakes.isEmpty, "\(seed)")
        #expect(world.sent > 20, "\(seed)")
    }

    @Test func `has the same history with the same seed`() throws {
        let worlds = try [Seed(17), Seed(17)].map { try PoolWorld($0) }
        for world in worlds { world.run() }
        #expect(worlds[0].sent == worlds[1].sent)
        #expect(worlds[0].accepted == worlds[1].accepted)
    }
}
