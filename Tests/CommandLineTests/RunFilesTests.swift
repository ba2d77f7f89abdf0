import Bridge
import Configuration
import Foundation
import Synchronization
import Telemetry
import Testing

@testable import apns_bridge

/// A reload of the process settings, without a process.
@Suite struct `A reload of bridge.yaml` {
    private final class Lines: LogSink {
        private let kept = Mutex<[String]>([])

        func write(_ line: [UInt8]) {
            kept.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
        }

        /// What was logged since this was last asked.
        func take() -> [String] {
            kept.withLock { kept in
                defer { kept = [] }
                return kept
            }
        }
    }

    /// A folder with a `bridge.yaml` that a process was started with.
    private final class World {
        let lines = Lines()
        let logger: Logger
        private let folder = FileManager.default.temporaryDirectory
            .appending(path: UUID().uuidString)
        private var files: RunFiles?

        init(_ settings: String, fixesLevel: Bool = false) throws {
            logger = Logger(label: "test", level: .info, sink: lines)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try write(settings)
            let found = ProcessFile.load([folder.path], settings: nil, environment: [:])
            files = RunFiles(
                paths: [folder.path], settings: nil, process: try #require(found.settings),
                fixesLevel: fixesLevel, fixesFormat: false, logger: logger)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        private func write(_ settings: String) throws {
            try Data("\(settings)\n".utf8).write(to: folder.appending(path: "bridge.yaml"))
        }

        /// Reloads with these settings, or those of before; what was logged.
        func reload(_ settings: String? = nil) throws -> [String] {
            if let settings { try write(settings) }
            let reading = try #require(files).read()
            #expect(reading.diagnostics.allSatisfy { !$0.file.hasSuffix("bridge.yaml") })
            reading.adopt()
            return lines.take()
        }
    }

    @Test(arguments: [
        ("log.summary", "log: {summary: 1m}", "log: {summary: 2m}"),
        ("admin", "admin: {listen: '127.0.0.1:0'}", "admin: {listen: '127.0.0.1:8080'}"),
        ("telemetry.labels", "telemetry: {labels: [campaign]}", "telemetry: {labels: [region]}"),
        (
            "telemetry.otlp", "telemetry: {otlp: 'http://127.0.0.1:1/v1/traces'}",
            "telemetry: {otlp: 'http://127.0.0.1:2/v1/traces'}"
        ),
        (
            "telemetry.sample", "telemetry: {otlp: 'http://127.0.0.1:1/v1/traces', sample: 0.1}",
            "telemetry: {otlp: 'http://127.0.0.1:1/v1/traces', sample: 0.2}"
        ),
    ])
    func `warns of a setting that takes a restart until it is as it was at the start`(
        key: String, atStart: String, other: String
    ) throws {
        let world = try World(atStart)
        func warns(_ lines: [String]) -> Bool {
            lines.count == 1 && lines[0].contains("take effect after a restart")
                && lines[0].contains(key)
        }
        #expect(try world.reload() == [])
        #expect(warns(try world.reload(other)))
        // It is as the last reload found it, but not in effect.
        #expect(warns(try world.reload()))
        // What was last found differs, but it is in effect.
        #expect(try world.reload(atStart) == [])
        #expect(try world.reload() == [])
    }

    @Test func `warns of everything that takes a restart in one line`() throws {
        let world = try World("log: {summary: 1m}")
        _ = try world.reload("log: {summary: 2m}")
        let lines = try world.reload("{log: {summary: 2m}, admin: {listen: '127.0.0.1:0'}}")
        #expect(lines.count == 1)
        #expect(lines.allSatisfy { $0.contains("admin") && $0.contains("log.summary") })
        // Without its settings, the default of each is compared with what is in effect.
        #expect(try world.reload("log: {}").allSatisfy { $0.contains("log.summary") })
        #expect(try world.reload("log: {summary: 60s}") == [])
    }

    @Test func `adopts the level of the log without a warning`() throws {
        let world = try World("log: {level: info}")
        #expect(try world.reload("log: {level: error}") == [])
        #expect(world.logger.level == .error)
        #expect(try world.reload("log: {level: info}") == [])
        #expect(world.logger.level == .info)
    }

    @Test func `leaves the level of the command line`() throws {
        let world = try World("log: {level: info}", fixesLevel: true)
        #expect(try world.reload("log: {level: error}") == [])
        #expect(world.logger.level == .info)
    }
}
