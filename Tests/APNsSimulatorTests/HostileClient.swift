import Delivery
import EventLoop
import TLS

@testable import APNsSimulator

/// A client that sends arbitrary bytes over TLS, and reads the frames that come back.
struct HostileClient: ~Copyable {
    private var tls: TLSSession
    var server: SimulatorConnection
    /// All plaintext received.
    private(set) var received: [UInt8] = []
    var moment = SimulatorMoment(now: .distantPast, wallClock: JudgeFixture.now)

    /// POST, https, a path and an authority, for a header block of HTTP/2.
    static let block: [UInt8] =
        [0x83, 0x87, 0x04, 0x02, 0x2F, 0x61, 0x01, 0x01, 0x78]

    init(service: SimulatorService, identity: SimulatorIdentity) throws {
        let context = try TLSContext.client(trustRoots: .pem(identity.authorityPEM))
        let server = try SimulatorConnection(
            service: service, at: SimulatorMoment(now: .distantPast, wallClock: JudgeFixture.now))
        let tls = try TLSSession(client: context, hostName: "localhost")
        self.tls = tls
        self.server = server
    }

    /// Completes the handshake, and sends nothing of HTTP/2.
    mutating func shakeHands() throws {
        try tls.start()
        try exchange()
    }

    /// Completes the handshake, and sends the preface and empty settings.
    mutating func greet() throws {
        try shakeHands()
        try say(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + Self.frame(4))
    }

    mutating func say(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(16_384))
            rest = rest.dropFirst(16_384)
            try piece.withRawSpan { try tls.write($0) }
            try exchange()
        }
    }

    private mutating func exchange() throws {
        var isMoving = true
        while isMoving {
            isMoving = false
            var out: [UInt8] = []
            while tls.hasOutput { tls.withOutput { Self.take($0, &out) } }
            if !out.isEmpty {
                out.withRawSpan { server.receive($0, at: moment) }
                isMoving = true
            }
            var response: [UInt8] = []
            while server.hasOutput { server.withOutput { Self.take($0, &response) } }
            guard !response.isEmpty else { continue }
            isMoving = true
            try response.withRawSpan { try tls.receive($0) }
            var plain: [UInt8] = []
            _ = try tls.read { _ = Self.take($0, &plain) }
            received += plain
        }
    }

    private static func take(_ bytes: RawSpan, _ output: inout [UInt8]) -> Int {
        unsafe bytes.withUnsafeBytes { unsafe output.append(contentsOf: $0) }
        return bytes.byteCount
    }

    /// The bytes of a frame.
    static func frame(
        _ kind: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []
    ) -> [UInt8] {
        let length = payload.count
        return [UInt8(length >> 16), UInt8(length >> 8 & 255), UInt8(length & 255), kind, flags]
            + (0..<4).map { UInt8(truncatingIfNeeded: stream >> (24 - 8 * UInt32($0))) } + payload
    }

    /// The kinds and payloads of the frames received.
    var frames: [(kind: UInt8, stream: Int, payload: [UInt8])] {
        var frames: [(kind: UInt8, stream: Int, payload: [UInt8])] = []
        var start = 0
        while start + 9 <= received.count {
            let head = received[start..<start + 9].map { Int($0) }
            let end = min(start + 9 + (head[0] << 16 | head[1] << 8 | head[2]), received.count)
            let stream = head[5] << 24 | head[6] << 16 | head[7] << 8 | head[8]
            frames.append((UInt8(head[3]), stream, Array(received[(start + 9)..<end])))
            start = end
        }
        return frames
    }

    /// The error code of the GOAWAY received.
    var goAwayCode: Int? {
        frames.first { $0.kind == 7 }.map { frame in
            frame.payload[4..<8].reduce(0) { $0 << 8 | Int($1) }
        }
    }
}
