import APNsSimulator
import BridgeTesting
import Delivery
import Encoding
import HTTP2
import TLS

/// A server that behaves at random, and remembers what it did with each request.
final class RandomPeer: SimulatedPeer {
    /// Something that it does later.
    private enum Act {
        /// Processes a request, unless it is gone by then, and answers it.
        case process(Int32, String)
        /// Sends the second of two GOAWAYs.
        case goAway
        /// Lets the dice decide.
        case mood
    }

    private var tls: TLSSession
    private var http: HTTP2Server
    private var dice: SeededGenerator
    private let record: PeerRecord
    private var later: [(at: Instant, act: Act)] = []
    /// The requests that it may still process later.
    private var pending: Set<Int32> = []
    private var highestProcessed: Int32 = 0
    /// Nothing above this stream is processed.
    private var lastStream = Int32.max
    private var isSilent = false
    private(set) var isEnded = false

    init(_ context: TLSContext, _ record: PeerRecord, dice: SeededGenerator) throws {
        self.dice = dice
        self.record = record
        tls = try TLSSession(server: context)
        var settings = HTTP2ServerSettings(streamLimit: [1, 2, 5, 100][self.dice.below(4)])
        settings.streamWindow = [0, 10, 500, 5120, 65_535, 65_535, 65_535][self.dice.below(7)]
        settings.headerTableSize = [0, 100, 4096, 4096][self.dice.below(4)]
        settings.restoresWindow = self.dice.happens(80)
        http = HTTP2Server(settings: settings)
        later.append((record.now + self.dice.duration(in: .zero ... .seconds(3)), .mood))
    }

    func receive(_ bytes: [UInt8], at moment: SimulatorMoment) {
        guard !isEnded else { return }
        do {
            try bytes.withRawBytes { try tls.receive($0) }
            var failure: (any Error)?
            _ = try tls.read { plaintext in
                do { try http.receive(plaintext) } catch { failure = error }
            }
            if let failure { throw failure }
        } catch {
            record.complaints.append("\(error)")
            isEnded = true
        }
        while let event = http.nextEvent() {
            switch event {
            case .request(let stream):
                var request = HTTP2ServerRequest()
                http.take(&request)
                take(request, stream, moment.now)
            case .reset(let stream, _): pending.remove(stream)
            case .goAway: break
            }
        }
    }

    private func take(_ request: HTTP2ServerRequest, _ stream: Int32, _ now: Instant) {
        let field = request.fields.first { $0.name.elementsEqual("apns-id".utf8) }
        let id = String(decoding: field?.value ?? [], as: UTF8.self)
        if !PoolWorld.bodySizes.contains(request.body.count) {
            record.complaints.append("a body of \(request.body.count) bytes")
        }
        guard stream <= lastStream else { return }
        if record.isPeaceful { return respond(stream, id) }
        switch dice.below(100) {
        case 0..<12: processLater(stream, id, now)
        case 12..<18:
            let (status, reason) = Self.refusals[dice.below(Self.refusals.count)]
            respond(stream, id, status: status, body: #"{"reason":"\#(reason)"}"#)
        case 18..<24: http.reset(stream: stream, code: 7)
        case 24..<27:
            note(stream, id)
            http.reset(stream: stream, code: [0, 2, 5, 8, 11][dice.below(5)])
        case 27..<29: http.reset(stream: stream, code: [1, 13][dice.below(2)])
        case 29..<31: note(stream, id)
        case 31..<32: respond(stream, id, isHalf: true)
        default: respond(stream, id)
        }
        if dice.happens(6) { change(now) }
    }

    private static let refusals = [
        (410, "Unregistered"), (400, "BadDeviceToken"), (503, "Shutdown"),
        (403, "ExpiredProviderToken"), (429, "TooManyRequests"), (500, ""),
    ]

    private func note(_ stream: Int32, _ id: String) {
        highestProcessed = max(highestProcessed, stream)
        record.processed.insert(id)
    }

    private func respond(
        _ stream: Int32, _ id: String, status: Int = 200, body: String = "", isHalf: Bool = false
    ) {
        note(stream, id)
        try? http.respond(
            stream: stream, status: status, fields: [("apns-id", [UInt8](id.utf8))],
            body: [UInt8](body.utf8), isHalf: isHalf)
        if status == 200, !isHalf { record.accepted.insert(id) }
    }

    private func processLater(_ stream: Int32, _ id: String, _ now: Instant) {
        pending.insert(stream)
        let due = now + dice.duration(in: .milliseconds(1) ... .seconds(8))
        later.append((due, .process(stream, id)))
    }

    /// One thing that servers do to their clients.
    private func change(_ now: Instant) {
        switch dice.below(12) {
        case 0: goAway()
        case 1:
            guard lastStream == .max else { return }
            http.goAway(lastStream: Int32.max)
            later.append((now + dice.duration(in: .zero ... .seconds(2)), .goAway))
        case 2...4: http.changeStreamLimit([0, 1, 2, 5, 100][dice.below(5)])
        case 5: http.changeStreamWindow([0, 100, 5120, 65_535][dice.below(4)])
        case 6: isSilent.toggle()
        case 7: end()
        case 8...9: http.restoreWindow()
        default: http.ping(dice.next())
        }
    }

    private func goAway() {
        lastStream = min(lastStream, highestProcessed)
        let reasons = ["", #"{"reason":"Shutdown"}"#, #"{"reason":"BadCertificate"}"#]
        http.goAway(
            lastStream: lastStream, code: UInt32(dice.below(3)),
            debug: [UInt8](reasons[dice.below(3)].utf8))
    }

    private func end() {
        tls.close()
        isEnded = true
    }

    func takeOutput() -> [UInt8] {
        guard !isSilent else { return [] }
        if tls.isEstablished, http.wantsToSend {
            try? http.send { bytes in try? tls.write(bytes) }
        }
        var output: [UInt8] = []
        while tls.hasOutput {
            tls.withOutput { bytes in
                output += unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) }
                return bytes.byteCount
            }
        }
        return output
    }

    var nextDeadline: Instant? { later.map(\.at).min() }

    func expire(at moment: SimulatorMoment) {
        let due = later.filter { $0.at <= moment.now }
        later.removeAll { $0.at <= moment.now }
        for entry in due where !isEnded {
            switch entry.act {
            case .process(let stream, let id):
                if pending.remove(stream) != nil, stream <= lastStream { respond(stream, id) }
            case .goAway: goAway()
            case .mood:
                if record.isPeaceful { return calm() }
                change(moment.now)
                let due = moment.now + dice.duration(in: .nanoseconds(1) ... .seconds(3))
                later.append((due, .mood))
            }
        }
    }

    /// Causes no more faults from now on.
    private func calm() {
        isSilent = false
        http.changeStreamLimit(100)
        http.changeStreamWindow(65_535)
        http.withholdsWindow = false
        http.restoreWindow()
    }
}

extension SeededGenerator {
    mutating func below(_ limit: Int) -> Int { Int(next() >> 33) % limit }
}

extension [UInt8] {
    /// Calls `body` with the bytes.
    fileprivate func withRawBytes(_ body: (RawSpan) throws -> Void) rethrows {
        try body(unsafe span.bytes)
    }
}
