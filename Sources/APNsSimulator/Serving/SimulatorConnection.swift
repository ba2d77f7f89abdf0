public import Delivery
internal import EventLoop
internal import HTTP2
internal import TLS

/// One client's connection to the simulator as a byte machine: bytes in, bytes out, no socket.
public struct SimulatorConnection: ~Copyable {
    private var tls: TLSSession
    private var http: HTTP2Server
    private var controller: SimulatorController
    private var line = InputLine()
    /// The bytes sent instead of a handshake.
    private var reply: [UInt8]?
    private var flood = FloodGuard()
    private var idle: IdleWatch
    /// Whether the client's certificate has been checked.
    private var isMet = false
    /// Nothing is sent any longer that was not said before the silence of the moment.
    private var hasFallenSilent = false
    private var isClosing = false
    private var isCut = false
    /// When the handshake must be complete.
    let handshakeDeadline: Instant

    /// The time limit of a handshake.
    static let maxHandshake = Duration.seconds(10)
    /// Requests are processed after at most this many bytes, so that they are judged while they are
    /// still in the processor's cache.
    private static let comfortableInput = 4096
    /// The debug data of the GOAWAY to an idle client.
    private static let idleReason = [UInt8](#"{"reason":"IdleTimeout"}"#.utf8)
    /// The HTTP/2 error code for a client that causes excessive load.
    private static let enhanceYourCalm: UInt32 = 11
    /// The bytes sent when a scenario requests invalid HTTP/2.
    private static let garbage = [UInt8](repeating: 0xFF, count: 64)

    /// Creates a connection for a new client.
    public init(
        service: SimulatorService, at moment: SimulatorMoment
    ) throws(SimulatorError) {
        let controller = SimulatorController(service: service, at: moment)
        do {
            tls = try TLSSession(server: service.context(for: controller.faults.tlsFault))
        } catch {
            throw SimulatorError(.identity, "cannot start a TLS session: \(error)")
        }
        http = HTTP2Server(settings: service.http2Settings)
        reply = controller.faults.tlsFault?.reply
        isCut = controller.faults.cut != nil
        handshakeDeadline = moment.now + Self.maxHandshake
        idle = IdleWatch(at: moment.now, limit: service.idleLimit)
        self.controller = controller
        service.counters.connectionOpened()
    }

    deinit { controller.leave() }

    /// Nothing more is received or sent: close the socket once the output is sent.
    public var isEnded: Bool { isCut || (isClosing && !tls.hasOutput && reply?.isEmpty != false) }

    /// The handshake is not complete.
    var isHandshaking: Bool { !tls.isEstablished }

    /// The socket must be reset rather than closed.
    public var isToBeReset: Bool { isCut && controller.faults.cut == .reset }

    /// Output is pending.
    public var hasOutput: Bool {
        if isCut { return false }
        if let reply { return isClosing && !reply.isEmpty }
        return tls.hasOutput
    }

    /// Bytes of the client may be read; otherwise they stay in the socket.
    public var wantsInput: Bool { line.count < InputLine.comfortable }

    /// When ``expire(at:)`` has something to do.
    public var nextDeadline: Instant? {
        if isCut || isClosing { return nil }
        let waiting = controller.faults.isSilent ? nil : line.nextDeadline
        let own = tls.isEstablished ? idle.deadline : min(idle.deadline, handshakeDeadline)
        return earlier(earlier(controller.nextDeadline, waiting), own)
    }

    /// Receives bytes from the client, judges its requests, and responds.
    public mutating func receive(_ ciphertext: RawSpan, at moment: SimulatorMoment) {
        guard !isCut, !isClosing else { return }
        idle.noteActivity(at: moment.now)
        if reply != nil { return refuseHandshake() }
        let delay = controller.faults.roundTrip
        let rate = controller.faults.readingRate
        if line.isEmpty, delay == .zero, rate == nil, !controller.faults.isSilent {
            process(ciphertext, at: moment)
        } else {
            line.add(ciphertext, at: moment.now, delay: delay, rate: rate)
            drain(at: moment)
        }
    }

    /// Does what is due: delayed responses, faults, bytes in transit.
    public mutating func expire(at moment: SimulatorMoment) {
        guard !isCut, !isClosing else { return }
        guard tls.isEstablished || moment.now < handshakeDeadline else {
            isCut = true
            return
        }
        let wasSilent = controller.faults.isSilent
        controller.advance(to: moment, on: &http)
        if wasSilent, !controller.faults.isSilent { controller.serve(&http, at: moment) }
        settle()
        drain(at: moment)
        showOutIfIdle(at: moment)
    }

    /// Closes the connection of an idle client that waits for no responses.
    private mutating func showOutIfIdle(at moment: SimulatorMoment) {
        guard !isCut, !isClosing else { return }
        if controller.isOwing || controller.faults.isSilent { idle.noteActivity(at: moment.now) }
        guard idle.isOver(at: moment.now, limit: controller.service.idleLimit) else { return }
        http.goAway(debug: Self.idleReason)
        close()
    }

    /// Sends a GOAWAY and closes the connection; outstanding requests get no response.
    public mutating func stop() {
        guard !isCut, !isClosing else { return }
        if tls.isEstablished { http.goAway() }
        close()
    }

    /// Calls `body` with pending output; `body` returns how many bytes of it were sent.
    public mutating func withOutput(_ body: (RawSpan) -> Int) {
        guard hasOutput else { return }
        guard let bytes = reply else { return tls.withOutput(body) }
        reply?.removeFirst(bytes.withRawSpan(body))
    }

    /// Processes the bytes whose transit is over.
    private mutating func drain(at moment: SimulatorMoment) {
        while !isCut, !isClosing, !controller.faults.isSilent,
            let bytes = line.takeDue(at: moment.now)
        {
            bytes.withRawSpan { process($0, at: moment) }
        }
    }

    private mutating func process(_ ciphertext: RawSpan, at moment: SimulatorMoment) {
        var goesOn = true
        do {
            try tls.receive(ciphertext)
            meet()
            goesOn = try Self.read(&tls, into: &http, for: &controller, at: moment)
        } catch {
            goesOn = false
        }
        controller.serve(&http, at: moment)
        if flood.isFlooded(count: http.acknowledgements, at: moment.now) {
            http.goAway(code: Self.enhanceYourCalm)
            goesOn = false
        }
        settle()
        if !goesOn { close() }
    }

    /// Checks the client's certificate once the handshake is complete.
    private mutating func meet() {
        guard !isMet, tls.isEstablished else { return }
        isMet = true
        if let certificate = tls.peerCertificate { controller.meet(certificate, on: &http) }
    }

    /// Produces pending output, and closes the connection if it is done.
    private mutating func settle() {
        if controller.faults.cut != nil { isCut = true }
        flush()
        if controller.faults.hasGarbage, tls.isEstablished, !isCut {
            Self.garbage.withRawSpan { try? tls.write($0) }
            close()
        } else if controller.faults.isDone(openStreams: http.openStreams) {
            close()
        }
    }

    /// Fails a handshake: the client's first bytes get the scenario's reply.
    private mutating func refuseHandshake() {
        if reply?.isEmpty == false { isClosing = true }
    }

    /// Closes our side after any remaining output of HTTP/2 and TLS.
    private mutating func close() {
        guard !isCut, !isClosing else { return }
        flush()
        tls.close()
        isClosing = true
    }

    private mutating func flush() {
        guard !isCut, !isClosing, tls.isEstablished else { return }
        // What was said before a silence is still delivered.
        guard !hasFallenSilent || !controller.faults.isSilent else { return }
        hasFallenSilent = controller.faults.isSilent
        do {
            try Self.send(from: &http, into: &tls)
        } catch {
            tls.close()
            isClosing = true
        }
    }

    private static func read(
        _ tls: inout TLSSession, into http: inout HTTP2Server,
        for controller: inout SimulatorController, at moment: SimulatorMoment
    ) throws(TLSError) -> Bool {
        var isSound = true
        let goesOn = try tls.read { plaintext in
            var start = 0
            while isSound, start < plaintext.byteCount {
                let end = min(start + comfortableInput, plaintext.byteCount)
                do { try http.receive(plaintext.extracting(start..<end)) } catch { isSound = false }
                controller.serve(&http, at: moment)
                start = end
            }
        }
        return goesOn && isSound
    }

    private static func send(
        from http: inout HTTP2Server, into tls: inout TLSSession
    ) throws {
        guard http.wantsToSend else { return }
        var failure: TLSError?
        try http.send { plaintext in
            do throws(TLSError) { try tls.write(plaintext) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}
