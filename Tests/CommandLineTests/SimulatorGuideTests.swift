import APNsSimulator
import Foundation
import Testing

/// The lines of the simulator's guide, run as a reader would run them.
@Suite struct `The guide to the simulator` {
    @Test(.enabled(if: Shell.has("curl"), "curl is not installed"))
    func `shows with curl what devices show`() throws {
        let world = try SimulatorWorld()
        defer { world.remove() }
        let blocks = try Self.blocks("sh").dropFirst()
        let keys = try #require(try Self.blocks("yaml").first { $0.hasPrefix("keys:") })
        try Data(keys.utf8).write(to: world.folder.appending(path: "keys.yaml"))
        let program = URL(filePath: Program.path).deletingLastPathComponent().path
        let script = "set -euo pipefail\nPATH=\"\(program):$PATH\"\n" + world.adapt(blocks.joined())
        let ending = try Program.run("/usr/bin/env", ["bash", "-c", script], in: world.folder)
        #expect(ending.code == 0, "\(ending.errors)\(ending.output)")
        let shown = ending.output.matches(
            of: /"lock_screen":\[."app":"com.example.app","title":"([^"]+)"/)
        #expect(
            shown.map { String($0.1) } == [
                "Your order has shipped", "Your order has shipped", "This one waits",
                "This one waits",
            ])
        #expect(ending.output.contains(#""title":"This one waits","subtitle":null"#))
        #expect(ending.output.contains(#"{"reason":"Unregistered","timestamp":"#))
        #expect(ending.output.contains(#""status":410,"reason":"Unregistered""#))
        #expect(try world.server.device(world.token) == nil)
        // Header and claims of a provider token, in base64, by the key that keys.yaml names.
        let header = Data(#"{"alg":"ES256","kid":"SHOPKEY001"}"#.utf8).base64EncodedString()
        #expect(ending.output.contains(header.trimmingCharacters(in: ["="]) + "."))
        #expect(ending.output.contains(#"{"reason":"ServiceUnavailable"}"#))
        // Since the last reset: two pushes in a scenario, one by certificate, and a broadcast.
        #expect(ending.output.contains(#""message_storage_policy":1"#))
        #expect(ending.output.contains(#""content_state":{"score":1},"ended":false"#))
        #expect(ending.output.contains(#""broadcasts":1,"last_broadcast_at":"#))
        let statuses = world.server.memory?.requests().requests.map { $0.judgement?.status }
        #expect(statuses == [200, 201, 200, 200, 503])
    }

    @Test(.enabled(if: Shell.has("python3"), "python3 is not installed"))
    func `shows with Python what devices show`() throws {
        let world = try SimulatorWorld()
        defer { world.remove() }
        world.push(title: "Hello")
        let script =
            world.adapt(try Self.blocks("python").joined())
            + "\nprint(titles('\(world.token)'))"
        let ending = try Program.run("/usr/bin/env", ["python3", "-c", script])
        #expect(ending.output == "['Hello']\n", "\(ending.errors)")
    }

    @Test(.enabled(if: Shell.has("javac"), "no JDK is installed"))
    func `shows with Java what devices show`() throws {
        let world = try SimulatorWorld()
        defer { world.remove() }
        world.push(title: "Your order has shipped")
        let program = """
            import java.net.URI;
            import java.net.http.*;
            class Guide {
                static void assertTrue(boolean holds) { if (!holds) throw new AssertionError(); }
                public static void main(String[] words) throws Exception {
                    String token = "\(world.token)";
                    \(world.adapt(try Self.blocks("java").joined()))
                    System.out.println("shown");
                }
            }
            """
        let file = world.folder.appending(path: "Guide.java")
        try program.write(to: file, atomically: true, encoding: .utf8)
        let ending = try Program.run("/usr/bin/env", ["java", file.path])
        #expect(ending.output == "shown\n", "\(ending.errors)")
    }

    @Test(.enabled(if: Shell.has("curl"), "curl is not installed"))
    func `works with a script that is sent while it runs`() throws {
        let world = try SimulatorWorld()
        defer { world.remove() }
        let script = "answers: [{device_token: \"\", status: 503, reason: ServiceUnavailable}]"
        let program = URL(filePath: Program.path).deletingLastPathComponent().path
        let shown = try Program.run(
            "/usr/bin/env",
            [
                "bash", "-c",
                "PATH=\"\(program):$PATH\"\nPHONE=\(world.token)\n"
                    + world.adapt(
                        try Self.blocks("sh")[1] + """
                            curl --silent --data '\(script)' localhost:2198/scenario
                            push "Refused"
                            curl --silent localhost:2198/devices --header 'host: evil.example'
                            """
                    ).replacingOccurrences(of: "PHONE=$(openssl rand -hex 32)", with: ""),
            ], in: world.folder
        ).output
        let responses = "{\"status\":\"ok\"}\n{\"reason\":\"ServiceUnavailable\"}"
        #expect(shown.contains(responses), "\(shown)")
        #expect(shown.contains("the Host field names a different server"), "\(shown)")
    }

    /// What stands between the marks of one language.
    private static func blocks(_ language: String) throws -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let guide = try String(
            contentsOf: root.appending(path: "Sources/APNsSimulator/README.md"), encoding: .utf8)
        return guide.components(separatedBy: "```\(language)\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
    }
}

@Suite struct `A simulator that cannot listen` {
    @Test func `reports that in one line, with what to do`() throws {
        let world = try SimulatorWorld()
        defer { world.remove() }
        let state = ["simulator", "--state", world.folder.appending(path: "simulator").path]
        for (port, flag, other) in [
            (world.port, "--port", "--admin-port"), (world.adminPort, "--admin-port", "--port"),
        ] {
            let flags = [flag, "\(port)", other, "0"]
            let ending = try Program.run(Program.path, state + flags)
            #expect(ending.code == 69)
            #expect(ending.output == "")
            #expect(
                ending.errors == "error: cannot listen on 127.0.0.1:\(port): address already in "
                    + "use; choose a different one with \(flag)\n")
        }
    }

    @Test func `names the option for another host`() throws {
        let world = try SimulatorWorld()
        defer { world.remove() }
        let state = ["simulator", "--state", world.folder.appending(path: "simulator").path]
        for flag in ["--host", "--admin-host"] {
            let flags = ["--port", "0", "--admin-port", "0", flag, "256.1.1.1"]
            let ending = try Program.run(Program.path, state + flags)
            #expect(ending.code == 69)
            #expect(ending.errors.hasPrefix("error: cannot listen on 256.1.1.1:0: name or serv"))
            #expect(ending.errors.hasSuffix("; choose a different one with \(flag)\n"))
        }
    }

    @Test(arguments: [
        (["--scenario", "goawai"], "unknown scenario 'goawai'; did you mean 'goaway'?"),
        (
            ["--scenario", "./no.yaml"],
            "./no.yaml: cannot be read: no such file or directory; choose"
        ),
        (["--scenario", "s.yaml"], "s.yaml:1:12: unknown key 'stauts'; did you mean 'status'?\n"),
        (["--keys", "no.yaml"], "no.yaml: cannot be read: no such file or directory; choose a"),
        (["--keys", "s.yaml"], "s.yaml:1:1: unknown key 'answers'; "),
        (["--state", "s.yaml/in"], "cannot create the folder"),
    ])
    func `reports in one line what is wrong with a file, and what to do`(
        flags: [String], message: String
    ) throws {
        let world = try SimulatorWorld()
        defer { world.remove() }
        try Data("answers: [{stauts: 410}]".utf8).write(to: world.folder.appending(path: "s.yaml"))
        let state = flags[0] == "--state" ? [] : ["--state", "simulator"]
        let ending = try Program.run(
            Program.path, ["simulator", "--port", "0", "--admin-port", "0"] + state + flags,
            in: world.folder)
        #expect(ending.code == 78)
        #expect(ending.output == "")
        #expect(ending.errors.hasPrefix("error: "))
        #expect(ending.errors.contains(message), "\(ending.errors)")
        #expect(ending.errors.split(separator: "\n").count == 1)
    }

    @Test func `reports which file it cannot write`() throws {
        let world = try SimulatorWorld()
        defer { world.remove() }
        let file = world.folder.appending(path: "nowhere/pushes.jsonl").path
        let ending = try Program.run(
            "simulator", "--state", world.folder.appending(path: "simulator").path, "--port", "0",
            "--record", file)
        #expect(ending.code == 78)
        #expect(
            ending.errors == "error: \(file): cannot be written: no such file or directory; "
                + "choose a different file with --record\n")
    }
}
