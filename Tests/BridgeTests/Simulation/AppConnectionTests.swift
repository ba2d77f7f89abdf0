import BridgeSamples
import BridgeTesting
import Delivery
import Engine
import Testing

@testable import Bridge

@Suite struct `A worker with two apps` {
    @Test func `names the app without a connection, until it has one`() throws {
        let world = try World(plan: Samples.twoAppsPlan()) { $0.apps = Samples.twoApps }
        let board = FigureBoard()
        world.seats[0].board = board
        let status = BridgeStatus { .distantPast }
        let names = Samples.twoApps.map(\.name)
        let worker = BridgeStatus.Worker(
            connector: "orders", number: 0, apps: names, board: board)
        status.started([BridgeStatus.Connector(name: "orders", workers: [worker])])
        var connects = 0
        world.network.rules = [
            FaultRule { event, _ in
                guard case .connect = event else { return nil }
                connects += 1
                return connects == 1 ? nil : .refuse
            }
        ]
        try world.start()
        world.member?.assign([0, 1, 2, 3])
        world.run(seconds: 5)
        let ready = try #require(board.latest).apps.map(\.ready)
        #expect(ready.sorted() == [0, 1])
        let apart = names[ready[0] == 0 ? 0 : 1]
        #expect(
            status.read().problems.map(\.message)
                == ["no connection to APNs for \(apart): the connection was refused"])
        world.network.rules = []
        world.run(seconds: 60)
        #expect(try #require(board.latest).apps.map(\.ready) == [2, 2])
        #expect(status.read().problems == [])
    }
}
