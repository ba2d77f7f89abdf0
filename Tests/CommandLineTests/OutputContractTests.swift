import Arguments
import Bridge
import ConnectorTesting
import Contracts
import Foundation
import Kafka
import Testing

@testable import apns_bridge

@Suite struct `The output for programs of a release` {
    /// Compares what a command has printed with the file of that name.
    private func expect(
        _ name: String, _ ending: Program.Ending, code: Int32 = 0,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(ending.code == code, "\(ending.errors)", sourceLocation: location)
        let differences = try Contract.differences("output/\(name).json", from: ending.output)
        #expect(differences == [], "now there is:\n\(ending.output)", sourceLocation: location)
    }

    @Test func `of version and reasons has the same members`() throws {
        try expect("version", Program.run("version", "--format", "json"))
        try expect("reasons", Program.run("reasons", "--format", "json"))
    }

    @Test func `of lint has the same members`() throws {
        let world = try ChannelWorld()
        try world.write(ConnectorText.orders("workers: 0"), to: "wrong.yaml")
        let ending = try Program.run(
            Program.path, ["lint", "--format", "json", "none.yaml", "wrong.yaml"],
            in: world.world.folder)
        try expect("lint", ending, code: 66)
    }

    @Test func `of test has the same members`() throws {
        let world = try ChannelWorld()
        let tests = """
            now: 2026-01-01T10:00:00Z
            tests:
              - {name: sets the number, record: {value: {token: ab01}},
                 expect: {requests: [{payload: {aps: {badge: 3}}}]}}
              - {name: comes later, skip: not yet, record: {value: {}}, expect: {requests: []}}

            """
        try world.write(tests, to: "orders.test.yaml")
        let ending = try Program.run(
            Program.path, ["test", "--format", "json", "orders.yaml"], in: world.world.folder)
        try expect("test", ending, code: 1)
    }

    /// A connector that cuts a text, and events for it.
    private func sending() throws -> ChannelWorld {
        let world = try ChannelWorld()
        try world.change(
            "payload: {aps: {badge: 1}}",
            to: "payload: {aps: {alert: {title: \"${title | truncate(3)}\"}}}")
        try world.change("results: {", to: "results: {labels: {campaign: spring}, ")
        let token = String(repeating: "ab", count: 32)
        try world.write(#"{"token":"\#(token)","title":"Hello"}"#, to: "event.json")
        try world.write(#"{"token":"00ff","title":"Hello"}"#, to: "bad.json")
        try world.write(#"{"title":"Hello"}"#, to: "dropped.json")
        return world
    }

    @Test(arguments: [
        ("render", "render", "event", Int32(0)), ("render", "render-dropped", "dropped", 1),
        ("send", "send", "event", 0), ("send", "send-rejected", "bad", 1),
    ])
    func `of render and send has the same members`(
        command: String, name: String, event: String, code: Int32
    ) throws {
        let world = try sending()
        let ending = try Program.run(
            Program.path, [command, "orders.yaml", "\(event).json", "--format", "json"],
            in: world.world.folder)
        try expect(name, ending, code: code)
    }

    @Test func `of channels has the same members`() throws {
        let world = try ChannelWorld()
        let created = try world.run("create", "--format", "json")
        try expect("channels-create", created)
        let channel = try #require(created.object["channel_id"] as? String)
        try expect("channels-list", world.run("list", "--format", "json"))
        try expect("channels-read", world.run("read", channel, "--format", "json"))
        try expect("channels-delete", world.run("delete", channel, "--format", "json"))
    }

    @Test func `of doctor has the same members`() throws {
        let world = try BadInputWorld()
        try world.writeConnector()
        let ending = try Program.run(
            Program.path, ["doctor", "orders.yaml", "--format", "json"], in: world.folder)
        try expect("doctor", ending)
    }

    @Test func `of a dry run has the same members`() throws {
        let world = try BadInputWorld()
        try world.writeConnector()
        var writer = try RecordWriter(properties: world.properties)
        let token = String(repeating: "ab", count: 32)
        for target in [#""device_token":"\#(token)","#, ""] {
            let event = #"{\#(target)"payload":{"aps":{"alert":"Hello"}}}"#
            try writer.write(world.topic, value: [UInt8](event.utf8), partition: 0)
        }
        try writer.flush()
        let ending = try Program.run(
            Program.path,
            ["run", "--dry-run", "--from-beginning", "--format", "json", "orders.yaml"],
            in: world.folder)
        try expect("dry-run", ending)
    }

    @Test func `of bench has the same members`() throws {
        let ending = try Program.run(
            "bench", "--events", "200", "--rate", "100", "--seconds", "1", "--format", "json")
        // A busy machine may not hold the rate, which does not change the members.
        try expect("bench", ending, code: ending.code == 1 ? 1 : 0)
    }

    @Test func `is compared for each command that has any`() throws {
        let words = APNsBridge.command.words()
        let commands = words.filter { $0.hasSuffix(" --format: json") }
            .map { $0.split(separator: " -")[0].replacing(" ", with: "-") }
            .map { $0 == "run" ? "dry-run" : $0 }
        #expect(commands.count > 10)
        for contract in Contract.having("output") {
            let files = try contract.names(in: "output")
            let missing = commands.filter { !files.contains("\($0).json") }
            #expect(missing == [], "Tests/Contracts/\(contract)/output has a file for each")
        }
    }
}

@Suite struct `The words in the output for programs of a release` {
    /// Each member that has one of a few words, and those.
    private static let words =
        DoctorFinding.Result.allCases.map { "doctor result: \($0.rawValue)" }
        + ChannelResult.Verdict.allCases.map { "channels verdict: \($0.rawValue)" }
        + BenchLimit.allCases.map { "bench limit.name: \($0.rawValue)" }
        + SentResponse.Verdict.allCases.map { "send verdict: \($0.rawValue)" }

    @Test(arguments: Contract.having("output-words.txt"))
    func `are still there`(contract: Contract) throws {
        #expect(try contract.missing("output-words.txt", from: Self.words) == [])
    }

    @Test func `are all listed`() throws {
        let unlisted = try Contract.unlisted("output-words.txt", from: Self.words)
        #expect(unlisted == [])
    }
}
