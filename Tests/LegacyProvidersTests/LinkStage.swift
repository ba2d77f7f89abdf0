import Delivery
import EventLoop
import TLS

@testable import LegacyProviders

/// A table of links on a kernel whose time stands still, and providers that talk to it in memory.
final class LinkStage {
    static let authority = Result { try CertificateAuthority.generate(name: "Clients") }
    private static let first: UInt64 = 10

    var kernel = FakeKernel()
    var table: LinkTable
    var owner = RecordingOwner()
    private let authority: CertificateAuthority
    private let requiresTLS13: Bool
    private let clients: TLSContext
    private var sessions: [Int32: ProviderSession] = [:]
    private var rest: [Int32: [UInt8]] = [:]

    /// Everything that happens to links, in order.
    init(
        bundleID: String = "com.example.shop", limit: Int = 3, hasCertificate: Bool = true,
        requiresTLS13: Bool = false
    ) throws {
        authority = try Self.authority.get()
        self.requiresTLS13 = requiresTLS13
        let server = try authority.issue()
        let vouchers = try CertificateDescription.all(inPEM: authority.certificatePEM)
        let roster = ClientRoster([
            ClientRoster.Entry(
                bundleID: "com.example.shop", authorities: Set(vouchers.map(\.fingerprint)))
        ])
        table = LinkTable(
            context: try TLSContext.server(
                certificate: ClientCertificate(
                    pem: server.certificatePEM, keyPEM: server.keyPEM),
                clients: roster.judge(rootsPEM: authority.certificatePEM)),
            roster: roster, limit: limit, timeout: .seconds(10), firstToken: Self.first)
        clients = try Self.clients(
            of: authority, bundleID: hasCertificate ? bundleID : nil, requiresTLS13)
        _ = try table.listen(on: .loopback(port: 0), &kernel)
    }

    private static func clients(
        of authority: CertificateAuthority, bundleID: String?, _ requiresTLS13: Bool
    ) throws -> TLSContext {
        let certificate = try bundleID.map { bundleID in
            let issued = try authority.issueClient(bundleID: bundleID)
            return try ClientCertificate(pem: issued.certificatePEM, keyPEM: issued.keyPEM)
        }
        return try TLSContext.client(
            trustRoots: .pem(authority.certificatePEM), certificate: certificate, alpn: [],
            requiresTLS13: requiresTLS13)
    }

    /// A provider connects; without TLS it says nothing. It sends its first words together with
    /// the last bytes of its handshake.
    func connect(
        _ socket: Int32, speaksTLS: Bool = true, firstLines: String? = nil
    ) throws {
        arrive(socket)
        guard speaksTLS else { return }
        try begin(socket, clients, firstLines)
        talk(socket)
    }

    /// A provider connects with a certificate for another app, and nothing is carried yet.
    func knock(_ socket: Int32, bundleID: String) throws {
        arrive(socket)
        try begin(socket, Self.clients(of: authority, bundleID: bundleID, requiresTLS13), nil)
    }

    /// The first bytes of a handshake.
    func hello() throws -> [UInt8] {
        let session = ProviderSession(try TLSSession(client: clients, hostName: "localhost"))
        session.start()
        return session.takeOutput()
    }

    private func arrive(_ socket: Int32) {
        kernel.sockets[socket] = FakeKernel.Socket()
        kernel.arriving.append(socket)
        table.wake(Wakeup(token: Self.first, readable: true, writable: false), &kernel)
    }

    private func begin(_ socket: Int32, _ context: TLSContext, _ firstLines: String?) throws {
        let session = ProviderSession(try TLSSession(client: context, hostName: "localhost"))
        session.firstLines = firstLines
        sessions[socket] = session
        session.start()
    }

    /// Carries bytes both ways until nobody has anything to say.
    func talk(_ sockets: Int32...) {
        for _ in 0..<12 {
            for socket in sockets { carry(socket) }
            wakeAll()
            _ = table.pump(&kernel, &owner)
        }
    }

    private func carry(_ socket: Int32) {
        guard let session = sessions[socket], var state = kernel.sockets[socket] else { return }
        session.receive(state.toPeer)
        state.toPeer = []
        state.toTable += session.takeOutput()
        kernel.sockets[socket] = state
    }

    private func wakeAll() {
        for token in 1...5 {
            table.wake(
                Wakeup(token: Self.first + UInt64(token), readable: true, writable: true), &kernel)
        }
    }

    func send(_ socket: Int32, _ text: String, thenCloses: Bool = false) {
        sessions[socket]?.write(Array(text.utf8))
        if thenCloses { sessions[socket]?.close() }
        talk(socket)
    }

    /// Sends only the first bytes of what is said; ``sendRest(_:)`` sends the others.
    func send(_ socket: Int32, _ text: String, cutAt count: Int) {
        sessions[socket]?.write(Array(text.utf8))
        let bytes = sessions[socket]?.takeOutput() ?? []
        kernel.sockets[socket]?.toTable += bytes.prefix(count)
        rest[socket] = Array(bytes.dropFirst(count))
        talk(socket)
    }

    func sendRest(_ socket: Int32) {
        kernel.sockets[socket]?.toTable += rest.removeValue(forKey: socket) ?? []
        talk(socket)
    }

    /// What a provider has received.
    func received(_ socket: Int32) -> String {
        String(decoding: sessions[socket]?.plaintext ?? [], as: UTF8.self)
    }

    func isEstablished(_ socket: Int32) -> Bool { sessions[socket]?.isEstablished ?? false }
    func failure(_ socket: Int32) -> TLSError.Code? { sessions[socket]?.failure?.code }

    func perform(_ command: LinkCommand, on link: Int) {
        table.perform(command, on: link, at: kernel.now)
    }

    func pass(seconds: Int) {
        kernel.now += .seconds(seconds)
        table.expire(at: kernel.now)
        _ = table.pump(&kernel, &owner)
    }
}

/// The provider's side of a link.
final class ProviderSession {
    private var tls: TLSSession
    private(set) var plaintext: [UInt8] = []
    private(set) var failure: TLSError?
    /// What is said as soon as the handshake permits.
    var firstLines: String?

    init(_ tls: consuming TLSSession) { self.tls = tls }

    var isEstablished: Bool { tls.isEstablished }

    func start() { attempt { () throws(TLSError) in try tls.start() } }

    func receive(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        attempt { () throws(TLSError) in
            try bytes.withRawSpan { (span) throws(TLSError) in try tls.receive(span) }
            _ = try tls.read { plaintext += [UInt8](copying: $0) }
        }
        guard isEstablished, let message = firstLines else { return }
        firstLines = nil
        write(Array(message.utf8))
    }

    func close() { tls.close() }

    func write(_ bytes: [UInt8]) {
        attempt { () throws(TLSError) in
            try bytes.withRawSpan { (span) throws(TLSError) in try tls.write(span) }
        }
    }

    func takeOutput() -> [UInt8] {
        var bytes: [UInt8] = []
        tls.withOutput { span in
            bytes = [UInt8](copying: span)
            return span.byteCount
        }
        return bytes
    }

    private func attempt(_ body: () throws(TLSError) -> Void) {
        do throws(TLSError) { try body() } catch { failure = error }
    }
}

/// An owner that writes down what it receives.
struct RecordingOwner: LinkOwner {
    var received: [String] = []
    var isReading = true

    mutating func linkOpened(_ link: Int, app: Int, at now: Instant) {
        received.append("\(link) opened for \(app)")
    }

    mutating func link(_ link: Int, received bytes: RawSpan, at now: Instant) {
        received.append("\(link) said " + String(decoding: [UInt8](copying: bytes), as: UTF8.self))
    }

    mutating func linkFinished(_ link: Int) { received.append("\(link) finished") }

    mutating func linkDrained(_ link: Int) { received.append("\(link) drained") }

    mutating func linkEnded(_ link: Int, isClean: Bool) {
        received.append("\(link) ended" + (isClean ? " well" : ""))
    }

    func wantsInput(_ link: Int) -> Bool { isReading }
}
