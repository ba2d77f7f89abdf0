import Synchronization
import Telemetry
import Testing

@testable import KafkaLogin

@Suite struct `What is logged of login tokens` {
    /// Keeps what was logged.
    private final class Lines: LogSink {
        private let kept = Mutex<[String]>([])

        func write(_ line: [UInt8]) {
            let text = String(decoding: line, as: UTF8.self)
            kept.withLock { $0.append(text) }
        }

        /// The lines since the last call, without time and fields.
        func take() -> [String] {
            kept.withLock { lines in
                defer { lines = [] }
                return lines.map { line in
                    let message = line.split(separator: " ").dropFirst()
                    return message.prefix { !$0.contains("=") }.joined(separator: " ")
                }
            }
        }
    }

    @Test func `is each trouble once, and its end, and never the token`() throws {
        let lines = Lines()
        let logger = Logger(
            label: "login", level: .info, format: .text, sink: lines, clock: { 1_767_261_600_123 })
        var notices = LoginNotices()
        let token = try FetchedToken("t0k3n", life: .seconds(60), at: "s")
        notices.fetched(token, "s", logger)
        #expect(lines.take() == ["info Kafka login token fetched"])
        notices.fetched(token, "s", logger)
        #expect(lines.take() == [])
        for _ in 0..<3 { notices.failed(.unavailable("x"), "s", rest: .seconds(5), logger) }
        #expect(
            lines.take()
                == ["warning Kafka login token not renewed; continuing with the current token"])
        for _ in 0..<3 { notices.failed(.unavailable("x"), "s", rest: nil, logger) }
        notices.failed(.refused("y"), "s", rest: nil, logger)
        #expect(lines.take() == ["error no Kafka login token", "error no Kafka login token"])
        notices.fetched(token, "s", logger)
        #expect(lines.take() == ["info Kafka login token fetched"])
    }
}
