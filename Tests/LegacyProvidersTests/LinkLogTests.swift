import Delivery
import Synchronization
import TLS
import Telemetry
import Testing

@testable import LegacyProviders

@Suite struct `The log of a service for legacy providers` {
    private let sink = KeptLines()
    private var log: LinkLog

    init() {
        log = LinkLog(Logger(label: "test", sink: sink), apps: ["shop"])
    }

    private func stranger() throws -> LinkEvent {
        let authority = try LinkStage.authority.get()
        let issued = try authority.issueClient(bundleID: "com.example.other")
        let found = try CertificateDescription.all(inPEM: issued.certificatePEM).first
        let certificate = try #require(found)
        return .refused(TLSError(.untrustedPeer, "who"), certificate)
    }

    @Test mutating func `has one line a second for all strangers, with their number`() throws {
        let stranger = try stranger()
        log.note([stranger, stranger], at: Instant.distantPast + .seconds(5))
        log.note([stranger], at: Instant.distantPast + .seconds(5) + .nanoseconds(1))
        log.note([stranger], at: Instant.distantPast + .seconds(6) - .nanoseconds(1))
        log.note([], at: Instant.distantPast + .seconds(6) - .nanoseconds(1))
        #expect(sink.lines.count == 1)
        #expect(sink.lines[0].contains("its certificate does not belong to any app"))
        #expect(sink.lines[0].contains("connections=2"))
        log.note([], at: Instant.distantPast + .seconds(6))
        #expect(sink.lines.count == 2)
        #expect(sink.lines[1].contains("connections=2"))
        log.note([], at: Instant.distantPast + .seconds(9))
        #expect(sink.lines.count == 2)
    }

    @Test mutating func `has a line of its own for each kind of failure`() throws {
        let events: [LinkEvent] = [
            .refused(TLSError(.protocolViolation, "not TLS"), nil),
            .failed(TLSError(.library, "no memory")), try stranger(),
        ]
        log.note(events + events, at: Instant.distantPast + .seconds(1))
        #expect(sink.lines.count == 3)
        #expect(sink.lines.filter { $0.contains("connections=2") }.count == 3)
        #expect(sink.lines.contains { $0.contains("handshake failed") })
        #expect(sink.lines.contains { $0.contains("cannot begin a TLS session") })
        #expect(!sink.lines.contains { $0.contains("limit") })
    }

    @Test func `says at the end what Kafka has not acknowledged`() throws {
        log.ended(GatewayCore.Counts(), waiting: 0)
        #expect(!sink.lines.contains { $0.contains("before Kafka") })
        log.ended(GatewayCore.Counts(), waiting: 3)
        let line = try #require(sink.lines.first { $0.contains("before Kafka acknowledged all") })
        #expect(line.contains("in_flight=3"))
        #expect(line.contains("action="))
    }

    @Test func `distinguishes a commit that failed from a fetch that failed`() {
        let failure = KafkaFailure(code: "TIMED_OUT", detail: "too slow")
        log.uncommitted(app: 0, failure)
        #expect(sink.lines.count == 1)
        #expect(sink.lines[0].contains("offsets not committed; the next fetch repeats it"))
        #expect(!sink.lines[0].contains("reset"))
    }
}

/// Keeps what was logged.
private final class KeptLines: LogSink {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock { $0 } }

    func write(_ line: [UInt8]) {
        let text = String(decoding: line, as: UTF8.self)
        kept.withLock { $0.append(text) }
    }
}
