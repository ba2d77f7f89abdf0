internal import TLS

/// Faults between a TLS client and a TLS server: bytes that are not TLS, or bytes that were changed
/// in transit.
///
/// The first byte chooses: 0 and 1 are raw bytes to the client or the server, and everything else
/// is a live connection with changes: where, and by what, three bytes for each.
enum TLSTarget {
    private static let host = "apns.test"
    private static let contexts = Result {
        let authority = try CertificateAuthority.generate(name: "Fuzz")
        let issued = try authority.issue(hostNames: [host])
        return (
            try TLSContext.client(trustRoots: .pem(authority.certificatePEM)),
            try TLSContext.server(certificatePEM: issued.certificatePEM, keyPEM: issued.keyPEM)
        )
    }
    private static let greeting = Array("a greeting that must arrive as it was".utf8)

    static func run(_ bytes: [UInt8]) {
        guard let first = bytes.first, let (clients, servers) = try? contexts.get(),
            var client = try? TLSSession(client: clients, hostName: host),
            var server = try? TLSSession(server: servers)
        else { return }
        try? client.start()
        switch first {
        case 0: report(&client, bytes.dropFirst())
        case 1: report(&server, bytes.dropFirst())
        default:
            var wire = Wire(changes: bytes.dropFirst())
            talk(&client, &server, &wire)
        }
    }

    private static func report(_ session: inout TLSSession, _ bytes: ArraySlice<UInt8>) {
        var failed = false
        for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: 97) {
            let piece = bytes[start..<min(start + 97, bytes.endIndex)]
            do throws(TLSError) {
                try unsafe session.receive(piece.span.bytes)
                precondition(!failed, "a session goes on after it has failed")
                _ = try session.read { _ in preconditionFailure("plaintext from nobody") }
            } catch {
                precondition(!error.detail.isEmpty, "an error that says nothing")
                failed = true
            }
            session.withOutput { $0.byteCount }
        }
        precondition(!session.isEstablished, "established with nobody")
    }

    private static func talk(
        _ client: inout TLSSession, _ server: inout TLSSession, _ wire: inout Wire
    ) {
        var hasGreeted = false
        var received: [UInt8] = []
        for _ in 0..<6 {
            carry(&client, to: &server, &wire)
            if server.isEstablished, !hasGreeted {
                hasGreeted = true
                try? unsafe server.write(greeting.span.bytes)
            }
            carry(&server, to: &client, &wire)
            _ = try? client.read { bytes in
                received += unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) }
            }
        }
        precondition(greeting.starts(with: received), "what arrives is not what was sent")
        precondition(
            !wire.isUntouched || received == greeting, "nothing was changed and nothing arrived")
    }

    private static func carry(
        _ from: inout TLSSession, to: inout TLSSession, _ wire: inout Wire
    ) {
        var bytes: [UInt8] = []
        from.withOutput { span in
            bytes = unsafe span.withUnsafeBytes { unsafe [UInt8]($0) }
            return span.byteCount
        }
        wire.change(&bytes)
        try? unsafe to.receive(bytes.span.bytes)
    }

    /// Changes bytes at positions that are counted over both directions.
    private struct Wire {
        private var location = 0
        private var changes: [(at: Int, by: UInt8)] = []
        private(set) var isUntouched = true

        init(changes bytes: ArraySlice<UInt8>) {
            let bytes = Array(bytes)
            for start in stride(from: 0, to: bytes.count - 2, by: 3) {
                let at = Int(bytes[start]) << 8 | Int(bytes[start + 1])
                changes.append((at, bytes[start + 2]))
            }
        }

        mutating func change(_ bytes: inout [UInt8]) {
            for change in changes where (location..<location + bytes.count).contains(change.at) {
                bytes[change.at - location] ^= change.by
                if change.by != 0 { isUntouched = false }
            }
            location += bytes.count
        }
    }
}
