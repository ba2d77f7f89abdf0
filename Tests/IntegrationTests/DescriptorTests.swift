import Foundation
import Kafka
import Testing

@Suite(.serialized) struct `A bridge that runs out of descriptors` {
    private static let canLimit = FileManager.default.isExecutableFile(atPath: "/usr/bin/prlimit")

    /// Those that a reload needs to read the files, but not those of Kafka's clients.
    private static let room = 4

    /// Adds a connector that is like the one of the world but for its group.
    private func addConnector(to world: BridgeWorld) throws {
        try String(contentsOfFile: world.file, encoding: .utf8)
            .replacing("group: \(world.group)", with: "group: \(world.group)-more")
            .write(
                to: world.folder.appending(path: "more.yaml"), atomically: true, encoding: .utf8)
    }

    @Test(.enabled(if: canLimit, "prlimit is missing"))
    func `runs its other connectors, and starts one that found none when there are some`() throws {
        let world = try BridgeWorld(.embedded(try EmbeddedCluster()), partitions: 2)
        try world.publish(100)
        let bridge = try BridgeProcess(["run", world.folder.path], in: world.folder)
        try world.waitUntilCommitted(100, while: bridge)

        try addConnector(to: world)
        try bridge.limitOpenFiles(to: bridge.openFiles + Self.room)
        bridge.send(SIGHUP)
        // Whether the check of the connector or its worker finds none depends on what other clients
        // close in the meantime.
        try bridge.waitUntilLogged("raise the limit")
        try world.publish(100)
        try world.waitUntilCommitted(200, while: bridge)
        #expect(!bridge.logged.contains("assigned connector=more"), "\(bridge.logged)")
        #expect(!bridge.logged.contains("worker failed; restarting connector=events"))

        try bridge.limitOpenFiles(to: 1024)
        bridge.send(SIGHUP)
        try bridge.waitUntilLogged("assigned connector=more")
        #expect(bridge.terminate() == 0)
    }
}
