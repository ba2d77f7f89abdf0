import APNsSimulator
import BridgeSamples
import BridgeTesting
import Delivery
import Engine
import Testing

@testable import Bridge

/// The figure that autoscaling reads: what more members would take sooner.
@Suite struct `The lag that is unread` {
    private let scenario = """
        answers: [{device_token: ee, status: 429, reason: TooManyRequests, retry_after: 60s}]
        """

    private func event(_ token: String) -> [UInt8] {
        Array(Samples.event(Samples.token(token)).utf8)
    }

    @Test func `does not count what is done behind a push that waits, which the lag does`() throws {
        let behaviour = try Scenario.parse(Array(scenario.utf8), file: "scenario.yaml")
        let world = try World(partitions: 1, behaviour: behaviour)
        let board = FigureBoard()
        world.seats[0].board = board
        world.topic.append(value: event("ee"))
        for number in 0..<500 { world.topic.append(value: event("ab\(1000 + number)")) }
        try world.start()
        world.member?.assign([0])
        #expect(world.run(seconds: 30) { board.latest?.pushes.acceptedTotal == 500 })
        #expect(world.run(seconds: 5) { board.latest?.unreadLag == 0 })
        #expect(board.latest?.lag == 501)
        // An operator's pause keeps new events where more members could read them.
        world.pause(true)
        #expect(world.run(seconds: 5) { board.latest?.isPaused == true })
        for number in 0..<7 { world.topic.append(value: event("ac\(1000 + number)")) }
        #expect(world.run(seconds: 5) { board.latest?.unreadLag == 7 })
    }
}
