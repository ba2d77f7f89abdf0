import Delivery
import HTTP2
import TLS

@testable import APNsSimulator

/// A client and a connection to the simulator that exchange bytes in memory.
struct MemoryClient: ~Copyable {
    var tls: TLSSession
    var http: HTTP2Client
    var server: SimulatorConnection
    var events: [HTTP2ClientEvent]
    var moment: SimulatorMoment
    var hasEnded = false
    let bearer: [UInt8]

    init(
        service: SimulatorService, identity: SimulatorIdentity,
        certificate: ClientCertificate? = nil, at moment: SimulatorMoment? = nil
    ) throws {
        let moment = moment ?? SimulatorMoment(now: .distantPast, wallClock: JudgeFixture.now)
        let context = try TLSContext.client(
            trustRoots: .pem(identity.authorityPEM), certificate: certificate)
        let token = try identity.providerToken(issuedAt: JudgeFixture.now / 1000)
        let server = try SimulatorConnection(service: service, at: moment)
        let tls = try TLSSession(client: context, hostName: "localhost")
        self.tls = tls
        self.server = server
        self.moment = moment
        http = HTTP2Client()
        events = []
        bearer = [UInt8]("bearer ".utf8) + token
    }

    /// Completes the handshake.
    mutating func start() throws {
        try tls.start()
        try exchange()
    }

    /// A valid request for a device token.
    func request(token: String = JudgeFixture.token) -> HTTP2Request {
        var request = HTTP2Request()
        request.path = [UInt8]("/3/device/\(token)".utf8)
        request.authority = [UInt8]("localhost".utf8)
        request.authorization = bearer
        request.topic = [UInt8]("com.example.app".utf8)
        request.pushType = [UInt8]("alert".utf8)
        request.identifier = [UInt8](JudgeFixture.identifier.utf8)
        request.body = [UInt8](#"{"aps":{"alert":"Hello"}}"#.utf8)
        return request
    }

    /// Sends requests one after the other, and returns status and reason of each.
    mutating func push(_ requests: HTTP2Request...) throws -> [String] {
        var texts: [String] = []
        for request in requests {
            try http.submit(request, tag: 0)
            try exchange()
            texts += responses()
        }
        return texts
    }

    /// Takes the responses received, as status and body.
    mutating func responses() -> [String] {
        var texts: [String] = []
        for event in events {
            guard case .response(_, let response) = event else { continue }
            let body = String(decoding: response.body, as: UTF8.self)
            texts.append(body.isEmpty ? "\(response.status)" : "\(response.status) \(body)")
        }
        events.removeAll()
        return texts
    }

    /// Takes everything received, as text.
    mutating func received() -> [String] {
        let texts = events.compactMap { event -> String? in
            switch event {
            case .response(_, let response):
                let body = String(decoding: response.body, as: UTF8.self)
                return body.isEmpty ? "\(response.status)" : "\(response.status) \(body)"
            case .failed(_, .notProcessed): return "not processed"
            case .failed(_, .unacceptable(let code)), .failed(_, .reset(let code)):
                return "reset \(code)"
            case .settings(let limit): return "limit \(limit)"
            case .goAway(let last, let code, let debug):
                return "goaway \(last) \(code) \(String(decoding: debug, as: UTF8.self))"
            case .pong: return "pong"
            }
        }
        events.removeAll()
        return texts
    }

    /// Lets time pass for the server, and continues whenever it has something to do.
    mutating func pass(milliseconds: Int) throws {
        let end = moment.now + .milliseconds(milliseconds)
        while let due = server.nextDeadline, due <= end {
            try wait(max(.zero, due - moment.now))
        }
        try wait(end - moment.now)
    }

    private mutating func wait(_ time: Duration) throws {
        moment.now += time
        moment.wallClock = JudgeFixture.now + (moment.now - .distantPast).wholeMilliseconds
        server.expire(at: moment)
        try exchange()
    }

    /// Lets time pass for the server.
    mutating func wait(milliseconds: Int) throws {
        moment.now += .milliseconds(milliseconds)
        moment.wallClock += Int64(milliseconds)
        server.expire(at: moment)
        try exchange()
    }

    /// Hands bytes over both ways until there are none.
    mutating func exchange() throws {
        var isMoving = true
        while isMoving {
            isMoving = false
            if tls.isEstablished { try Self.flush(&http, &tls) }
            let question = Self.takeOutput(&tls)
            if !question.isEmpty {
                unsafe server.receive(question.span.bytes, at: moment)
                isMoving = true
            }
            let reply = Self.takeOutput(&server)
            if !reply.isEmpty {
                try unsafe tls.receive(reply.span.bytes)
                if try !Self.read(&tls, &http) { hasEnded = true }
                isMoving = true
            }
            while let event = http.nextEvent() { events.append(event) }
        }
    }

    private static func flush(_ http: inout HTTP2Client, _ tls: inout TLSSession) throws {
        var plaintext: [UInt8] = []
        try http.send { bytes in
            _ = Self.take(bytes, &plaintext)
        }
        if !plaintext.isEmpty { try unsafe tls.write(plaintext.span.bytes) }
    }

    private static func read(
        _ tls: inout TLSSession, _ http: inout HTTP2Client
    ) throws -> Bool {
        var failure: (any Error)?
        let goesOn = try tls.read { bytes in
            do { try http.receive(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
        return goesOn
    }

    private static func takeOutput(_ tls: inout TLSSession) -> [UInt8] {
        var output: [UInt8] = []
        while tls.hasOutput { tls.withOutput { Self.take($0, &output) } }
        return output
    }

    private static func takeOutput(_ server: inout SimulatorConnection) -> [UInt8] {
        var output: [UInt8] = []
        while server.hasOutput { server.withOutput { Self.take($0, &output) } }
        return output
    }

    private static func take(_ bytes: RawSpan, _ output: inout [UInt8]) -> Int {
        unsafe bytes.withUnsafeBytes { unsafe output.append(contentsOf: $0) }
        return bytes.byteCount
    }
}
