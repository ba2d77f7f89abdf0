import Foundation
import Testing

@Suite struct `The options of run` {
    @Test(arguments: [
        (["--follow"], "--follow is only valid with --dry-run"),
        (["--from-beginning"], "--from-beginning is only valid with --dry-run"),
        (
            ["--format", "json"],
            "--format is only valid with --dry-run; the log has --log-format"
        ),
        (
            ["--replication-factor", "3"],
            "--replication-factor is only valid with --create-topics"
        ),
        (
            ["--create-topics", "--replication-factor", "0"],
            "--replication-factor must be 1 to 32767, not 0"
        ),
        (
            ["--create-topics", "--dry-run"],
            "--create-topics is not valid with --dry-run, which changes nothing"
        ),
    ])
    func `that do not go together are an error`(options: [String], message: String) throws {
        let ending = try Program.run(Program.path, ["run"] + options + ["no-such.yaml"])
        #expect(ending.code == 64)
        #expect(ending.output.isEmpty)
        #expect(ending.errors == "error: \(message)\n")
    }
}

@Suite struct `The command create-topics` {
    @Test func `wants a replication factor that Kafka knows`() throws {
        let ending = try Program.run("create-topics", "--replication-factor", "0", "no-such.yaml")
        #expect(ending.code == 64)
        #expect(ending.errors == "error: --replication-factor must be 1 to 32767, not 0\n")
    }

    @Test func `names a file that is not there`() throws {
        let ending = try Program.run("create-topics", "no-such.yaml")
        #expect(ending.code == 66)
        #expect(ending.errors.contains("no-such.yaml"))
    }

    @Test func `says that Kafka is unavailable, and which address it tried`() throws {
        let world = try BadInputWorld()
        try world.writeConnector(
            "  bootstrap.servers:", "  bootstrap.servers: \"127.0.0.1:1\"")
        let ending = try Program.run(
            Program.path, ["create-topics", "orders.yaml"], in: world.folder)
        #expect(ending.code == 69)
        #expect(ending.errors.contains("127.0.0.1:1"))
    }

    @Test func `needs no key for APNs`() throws {
        let world = try BadInputWorld()
        try world.writeConnector("  key:", "  key: ${file:none.p8}")
        let ending = try Program.run(
            Program.path, ["create-topics", "orders.yaml"], in: world.folder)
        #expect(ending.code == 0, "\(ending.errors)")
    }
}

@Suite struct `A start that fails with a log in JSON` {
    private func lines(_ ending: Program.Ending) throws -> [[String: Any]] {
        try ending.errors.split(separator: "\n").map { line in
            try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                "\(line)")
        }
    }

    @Test func `says in JSON which file is wrong`() throws {
        let world = try BadInputWorld()
        try world.writeConnector()
        try world.write(Array("source: {topcis: [a]}\n".utf8), to: "second.yaml")
        let ending = try Program.run(
            Program.path, ["run", "--log-format", "json", "."], in: world.folder)
        #expect(ending.code == 78)
        let found = try lines(ending).filter { $0["message"] as? String == "cannot start" }
        let first = try #require(found.first { "\($0["detail"] ?? "")".contains("topcis") })
        #expect((first["place"] as? String)?.hasPrefix("./second.yaml:1:") == true)
        #expect(first["action"] as? String == "did you mean 'topics'?")
        #expect(first["level"] as? String == "error")
    }

    @Test func `says in JSON which topic is missing`() throws {
        let world = try BadInputWorld()
        world.hide("\(world.topic).gone")
        try world.writeConnector()
        let ending = try Program.run(
            Program.path, ["run", "--log-format", "json", "."], in: world.folder)
        #expect(ending.code == 69)
        let last = try #require(try lines(ending).last)
        #expect((last["detail"] as? String)?.hasPrefix("Kafka has no topic") == true)
        #expect((last["action"] as? String)?.hasPrefix("create it: kafka-topics.sh") == true)
    }
}

@Suite struct `A folder of connectors whose topics are missing` {
    @Test func `is reported as a whole, with each topic of each connector`() throws {
        let world = try BadInputWorld()
        world.hide("\(world.topic).gone")
        world.hide("\(world.topic).dead")
        try world.writeConnector()
        let orders = try String(
            contentsOf: world.folder.appending(path: "orders.yaml"), encoding: .utf8)
        try world.write(
            Array(orders.replacing("-group", with: "-second").utf8), to: "second.yaml")
        let ending = try Program.run(Program.path, ["run", "."], in: world.folder)
        #expect(ending.code == 69)
        let errors = ending.errors.split(separator: "\n").filter { $0.contains(": error: ") }
        #expect(
            errors == ["./orders.yaml", "./second.yaml"].flatMap { file in
                [
                    "\(file):16:17: error: Kafka has no topic '\(world.topic).gone'",
                    "\(file):17:16: error: Kafka has no topic '\(world.topic).dead'",
                ]
            }.map { $0[...] })
        #expect(ending.errors.hasSuffix("Nothing was started.\n"))
    }
}
