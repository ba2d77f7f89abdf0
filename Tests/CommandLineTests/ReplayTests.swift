import Foundation
import Kafka
import Testing

/// A connector with dead letters, each of another event, and a topic to replay them to.
private struct ReplayWorld {
    let world: BadInputWorld

    /// The dead letters are as old as `written`, in milliseconds since 1970; new without it.
    init(letters: Int, written: Int64? = nil) throws {
        world = try BadInputWorld()
        for name in ["again", "other"] { try world.createTopic("\(world.topic).\(name)") }
        try world.writeConnector(
            "  group:", "  group: \(world.topic)-group\n  replay: \(world.topic).again")
        var writer = try RecordWriter(properties: world.properties)
        for number in 0..<letters {
            let headers = [
                "connector": "orders", "reason": "BadDeviceToken", "index": "0",
                "apns-id": UUID().uuidString.lowercased(), "topic": world.topic,
                "partition": "0", "offset": "\(number)",
            ]
            try writer.write(
                "\(world.topic).dead", value: Self.event(number),
                headers: headers.map { ("apns-bridge-\($0)", [UInt8]($1.utf8)) }, partition: 0,
                timestamp: written)
        }
        try writer.flush()
    }

    /// The event of a dead letter.
    static func event(_ number: Int) -> [UInt8] {
        let token = String(repeating: "0", count: 64)
        return [UInt8](
            #"{"device_token":"\#(token)","payload":{"aps":{"badge":\#(number)}}}"#.utf8)
    }

    func replay(_ options: String...) throws -> Program.Ending {
        try Program.run(Program.path, ["replay"] + options + ["orders.yaml"], in: world.folder)
    }

    /// The events that were written to a topic.
    func events(in name: String) throws -> [[UInt8]?] {
        try TopicReader(properties: world.properties).readAll("\(world.topic).\(name)")
            .map(\.value)
    }
}

@Suite struct `The verb replay` {
    @Test func `writes only events that match --where, at the --rate, and shows its progress`()
        throws
    {
        let world = try ReplayWorld(letters: 3)
        let ending = try world.replay(
            "--where", "{payload: {aps: {badge: [1]}}}", "--rate", "1000/s")
        #expect(ending.code == 0, "\(ending.errors)")
        #expect(
            ending.output == """
                orders: dead letters read: 3
                  1 replayed to \(world.world.topic).again
                  2 left out by the selection

                """)
        #expect(ending.errors.hasSuffix("3 of 3 dead letters read, 1 replayed\n"))
        #expect(try world.events(in: "again") == [ReplayWorld.event(1)])
    }

    @Test func `refuses a --where or a --rate that it cannot read`() throws {
        let world = try ReplayWorld(letters: 1)
        let pattern = try world.replay("--where", "{payload: 1}")
        #expect(pattern.code == 64)
        #expect(pattern.errors.contains("--where"), "\(pattern.errors)")
        let rate = try world.replay("--rate", "fast")
        #expect(rate.code == 64)
        #expect(rate.errors.contains("100/s"), "\(rate.errors)")
        #expect(try world.events(in: "again") == [])
    }

    @Test(arguments: ["y\n", "YES\n", "n\n", "\n", "yesterday\n", "\u{4}"])
    func `asks on a terminal before it writes to the topic of --to`(response: String) throws {
        let world = try ReplayWorld(letters: 2)
        let other = "\(world.world.topic).other"
        let terminal = try PseudoTerminal()
        terminal.type(response)
        let ending = try Program.run(
            Program.path, ["replay", "--to", other, "orders.yaml"], in: world.world.folder,
            at: terminal)
        let isYes = ["y\n", "YES\n"].contains(response)
        #expect(ending.errors.contains("Write to '\(other)'? [y/N] "), "\(ending.errors)")
        #expect(ending.code == (isYes ? 0 : 1))
        #expect(ending.errors.hasSuffix("Nothing was replayed.\n") == !isYes)
        // Nothing else ends the line of the question where no response was typed.
        #expect(ending.errors.contains("[y/N] \n") == (response == "\u{4}"))
        #expect(try world.events(in: "other").count == (isYes ? 2 : 0))
    }

    @Test func `writes to the topic of --to only if that is confirmed`() throws {
        let world = try ReplayWorld(letters: 2)
        let other = "\(world.world.topic).other"
        let ending = try world.replay("--to", other)
        #expect(ending.code == 64)
        #expect(
            ending.errors == """
                warning: every consumer of '\(other)' sees the records again, and as source records\
                 they get new apns-ids, and an event with several pushes is written once for each\
                 of its dead letters
                error: not confirmed
                  add --yes to write to '\(other)'

                """)
        #expect(try world.events(in: "other") == [])
        let sure = try world.replay("--to", other, "--yes")
        #expect(sure.code == 0 && sure.output.contains("  2 replayed to \(other)\n"))
        #expect(try world.events(in: "other") == [0, 1].map(ReplayWorld.event))
        #expect(try world.events(in: "again") == [])
    }

    @Test func `asks what to do with old dead letters if nothing is recorded`() throws {
        let world = try ReplayWorld(letters: 2, written: 1_767_261_600_000)
        for option in [[], ["--dry-run"]] {
            let ending = try Program.run(
                Program.path, ["replay"] + option + ["orders.yaml"], in: world.world.folder)
            #expect(ending.code == 64 && ending.output.isEmpty)
            #expect(
                ending.errors == """
                    error: nothing is recorded of what was replayed, and the oldest dead letter\
                     is of 2026-01-01T10:00:00.000Z: this is the first replay of 'orders',\
                     or Kafka has dropped the offsets of group\
                     '\(world.world.topic)-group-replay-orders', which it keeps for 7 days after a\
                     replay
                      add --since TIME to begin with the dead letters of that time, or\
                     --from-beginning to replay all, even if they were replayed before
                    Nothing was replayed.

                    """)
        }
        #expect(try world.events(in: "again") == [])
        let later = try world.replay("--dry-run", "--since", "2026-01-02T10:00:00Z")
        #expect(
            later.output == """
                orders: dead letters read: 2
                  0 would be replayed to \(world.world.topic).again
                  2 before --since, where nothing is recorded: they count as replayed

                """)
        let all = try world.replay("--from-beginning")
        #expect(all.code == 0 && all.output.contains("  2 replayed to "), "\(all.errors)")
        #expect(try world.replay().output == "orders: dead letters read: 0\n"
            + "  0 replayed to \(world.world.topic).again\n")
    }

    @Test func `with a copy of the file says how the dead letters' own is named`() throws {
        let world = try ReplayWorld(letters: 2)
        try FileManager.default.copyItem(
            at: world.world.folder.appending(path: "orders.yaml"),
            to: world.world.folder.appending(path: "operator.yaml"))
        let copy = try Program.run(
            Program.path, ["replay", "operator.yaml"], in: world.world.folder)
        #expect(copy.code == 0)
        #expect(copy.output.contains("  2 of other connectors\n"))
        #expect(
            copy.errors.hasSuffix(
                """
                warning: all of these dead letters are of other connectors: orders
                  a connector has the name of its file: replay them with a file named orders.yaml

                """), "\(copy.errors)")
        #expect(try world.replay().output.contains("  2 replayed to "))
    }

    @Test func `says that a source topic gets no events with several pushes`() throws {
        let world = try ReplayWorld(letters: 1)
        let ending = try world.replay("--to", world.world.topic)
        #expect(ending.code == 64)
        #expect(
            ending.errors.contains("new apns-ids; events with several pushes are left out\n"),
            "\(ending.errors)")
        #expect(
            ending.errors.contains(
                "warning: without 'results.seal' nothing limits how often an event is replayed to"),
            "\(ending.errors)")
        #expect(try world.replay("--to", world.world.topic, "--yes").code == 0)
        let written = try TopicReader(properties: world.world.properties)
            .readAll(world.world.topic)
        #expect(written.map(\.value) == [ReplayWorld.event(0)])
    }

    @Test func `does not write to a result topic`() throws {
        let world = try ReplayWorld(letters: 1)
        let dead = "\(world.world.topic).dead"
        let ending = try world.replay("--to", dead, "--yes")
        #expect(ending.code == 64)
        #expect(ending.errors.contains("--to \(dead) is a result topic of the connector"))
        #expect(try world.events(in: "dead").count == 1)
    }

    @Test func `exits 75 when it is interrupted, and continues with the next dead letter`() throws {
        let world = try ReplayWorld(letters: 40)
        let ending = try Program.interrupt(
            ["replay", "--rate", "1/s", "orders.yaml"], in: world.world.folder,
            onceItSays: " of 40 dead letters read")
        #expect(ending.code == 75)
        #expect(ending.errors.hasSuffix("Stopped early: run it again to continue.\n"))
        let first = try world.events(in: "again").count
        #expect(first > 0 && first < 40)
        let rest = try world.replay()
        #expect(rest.code == 0 && rest.output.contains("  \(40 - first) replayed to "))
        #expect(try world.events(in: "again") == (0..<40).map(ReplayWorld.event))
    }
}
