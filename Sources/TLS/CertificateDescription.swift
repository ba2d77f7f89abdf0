internal import COpenSSL

/// The words in which a lent certificate describes itself.
@safe
struct CertificateDescription {
    let subject: String
    let issuer: String
    let names: String

    init(_ certificate: OpaquePointer) throws(TLSError) {
        subject = try unsafe Self.text(of: X509_get_subject_name(certificate))
        issuer = try unsafe Self.text(of: X509_get_issuer_name(certificate))
        let index = unsafe X509_get_ext_by_NID(certificate, NID_subject_alt_name, -1)
        guard index >= 0 else {
            names = subject
            return
        }
        let bio = try MemoryBIO()
        _ = unsafe X509V3_EXT_print(bio.pointer, X509_get_ext(certificate, index), 0, 0)
        names = bio.text
    }

    private static func text(of name: OpaquePointer?) throws(TLSError) -> String {
        guard let name = unsafe name else { return "" }
        let bio = try MemoryBIO()
        _ = unsafe apns_print_name(bio.pointer, name)
        return bio.text
    }
}
