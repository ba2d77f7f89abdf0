import APNsSimulator
import Foundation
import Testing

@Suite final class `The verb send` {
    private let world: SimulatorWorld
    private let token = String(repeating: "ab", count: 32)

    init() throws {
        world = try SimulatorWorld()
        let connector = """
            \(world.connector(for: "com.example.app"))
            notification:
              device_token: ${token}
              payload: {aps: {alert: {title: "Order ${order.id}"}}}

            """
        try write(connector, to: "orders.yaml")
        try write(#"{"token":"00ff","order":{"id":7741}}"#, to: "event.json")
    }

    deinit { world.remove() }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: world.folder.appending(path: name))
    }

    private func send(_ arguments: String...) throws -> Program.Ending {
        try Program.run(Program.path, ["send", "orders.yaml"] + arguments, in: world.folder)
    }

    @Test func `shows the request and the response, and needs no Kafka`() throws {
        let ending = try send("--token", token, "--alert", "Hello")
        #expect(ending.code == 0, "\(ending.output)\(ending.errors)")
        #expect(ending.errors.isEmpty)
        #expect(
            ending.output.hasPrefix(
                "POST /3/device/\(token)\napns-topic: com.example.app         production, "))
        #expect(ending.output.contains(/\n200 accepted after \d+ ms\n/))
        #expect(ending.output.hasSuffix("\n\n1 notification: 1 accepted.\n"))
    }

    @Test func `maps an event, says why APNs rejects it, and exits with 1`() throws {
        let ending = try send("event.json", "--format", "json")
        #expect(ending.code == 1)
        let json = try #require(
            JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any])
        let notification = try #require((json["notifications"] as? [[String: Any]])?.first)
        #expect(notification["verdict"] as? String == "rejected")
        #expect((notification["response"] as? [String: Any])?["status"] as? Int == 400)
        #expect(notification["reaction"] as? String == "suspect")
        #expect(!ending.output.contains("bearer"))
    }

    @Test func `sends nothing in a dry run`() throws {
        let ending = try send("event.json", "--token", token, "--dry-run")
        #expect(ending.code == 0)
        #expect(ending.output.hasPrefix("POST /3/device/\(token)\n"))
        #expect(ending.output.hasSuffix("Would send 1 notification.\n"))
        #expect(world.server.snapshot.responses == 0)
    }

    @Test func `exits with 69 if APNs is away`() throws {
        world.server.stop()
        let ending = try send("--token", token, "--alert", "Hello")
        #expect(ending.code == 69)
        #expect(ending.output.isEmpty)
        #expect(ending.errors.contains("orders.yaml:4:13: error: no connection to APNs at "))
        #expect(ending.errors.hasSuffix("\nNothing was sent.\n"))
    }

    @Test func `prints JSON in which nothing was sent if APNs is away`() throws {
        world.server.stop()
        let ending = try send("--token", token, "--alert", "Hello", "--format", "json")
        #expect(ending.code == 69)
        #expect(ending.errors.hasSuffix("\nNothing was sent.\n"))
        #expect(try verdicts(ending.output) == ["not_sent"])
        #expect(ending.output.contains("no connection to APNs at "))
    }

    // MARK: Interruptions

    private func verdicts(_ output: String) throws -> [String] {
        let json = try #require(
            JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
        let notifications = try #require(json["notifications"] as? [[String: Any]])
        return notifications.compactMap { $0["verdict"] as? String }
    }

    /// Sends to four devices, one after the other, of which the second one's push has no response.
    private func begin(_ arguments: String...) throws -> RunningOutput {
        let scenario = """
            built_in: false
            settings: {first_stream_limit: 1, stream_limit: 1}
            answers:
              - {device_token: bb, latency: 10m}
            """
        try world.server.begin(
            try Scenario.parse([UInt8](scenario.utf8), file: "scenario.yaml"))
        let tokens = ["aa", "bb", "cc", "dd"].flatMap {
            ["--token", String(repeating: $0, count: 32)]
        }
        return try RunningOutput(
            ["send", "orders.yaml", "--alert", "Hello"] + tokens + arguments, in: world.folder)
    }

    /// Waits until the first push has its response, and the second one waits for its own.
    private func waitForSilence() throws {
        let end = Date(timeIntervalSinceNow: 60)
        while true {
            let snapshot = world.server.snapshot
            if snapshot.accepted == 1, snapshot.openStreams == 1 { return }
            try #require(Date() < end, "not in time: \(snapshot)")
        }
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `lists what has no response when it is interrupted`(signal: Int32) throws {
        let program = try begin()
        #expect(program.listen(until: "\n200 accepted after "))
        try waitForSilence()
        program.send(signal)
        let ending = program.end()
        #expect(ending.code == 75)
        let list = try #require(ending.output.range(of: "interrupted: no response"))
        #expect(ending.output[..<list.lowerBound].ranges(of: "POST ").count == 1)
        let digits = ["bb", "cc", "dd"].map { String(repeating: $0, count: 32) }
        #expect(
            ending.output[list.lowerBound...] == """
                interrupted: no response, may have been delivered:
                  \(digits[0])

                interrupted: not sent:
                  \(digits[1])
                  \(digits[2])

                4 notifications: 1 accepted, 1 unknown, 2 not sent.

                """)
    }

    @Test func `prints one JSON document when it is interrupted`() throws {
        let program = try begin("--format", "json")
        try waitForSilence()
        program.send(SIGTERM)
        let ending = program.end()
        #expect(ending.code == 75)
        #expect(
            try verdicts(ending.output) == ["accepted", "unknown", "not_sent", "not_sent"])
    }
}

/// The running program, with everything that it has written to standard output.
private final class RunningOutput {
    private let process = Process()
    private let pipe = Pipe()
    private var output = ""

    init(_ arguments: [String], in folder: URL) throws {
        process.executableURL = URL(filePath: Program.path)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// Waits until it has written a text; false if it ended before that.
    func listen(until message: String) -> Bool {
        while !output.contains(message) {
            let more = pipe.fileHandleForReading.availableData
            if more.isEmpty { return false }
            output += String(decoding: more, as: UTF8.self)
        }
        return true
    }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Waits for its end; its whole output, and how it exited.
    func end() -> (code: Int32, output: String) {
        output += String(
            decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }
}
