import APNs
import APNsSimulator
import BridgeSamples
import BridgeTesting
import Engine
import Testing

@testable import Bridge

/// Every row of the table, as a response of the simulator over TLS and HTTP/2.
@Suite struct `A response from APNs` {
    /// A world with one event, whose first request has the response of a row and the next succeeds.
    private func world(_ row: ReasonRow) throws -> World {
        try world(status: row.statuses.lowerBound, reason: row.reason ?? "")
    }

    private func world(status: Int, reason: String) throws -> World {
        let world = try World(
            partitions: 1,
            behaviour: Scenario(responses: [
                ScriptedResponse(
                    tokenPrefix: "ab", status: status, reason: reason, attempts: 1)
            ]))
        try world.start()
        world.member?.assign([0])
        world.topic.append(value: Array(Samples.event(Samples.token("ab01")).utf8))
        try #require(world.runUntilDone())
        return world
    }

    private func outcome(_ world: World) throws -> String {
        try #require(world.oracle.outcomes(offset: 0).first)
    }

    private static func rows(_ reactions: Reaction...) -> [ReasonRow] {
        ReasonTable.rows.filter { $0.reason != nil && reactions.contains($0.reaction) }
    }

    @Test(arguments: rows(.rejected, .suspect))
    func `that rejects a push for good is reported, with a dead letter`(row: ReasonRow) throws {
        let world = try world(row)
        let outcome = try outcome(world)
        #expect(try Samples.member("verdict", of: outcome) == "rejected")
        #expect(try Samples.member("reason", of: outcome) == row.reason)
        #expect(outcome.contains("\"status\":\(row.statuses.lowerBound),"))
        #expect(outcome.contains("\"attempts\":1,"))
        #expect(outcome.contains("\"suspect\":\(row.reaction == .suspect),"))
        #expect(world.results.records(of: "apns.dead-letter").count == 1)
        #expect(world.results.records(of: "apns.unregistered").count == 0)
    }

    @Test(arguments: rows(.unregistered))
    func `that unregisters a token is written to the unregistered topic`(row: ReasonRow) throws {
        let world = try world(row)
        #expect(try Samples.member("verdict", of: outcome(world)) == "rejected")
        #expect(world.results.records(of: "apns.unregistered").count == 1)
        #expect(world.results.records(of: "apns.dead-letter").count == 0)
    }

    @Test(arguments: rows(.suspend, .retryNow, .retryOnce, .retryLater))
    func `that may be temporary loses no push and unregisters no token`(row: ReasonRow) throws {
        let world = try world(row)
        let outcome = try outcome(world)
        #expect(try Samples.member("verdict", of: outcome) == "accepted")
        #expect(outcome.contains("\"attempts\":2,"))
        #expect(world.results.records(of: "apns.unregistered").count == 0)
        #expect(world.results.records(of: "apns.dead-letter").count == 0)
        let isHeld = world.log.all.contains { $0.contains("sending suspended") }
        #expect(isHeld == (row.reaction == .suspend))
    }

    @Test(arguments: [
        (418, "Teapot", "rejected"), (403, "NewReason", "accepted"), (429, "NewReason", "accepted"),
        (502, "", "accepted"), (410, "", "accepted"), (201, "", "unknown"),
    ])
    func `that is unrecognized is handled by its status class`(
        status: Int, reason: String, verdict: String
    ) throws {
        let found = try outcome(try world(status: status, reason: reason))
        #expect(found.contains("\"verdict\":\"\(verdict)\""), "\(found)")
    }
}
