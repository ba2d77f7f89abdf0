internal import COpenSSL

/// A certificate that is being written and not yet signed.
@safe
struct CertificateDraft: ~Copyable {
    /// The extensions that we write.
    enum Extension {
        case basicConstraints, keyUsage, extendedKeyUsage, subjectKeyIdentifier
        case subjectAlternativeName

        var number: Int32 {
            switch self {
            case .basicConstraints: NID_basic_constraints
            case .keyUsage: NID_key_usage
            case .extendedKeyUsage: NID_ext_key_usage
            case .subjectKeyIdentifier: NID_subject_key_identifier
            case .subjectAlternativeName: NID_subject_alt_name
            }
        }
    }

    /// A day in seconds.
    static let day = 86_400
    private let certificate: CertificateHandle

    /// Creates a certificate that is valid since yesterday.
    init(
        commonName: String, userID: String? = nil, key: borrowing KeyHandle, validFor: Int
    ) throws(TLSError) {
        OpenSSLErrors.clear()
        guard let pointer = unsafe X509_new() else {
            throw .fromOpenSSL(.library, "no memory for a certificate")
        }
        let draft = unsafe CertificateHandle(owning: pointer)
        var serial: [UInt8] = [0]
        serial += (0..<15).map { _ in UInt8.random(in: 1...127) }
        let number = unsafe BN_bin2bn(serial, Int32(serial.count), nil)
        defer { unsafe BN_free(number) }
        let begin = min(validFor, 0) - Self.day
        let subject = unsafe X509_get_subject_name(pointer)
        guard unsafe X509_set_version(pointer, 2) == 1,
            unsafe BN_to_ASN1_INTEGER(number, X509_get_serialNumber(pointer)) != nil,
            unsafe X509_gmtime_adj(X509_getm_notBefore(pointer), begin) != nil,
            unsafe X509_gmtime_adj(X509_getm_notAfter(pointer), validFor) != nil,
            unsafe Self.add("CN", commonName, to: subject),
            userID.map({ unsafe Self.add("UID", $0, to: subject) }) ?? true,
            unsafe X509_set_pubkey(pointer, key.pointer) == 1
        else {
            throw .fromOpenSSL(
                .badCertificate, "cannot make a certificate for the name '\(commonName)'")
        }
        certificate = draft
    }

    private static func add(_ field: String, _ text: String, to name: OpaquePointer?) -> Bool {
        unsafe X509_NAME_add_entry_by_txt(name, field, MBSTRING_UTF8, text, -1, -1, 0) == 1
    }

    /// Adds an extension that OpenSSL does not know, by its object identifier.
    func add(objectID: String, der: [UInt8]) throws(TLSError) {
        OpenSSLErrors.clear()
        let object = unsafe OBJ_txt2obj(objectID, 1)
        let content = unsafe ASN1_OCTET_STRING_new()
        defer {
            unsafe ASN1_OBJECT_free(object)
            unsafe ASN1_OCTET_STRING_free(content)
        }
        var added: OpaquePointer?
        if unsafe ASN1_OCTET_STRING_set(content, der, Int32(der.count)) == 1 {
            unsafe added = X509_EXTENSION_create_by_OBJ(nil, object, 0, content)
        }
        defer { unsafe X509_EXTENSION_free(added) }
        guard unsafe added != nil, unsafe X509_add_ext(certificate.pointer, added, -1) == 1 else {
            throw .fromOpenSSL(.badCertificate, "\(objectID) cannot go into a certificate")
        }
    }

    /// Adds an extension, with its value in the syntax of `openssl.cnf`.
    func add(_ kind: Extension, _ value: String) throws(TLSError) {
        OpenSSLErrors.clear()
        let added = unsafe apns_add_extension(certificate.pointer, kind.number, value)
        guard added == 1 else {
            throw .fromOpenSSL(.badCertificate, "'\(value)' cannot go into a certificate")
        }
    }

    /// Signs with the certificate's own key; returns PEM.
    func signed(by key: borrowing KeyHandle) throws(TLSError) -> [UInt8] {
        try unsafe sign(by: key, issuer: X509_get_subject_name(certificate.pointer))
    }

    /// Signs with another certificate's key; returns PEM.
    func signed(
        by key: borrowing KeyHandle, of issuer: borrowing CertificateHandle
    ) throws(TLSError) -> [UInt8] {
        try unsafe sign(by: key, issuer: X509_get_subject_name(issuer.pointer))
    }

    private func sign(
        by key: borrowing KeyHandle, issuer: OpaquePointer?
    ) throws(TLSError) -> [UInt8] {
        OpenSSLErrors.clear()
        guard unsafe X509_set_issuer_name(certificate.pointer, issuer) == 1,
            unsafe X509_sign(certificate.pointer, key.pointer, EVP_sha256()) > 0
        else { throw .fromOpenSSL(.library, "the certificate could not be signed") }
        return try certificate.pem()
    }
}
