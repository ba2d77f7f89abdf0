import EventLoop
import Foundation
import Testing

/// The commands that take settings, and no build: each is refused before it takes minutes.
@Suite struct `A wrong setting of a test that someone runs` {
    /// The Python of `make python-clients`.
    private static let clients = Repository.root.appending(
        path: ".build/python-clients/bin/python3"
    ).path
    private static let hasClients =
        (try? ChildProcess.run(clients, ["-c", "import confluent_kafka"]))?.exitCode == 0
    private static let hasYAML =
        (try? ChildProcess.run("python3", ["-c", "import yaml"]))?.exitCode == 0

    /// How a program ends in the root of the repository, and what it writes to standard error.
    private func run(_ words: [String]) throws -> (code: Int32, lines: [Substring]) {
        let script = #"cd "$1" && shift && exec "$@" 2>&1 >/dev/null"#
        let ending = try ChildProcess.run(
            "bash", ["-c", script, "bash", Repository.root.path, "env"] + words)
        let lines = String(decoding: ending.output, as: UTF8.self).split(separator: "\n")
        return (ending.exitCode, lines)
    }

    /// What a target of the Makefile says to some settings, without make's own last line.
    private func make(_ target: String, _ settings: [String]) throws -> [Substring] {
        let others = ["MAKEFLAGS", "MFLAGS", "MAKELEVEL", "ROUNDS", "SEED", "RATE", "PROTOCOL"]
        let unset = (others + ["LIBRDKAFKA", "KINDS", "KAFKA_HOME", "MUTANTS"]).flatMap {
            ["-u", $0]
        }
        let (code, lines) = try run(
            unset + ["make", "-s", "-o", "test-dependencies", "-o", "dependencies", target]
                + settings)
        #expect(code == 2)
        #expect(lines.last?.hasPrefix("make: *** ") == true, "\(lines)")
        return lines.dropLast()
    }

    @Test(arguments: [
        ("ROUNDS=0", "ROUNDS is a number of rounds, as in: make chaos ROUNDS=20"),
        ("ROUNDS='", "ROUNDS is a number of rounds, as in: make chaos ROUNDS=20"),
        ("SEED=x", "SEED is the number that an earlier run printed, as in: make chaos SEED=7"),
        ("RATE=x", "RATE is a number of events a second, as in: make chaos RATE=4000"),
        ("RATE=1;x", "RATE is a number of events a second, as in: make chaos RATE=4000"),
        ("PROTOCOL=new", "PROTOCOL is classic or consumer, as in: make chaos PROTOCOL=consumer"),
        (
            "LIBRDKAFKA=/nowhere",
            "no such library: /nowhere: name a librdkafka.so.1, or write LIBRDKAFKA=newest"
        ),
        (
            "FROM=nowhere",
            "no commit is called 'nowhere': name one from which to upgrade, as in: "
                + "make chaos FROM=1.0.0"
        ),
        ("FROM=--all", "no commit is called '--all': name one from which"),
        ("KINDS=*", "no round is called '*'; there are: kill-member kill-static-member "),
        (
            "KAFKA_HOME=",
            "make chaos needs a Kafka of its own: set KAFKA_HOME to a Kafka 4 distribution"
        ),
        (
            "KAFKA_HOME=/nowhere",
            "KAFKA_HOME is not a Kafka distribution: /nowhere/bin has no kafka-server-start.sh"
        ),
    ])
    func `ends make chaos with one line that says what to write`(
        setting: String, line: String
    ) throws {
        let lines = try make("chaos", [setting])
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix(line) == true, "\(lines)")
    }

    @Test(arguments: ["SEEDS=0", "SEEDS=", "SEEDS=many", "SEEDS='", "SEEDS=99999999999"])
    func `ends make simulate with one line that says what to write`(setting: String) throws {
        let lines = try make("simulate", [setting])
        #expect(lines == ["SEEDS is a number of seeds, as in: make simulate SEEDS=20000"])
    }

    @Test(
        .enabled(if: hasYAML, "python3-yaml is not installed"),
        arguments: [
            (
                "MUTANTS=nonsense",
                "no fault has 'nonsense' in its name: Tests/Mutants/mutants.yaml lists them all"
            ),
            (
                "MUTANTS=*",
                "no fault has '*' in its name: Tests/Mutants/mutants.yaml lists them all"
            ),
            (
                "MUTANT_SEEDS=0",
                "MUTANT_SEEDS is a number of seeds, as in: make mutants MUTANT_SEEDS=1000"
            ),
            (
                "MUTANT_MINUTES='",
                "MUTANT_MINUTES is a number of minutes, as in: make mutants MUTANT_MINUTES=10"
            ),
            (
                "MUTANTS=--nonsense",
                "unrecognized arguments: --nonsense: "
                    + "Tests/Mutants/run.py --help lists what it takes"
            ),
        ])
    func `ends make mutants with one line that says what to write`(
        setting: String, line: String
    ) throws {
        #expect(try make("mutants", [setting]) == [Substring(line)])
    }

    @Test func `ends the rounds of chaos without their library with one line`() throws {
        let (code, lines) = try run(["python3", "-B", "-S", "-E", "Tests/Chaos/run.py"])
        #expect(code == 69)
        #expect(lines == ["Python's confluent-kafka is missing: make python-clients installs it"])
    }

    @Test(
        .enabled(if: hasClients, "make python-clients has no package registry"),
        arguments: [
            (
                64, ["--rate", "x"],
                "argument --rate: 'x' is not a number from 1 on: "
                    + "Tests/Chaos/run.py --help lists what it takes"
            ),
            (
                64, ["--seed", "-1"],
                "argument --seed: '-1' is not a number from 0 on: "
                    + "Tests/Chaos/run.py --help lists what it takes"
            ),
            (64, ["nonsense"], "no round is called 'nonsense'; there are: kill-member, "),
            (
                66, ["--bridge", "/nowhere"],
                "KAFKA_HOME is not a Kafka distribution: /nowhere/bin has no "
                    + "kafka-server-start.sh: "
            ),
        ] as [(Int32, [String], String)])
    func `ends the rounds of chaos with one line`(
        code: Int32, words: [String], line: String
    ) throws {
        let ending = try run(
            ["KAFKA_HOME=/nowhere", Self.clients, "-B", "Tests/Chaos/run.py"] + words)
        #expect(ending.code == code)
        #expect(ending.lines.count == 1)
        #expect(ending.lines.first?.hasPrefix(line) == true, "\(ending.lines)")
    }

    @Test(.enabled(if: hasClients, "make python-clients has no package registry"))
    func `ends the rounds of chaos with one line if the broker does not start`() throws {
        let home = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let programs = home.appending(path: "bin")
        try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: home) }
        for (name, words) in [
            ("kafka-storage.sh", "echo some; echo words"),
            ("kafka-server-start.sh", "echo starting; echo no memory >&2; echo; exit 1"),
        ] {
            let path = programs.appending(path: name).path
            try Data("#!/bin/sh\n\(words)\n".utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        let ending = try run([
            "KAFKA_HOME=\(home.path)", Self.clients, "-B", "Tests/Chaos/run.py", "--bridge",
            "/bin/true", "kill-all",
        ])
        #expect(ending.code == 69)
        #expect(
            ending.lines == [
                """
                the broker did not start: it ended: no memory: see that \(home.path) is a Kafka 4 \
                distribution, and that java is on PATH
                """
            ])
    }
}
