internal import TLS

/// Two sessions that talk in memory, and what each of them sent.
final class Wire {
    var client: TLSSession
    var server: TLSSession
    var clientError: TLSError?
    var serverError: TLSError?

    init(
        _ authority: CertificateAuthority, trusting roots: TrustRoots? = nil,
        issuedTo names: [String] = ["localhost"], validFor: Int = 86_400,
        calling host: String = "localhost", clientALPN: [String] = ["h2"],
        serverALPN: [String] = ["h2"], certificate: ClientCertificate? = nil,
        policy: ClientCertificatePolicy = .notAsked
    ) throws {
        let issued = try authority.issue(hostNames: names, validFor: validFor)
        let clients = try TLSContext.client(
            trustRoots: roots ?? .pem(authority.certificatePEM), certificate: certificate,
            alpn: clientALPN)
        let servers = try TLSContext.server(
            certificatePEM: issued.certificatePEM, keyPEM: issued.keyPEM, alpn: serverALPN,
            clientCertificates: policy)
        client = try TLSSession(client: clients, hostName: host)
        server = try TLSSession(server: servers)
    }

    init(client: consuming TLSSession, server: consuming TLSSession) {
        self.client = client
        self.server = server
    }

    var clientStands: Bool { client.isEstablished }
    var serverStands: Bool { server.isEstablished }
    var isResumed: Bool { client.isResumed }
    var peerCertificate: CertificateDescription? { server.peerCertificate }
    var agreed: [String?] { [client.negotiatedProtocol, server.negotiatedProtocol] }

    /// Carries bytes both ways until neither side has any left.
    func talk() {
        do { try client.start() } catch { clientError = error }
        while client.hasOutput || server.hasOutput {
            do throws(TLSError) {
                try server.receive(bytes: client.takeOutput())
            } catch { serverError = error }
            do throws(TLSError) {
                try client.receive(bytes: server.takeOutput())
            } catch { clientError = error }
        }
    }
}

extension TLSSession {
    /// All waiting ciphertext.
    mutating func takeOutput() -> [UInt8] {
        var bytes: [UInt8] = []
        withOutput { span in
            bytes = copy(of: span)
            return span.byteCount
        }
        return bytes
    }

    /// Takes bytes that an array holds.
    mutating func receive(bytes: [UInt8]) throws(TLSError) {
        try unsafe receive(bytes.span.bytes)
    }

    /// Writes bytes that an array holds.
    mutating func write(bytes: [UInt8]) throws(TLSError) {
        try unsafe write(bytes.span.bytes)
    }

    /// All plaintext received, and whether the connection is still open.
    mutating func readAll() throws(TLSError) -> (bytes: [UInt8], isOpen: Bool) {
        var bytes: [UInt8] = []
        let isOpen = try read { bytes += copy(of: $0) }
        return (bytes, isOpen)
    }
}

/// The bytes of a span, as an array.
func copy(of span: RawSpan) -> [UInt8] {
    unsafe span.withUnsafeBytes { unsafe Array($0) }
}
