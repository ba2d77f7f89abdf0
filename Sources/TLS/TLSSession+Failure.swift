internal import COpenSSL

// What a failed OpenSSL call means to the user.
extension TLSSession {
    /// The peer's name in messages.
    var peerName: String { hostName?.text ?? "the client" }

    /// The application protocol agreed in the handshake.
    func agreedProtocol() -> String? {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        unsafe SSL_get0_alpn_selected(pointer, &name, &length)
        guard length > 0 else { return nil }
        let bytes = unsafe UnsafeBufferPointer(start: name, count: Int(length))
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    /// Why the handshake failed.
    func handshakeFailure() -> TLSError {
        let reason = OpenSSLErrors.reason(of: OpenSSLErrors.lastCode)
        if reason == SSL_R_CERTIFICATE_VERIFY_FAILED { return verificationFailure() }
        return failure(of: reason, during: "the handshake with \(peerName)")
    }

    /// Why an established connection cannot continue.
    func connectionFailure() -> TLSError {
        let reason = OpenSSLErrors.reason(of: OpenSSLErrors.lastCode)
        return failure(of: reason, during: "the connection with \(peerName)")
    }

    private func failure(of reason: Int32, during what: String) -> TLSError {
        switch reason {
        case SSL_R_TLSV1_ALERT_NO_APPLICATION_PROTOCOL, SSL_R_NO_APPLICATION_PROTOCOL:
            .fromOpenSSL(.noCommonProtocol, "\(what): no common protocol; HTTP/2 (h2) is required")
        case SSL_R_TLSV1_ALERT_PROTOCOL_VERSION, SSL_R_UNSUPPORTED_PROTOCOL,
            SSL_R_VERSION_TOO_LOW, SSL_R_VERSION_TOO_HIGH:
            .fromOpenSSL(.noCommonVersion, "\(what): no common version; TLS 1.2 or 1.3 is required")
        case SSL_R_NO_SHARED_CIPHER, SSL_R_WRONG_CIPHER_RETURNED, SSL_R_UNKNOWN_CIPHER_RETURNED:
            .fromOpenSSL(.noCommonVersion, "\(what): no common cipher")
        case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE:
            .fromOpenSSL(.untrustedPeer, "\(what): it presented no certificate")
        case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED:
            .fromOpenSSL(
                .refusedByPeer, "\(what): the peer requires a client certificate",
                alert: alert(of: reason))
        case SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST:
            .fromOpenSSL(.protocolViolation, "\(what): the peer does not speak TLS")
        case 1000..<1256:
            .fromOpenSSL(
                .refusedByPeer, "\(what): rejected by the peer", alert: alert(of: reason))
        default:
            .fromOpenSSL(.protocolViolation, "\(what) failed")
        }
    }

    /// OpenSSL's reason for an alert that the peer sent is the alert's number above 1000.
    private func alert(of reason: Int32) -> UInt8? { UInt8(exactly: reason - 1000) }

    /// Why the server's certificate was not accepted.
    private func verificationFailure() -> TLSError {
        let result = Int32(clamping: unsafe SSL_get_verify_result(pointer))
        let message = unsafe X509_verify_cert_error_string(Int(result)).map {
            unsafe String(cString: $0)
        }
        let text = "certificate verify failed: \(message ?? "error \(result)")"
        let certificate = presentedCertificate()
        if result == X509_V_ERR_HOSTNAME_MISMATCH || result == X509_V_ERR_IP_ADDRESS_MISMATCH {
            let names = certificate?.names ?? "another host"
            let detail = "\(text): connected to \(peerName), but its certificate is for \(names)"
            return .fromOpenSSL(.hostNameMismatch, detail)
        }
        let origin = certificate.map { " (\($0.subject), issued by \($0.issuer))" } ?? ""
        return .fromOpenSSL(.untrustedPeer, "\(text), for \(peerName)\(origin)")
    }

    /// The peer's certificate, if it presented one.
    public var peerCertificate: CertificateDescription? {
        guard isEstablished, let certificate = unsafe SSL_get0_peer_certificate(pointer) else {
            return nil
        }
        return try? unsafe CertificateDescription(certificate)
    }

    /// The fingerprints of the peer's certificate chain, including its own certificate; empty when
    /// it was accepted without a chain.
    public var peerVouchers: [[UInt8]] {
        guard isEstablished else { return [] }
        return unsafe ClientJudge.fingerprints(of: SSL_get0_verified_chain(pointer))
    }

    private func presentedCertificate() -> CertificateDescription? {
        let chain = unsafe SSL_get0_verified_chain(pointer)
        guard unsafe apns_chain_count(chain) > 0, let first = unsafe apns_chain_at(chain, 0) else {
            return nil
        }
        return try? unsafe CertificateDescription(first)
    }
}
