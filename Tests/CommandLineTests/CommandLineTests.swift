import Foundation
import Testing

@Suite struct `The command line` {
    @Test func `rejects an unknown verb with the nearest one`() throws {
        let ending = try Program.run("verison")
        #expect(ending.code == 64)
        #expect(ending.output.isEmpty)
        #expect(
            ending.errors == """
                error: unknown command 'verison'; did you mean 'version'?
                Usage: apns-bridge [OPTION...] [COMMAND]
                See 'apns-bridge --help'.

                """)
    }

    @Test func `rejects an unknown option`() throws {
        let ending = try Program.run("version", "--fromat", "json")
        #expect(ending.code == 64)
        let message = "error: unknown option '--fromat'; did you mean '--format'?"
        #expect(ending.errors.hasPrefix(message))
    }

    @Test func `shows its help if it is called without a verb`() throws {
        let ending = try Program.run()
        #expect(ending.code == 64)
        #expect(ending.output.isEmpty)
        #expect(ending.errors.contains("Commands:"))
    }

    @Test(arguments: ["run", "lint"])
    func `reports a missing connector file`(verb: String) throws {
        let ending = try Program.run(verb, "no/such/connector.yaml")
        #expect(ending.code == 66)
        #expect((ending.output + ending.errors).contains("no/such/connector.yaml"))
    }

    @Test func `begins the help of each verb with an example`() throws {
        let overview = try Program.run("--help")
        #expect(overview.code == 0)
        #expect(overview.errors.isEmpty)
        let verbs = Self.verbs(in: overview.output)
        #expect(verbs.contains("run"))
        for verb in verbs {
            let help = try Program.run(verb, "--help")
            #expect(help.code == 0)
            let call = "\n  apns-bridge \(verb)"
            let example = try #require(help.output.firstRange(of: "Examples:\(call)"))
            let usage = try #require(help.output.firstRange(of: "Usage:\(call)"))
            #expect(example.lowerBound < usage.lowerBound)
        }
    }

    @Test func `names only files of this repository in its examples`() throws {
        var paths: Set<String> = []
        for verb in Self.verbs(in: try Program.run("--help").output) {
            let lines = try Program.run(verb, "--help").output.split(separator: "\n")
            let examples = lines.drop { $0 != "Examples:" }.dropFirst().prefix { $0.first == " " }
            for word in examples.flatMap({ $0.split(separator: " ") })
            where word.hasPrefix("connectors") {
                paths.insert(String(word))
            }
        }
        #expect(paths.contains("connectors/providers.legacy-gateway.yaml"))
        let root = `The shipped connectors`.folder.deletingLastPathComponent()
        let missing = paths.filter {
            !FileManager.default.fileExists(atPath: root.appending(path: $0).path)
        }
        #expect(missing.isEmpty)
    }

    @Test func `prints the versions of loaded libraries`() throws {
        let ending = try Program.run("version")
        #expect(ending.code == 0)
        let names = ending.output.split(separator: "\n").compactMap {
            $0.split(separator: " ").first.map(String.init)
        }
        let libraries = [
            "librdkafka", "librdkafka_lacks", "nghttp2", "openssl", "libyaml", "libmicrohttpd",
            "libcurl",
        ]
        #expect(names == ["apns-bridge", "commit", "tree", "swift"] + libraries)
        #expect(try Program.run("--version").output == ending.output.prefix { $0 != "\n" } + "\n")
    }

    @Test func `prints versions as JSON for programs`() throws {
        let ending = try Program.run("version", "--format=json")
        let parsed = try JSONSerialization.jsonObject(with: Data(ending.output.utf8))
        let versions = try #require(parsed as? [String: String])
        #expect(versions["librdkafka"]?.first?.isNumber == true)
        #expect(versions.count == 11)
    }

    @Test func `says which commit it was built from, and whether its files were changed`() throws {
        let lines = try Program.run("version").output.split(separator: "\n")
        #expect(lines[1].wholeMatch(of: /commit ([0-9a-f]{40}|unknown)/) != nil)
        #expect(lines[2].wholeMatch(of: /tree (clean|changed|unknown)/) != nil)
    }

    @Test func `says what an old librdkafka lacks`() throws {
        let lines = try Program.run("version").output.split(separator: "\n")
        let number = lines[4].split(separator: " ")[1].split(separator: ".").compactMap { Int($0) }
        let missing = [
            ([2, 3], "the rights that doctor checks"), ([2, 6, 1], "SCRAM with brokers of Kafka 4"),
            ([2, 10], "safe commits during a rebalance"), ([2, 12], "group.protocol: consumer"),
        ].filter { number.lexicographicallyPrecedes($0.0) }.map(\.1)
        let expected = missing.isEmpty ? "nothing" : missing.joined(separator: ", ")
        #expect(lines[5] == "librdkafka_lacks \(expected)")
    }

    @Test(arguments: ["completions bash", "schema connector"])
    func `ends quietly if its output is no longer read`(call: String) throws {
        let script = "'\(Program.path)' \(call) | head -1 >/dev/null; exit ${PIPESTATUS[0]}"
        let ending = try Program.run("/bin/bash", ["-c", script])
        #expect(ending.code == 141 || ending.code == 0)
        #expect(ending.errors.isEmpty)
    }

    @Test func `reports that its output cannot be written`() throws {
        let ending = try Program.run("/bin/bash", ["-c", "'\(Program.path)' version > /dev/full"])
        #expect(ending.code == 74)
        #expect(ending.errors.hasPrefix("error: cannot write to standard output"))
    }

    @Test func `prints the schema of a connector file as JSON`() throws {
        let ending = try Program.run("schema", "connector")
        #expect(ending.code == 0)
        #expect(ending.errors.isEmpty)
        let parsed = try JSONSerialization.jsonObject(with: Data(ending.output.utf8))
        let schema = try #require(parsed as? [String: Any])
        #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
        let properties = try #require(schema["properties"] as? [String: Any])
        #expect(properties.keys.contains("notification"))
    }

    @Test(arguments: ["event", "outcome", "unregistered"])
    func `prints the schema of an event or a result as JSON`(subject: String) throws {
        let ending = try Program.run("schema", subject)
        #expect(ending.code == 0)
        let parsed = try JSONSerialization.jsonObject(with: Data(ending.output.utf8))
        let schema = try #require(parsed as? [String: Any])
        #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
    }

    @Test func `refuses to print a schema that does not exist`() throws {
        let ending = try Program.run("schema", "conector")
        #expect(ending.code == 64)
        #expect(ending.errors.contains("did you mean 'connector'?"))
    }

    @Test func `has help that fits into 80 columns, except for commands to copy`() throws {
        for verb in Self.verbs(in: try Program.run("--help").output) {
            let lines = try Program.run(verb, "--help").output.split(separator: "\n")
            let long = lines.filter { $0.count > 80 && !$0.hasPrefix("  ") }
            #expect(long.isEmpty)
        }
    }

    private static func verbs(in help: String) -> [String] {
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.drop { $0 != "Commands:" }.dropFirst().prefix { !$0.isEmpty }
            .filter { $0.prefix(3).last?.isLetter == true }
            .compactMap { $0.split(separator: " ").first.map(String.init) }
    }
}
