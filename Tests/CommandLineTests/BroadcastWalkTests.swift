import Foundation
import Testing

@testable import APNsSimulator

@Suite final class `A broadcast to a thousand phones` {
    private let world: SimulatorWorld
    private let channel: String
    private let phones = (0..<1000).map { String(format: "%064x", $0) }

    init() throws {
        world = try SimulatorWorld()
        channel = String(
            decoding: world.server.channels.make(
                for: "com.example.app", storesLatest: true, at: 0), as: UTF8.self)
        try Data(connector.utf8).write(to: world.folder.appending(path: "match.yaml"))
    }

    deinit { world.remove() }

    private var connector: String {
        """
        \(world.connector(for: "com.example.app"))
        notification:
          broadcast: {channel: "${channel}"}
          priority: 10
          expiration: 0
          live_activity: {event: update, content_state: {score: "${score}"}}

        """
    }

    private func broadcast(_ score: String) throws {
        let event = ["channel": channel, "score": score]
        try JSONSerialization.data(withJSONObject: event)
            .write(to: world.folder.appending(path: "event.json"))
        let ending = try Program.run(
            Program.path, ["send", "match.yaml", "event.json"], in: world.folder)
        #expect(ending.code == 0, "\(ending.output)\(ending.errors)")
    }

    /// What the Live Activities of all phones show.
    private func shown() throws -> [String?] {
        try phones.flatMap { phone in
            try #require(try world.server.device(phone)).lockScreen.activities.map(\.contentState)
        }
    }

    @Test func `is one request that changes all of them, however many follow`() throws {
        for phone in phones { try world.server.report(phone, .subscribe(channel: channel)) }
        try broadcast("1:0")
        #expect(world.server.memory?.requests().total == 1)
        #expect(try shown() == Array(repeating: #"{"score":"1:0"}"#, count: 1000))

        let memory = try #require(world.server.memory)
        let first = try #require(memory.requests().requests.first)
        for _ in 0..<20 { memory.noteBroadcast(first, to: Array(channel.utf8)) }
        try broadcast("2:0")
        #expect(try shown() == Array(repeating: #"{"score":"2:0"}"#, count: 1000))
        let kept = try phones.map { try #require(try world.server.device($0)).pushes.count }
        let limit = MemoryLimits().pushesPerDevice
        #expect(kept.allSatisfy { $0 <= limit }, "the memory of the simulator is bounded")
        let listed = world.server.channels.list().map(\.broadcasts)
        #expect(listed == [2])
    }

    @Test(.enabled(if: Browser.path != nil, "no Chromium is installed"))
    func `is shown on the page`() throws {
        for phone in phones { try world.server.report(phone, .subscribe(channel: channel)) }
        try broadcast("3:1")
        let page = try Browser.page("http://127.0.0.1:\(world.adminPort)/", seconds: 20)
        // The page shows the latest 200 phones, and says how many there are.
        #expect(page.components(separatedBy: "<dt>score</dt><dd>3:1</dd>").count == 201)
        #expect(page.contains("and 800 more phones with older pushes"))
    }
}
