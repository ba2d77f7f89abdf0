internal import HTTP2
internal import TLS

/// One client's connection to the simulator as a byte machine: bytes in, bytes out, no socket.
public struct SimulatorConnection: ~Copyable {
    private var tls: TLSSession
    private var http: HTTP2Server
    private var desk: SimulatorDesk
    private var isClosing = false
    private var isCut = false

    /// Begins a connection of a client that has just come.
    public init(service: SimulatorService) throws(SimulatorError) {
        do {
            tls = try TLSSession(server: service.context)
        } catch {
            throw SimulatorError(.identity, "no TLS session could be begun: \(error)")
        }
        var settings = HTTP2ServerSettings(streamLimit: service.firstStreamLimit)
        settings.bodyLimit = 5120
        http = HTTP2Server(settings: settings)
        desk = SimulatorDesk(service: service)
        service.counters.connectionOpened()
    }

    deinit { desk.leave() }

    /// Nothing more will come or go: close the socket once the output is sent.
    public var isEnded: Bool { isCut || (isClosing && !tls.hasOutput) }

    /// Ciphertext waits to be sent.
    public var hasOutput: Bool { !isCut && tls.hasOutput }

    /// When ``expire(at:)`` has something to do, in monotonic nanoseconds.
    public var nextDeadline: UInt64? { isCut ? nil : desk.nextDeadline }

    /// Takes bytes from the client, judges what they ask, and answers.
    public mutating func receive(_ ciphertext: RawSpan, at moment: SimulatorMoment) {
        guard !isCut, !isClosing else { return }
        var goesOn = true
        do {
            try tls.receive(ciphertext)
            goesOn = try Self.read(&tls, into: &http)
        } catch {
            goesOn = false
        }
        if !desk.serve(&http, at: moment) { isCut = true }
        flush()
        if !goesOn { close() }
    }

    /// Sends the delayed answers whose time has come.
    public mutating func expire(at moment: SimulatorMoment) {
        guard !isCut, !isClosing else { return }
        if !desk.answerDue(at: moment, on: &http) { isCut = true }
        flush()
    }

    /// Tells the client to go and ends the connection; requests that wait get no answer.
    public mutating func stop() {
        guard !isCut, !isClosing else { return }
        if tls.isEstablished { http.goAway() }
        close()
    }

    /// Lends the ciphertext that waits; `body` answers how many bytes of it were taken.
    public mutating func withOutput(_ body: (RawSpan) -> Int) {
        if !isCut { tls.withOutput(body) }
    }

    /// Ends our side: the client is told whatever HTTP/2 and TLS have left to say.
    private mutating func close() {
        guard !isCut, !isClosing else { return }
        flush()
        tls.close()
        isClosing = true
    }

    private mutating func flush() {
        guard !isCut, !isClosing, tls.isEstablished else { return }
        do {
            try Self.send(from: &http, into: &tls)
        } catch {
            tls.close()
            isClosing = true
        }
    }

    private static func read(
        _ tls: inout TLSSession, into http: inout HTTP2Server
    ) throws(TLSError) -> Bool {
        var isSound = true
        let goesOn = try tls.read { plaintext in
            guard isSound else { return }
            do { try http.receive(plaintext) } catch { isSound = false }
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
