internal import TLS

extension SimulatorIdentity {
    /// Throws when the identity has no certificate for a failing handshake in a scenario.
    func check(_ scenario: Scenario) throws(SimulatorError) {
        for kind in scenario.tlsFaults { _ = try context(for: kind) }
    }

    /// The context of sessions whose handshake must fail in a certain way.
    func context(for fault: TLSFault) throws(SimulatorError) -> TLSContext {
        do {
            switch fault {
            case .expired: return try context(both: try kept(expiredPEM))
            case .wrongHost: return try context(both: try kept(foreignPEM))
            case .untrusted: return try Self.generate().context()
            case .noHTTP2: return try context(alpn: ["http/1.1"])
            case .refused, .revoked, .broken, .silent, .plain: return try context()
            }
        } catch let error as SimulatorError {
            throw error
        } catch {
            throw SimulatorError(
                .identity, "cannot make a certificate for '\(fault.rawValue)': \(error)")
        }
    }

    private func context(alpn: [String] = ["h2"]) throws(TLSError) -> TLSContext {
        try TLSContext.server(
            certificatePEM: certificatePEM, keyPEM: certificateKeyPEM, alpn: alpn,
            clientCertificates: clientPolicy)
    }

    private func context(both pem: [UInt8]) throws(TLSError) -> TLSContext {
        try TLSContext.server(
            certificatePEM: pem, keyPEM: pem, clientCertificates: clientPolicy)
    }

    private func kept(_ pem: [UInt8]?) throws(SimulatorError) -> [UInt8] {
        guard let pem else {
            throw SimulatorError(
                .state,
                "the state folder predates this scenario and has no certificate for it; "
                    + "remove \(Self.authorityFile) there to have new certificates made")
        }
        return pem
    }
}
