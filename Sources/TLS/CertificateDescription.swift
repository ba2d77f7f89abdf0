internal import COpenSSL

/// The content of a certificate that matters for pushes.
@safe
public struct CertificateDescription: Equatable, Sendable {
    /// The subject on one line: `CN = Apple Push Services: com.example.shop, UID = …`.
    public var subject: String
    /// The issuer on one line.
    public var issuer: String
    /// The host names in a server's certificate; the subject when there are none.
    public var names: String
    /// The UID in the subject: for Apple's push certificates the app's bundle identifier.
    public var bundleID: String?
    /// The values of `apns-topic` that it may push to: those in Apple's extension
    /// (1.2.840.113635.100.6.3.6), otherwise the bundle identifier alone, otherwise none.
    public var apnsTopics: [String]
    /// It has Apple's extension for the development service (1.2.840.113635.100.6.3.1).
    public var isForDevelopment: Bool
    /// It has Apple's extension for the production service (1.2.840.113635.100.6.3.2).
    public var isForProduction: Bool
    /// The start of its validity, in seconds since 1970.
    public var notBefore: Int64
    /// The end of its validity, in seconds since 1970.
    public var notAfter: Int64
    /// The SHA-256 of the whole certificate, which identifies it.
    public var fingerprint: [UInt8]

    /// Describes every certificate in a PEM string, in order.
    public static func all(inPEM pem: [UInt8]) throws(TLSError) -> [CertificateDescription] {
        var all: [CertificateDescription] = []
        _ = try CertificateHandle.forEach(in: pem) { certificate in
            guard let one = try? unsafe CertificateDescription(certificate.pointer) else {
                return false
            }
            all.append(one)
            return true
        }
        return all
    }

    /// Describes a borrowed certificate.
    init(_ certificate: OpaquePointer) throws(TLSError) {
        subject = try unsafe Self.text(of: X509_get_subject_name(certificate))
        issuer = try unsafe Self.text(of: X509_get_issuer_name(certificate))
        names = try unsafe Self.alternativeNames(of: certificate) ?? subject
        let bundleID = unsafe Self.userID(of: X509_get_subject_name(certificate))
        self.bundleID = bundleID
        let listed = unsafe Self.content(of: AppleExtension.topics, in: certificate)
        apnsTopics = listed.map { Self.topics(in: $0) } ?? bundleID.map { [$0] } ?? []
        isForDevelopment =
            unsafe Self.content(of: AppleExtension.development, in: certificate) != nil
        isForProduction = unsafe Self.content(of: AppleExtension.production, in: certificate) != nil
        notBefore = unsafe Self.seconds(X509_get0_notBefore(certificate))
        notAfter = unsafe Self.seconds(X509_get0_notAfter(certificate))
        var digest = [UInt8](repeating: 0, count: 32)
        let isHashed = unsafe X509_digest(certificate, EVP_sha256(), &digest, nil)
        precondition(isHashed == 1, "libcrypto must offer SHA-256")
        fingerprint = digest
    }

    /// True when its connections may carry a push with this `apns-topic`; always true when it lists
    /// no topics.
    public func allows(apnsTopic: String) -> Bool {
        apnsTopics.isEmpty || apnsTopics.contains(apnsTopic)
    }

    private static func text(of name: OpaquePointer?) throws(TLSError) -> String {
        guard let name = unsafe name else { return "" }
        let bio = try MemoryBIO()
        _ = unsafe apns_print_name(bio.pointer, name)
        return bio.text
    }

    private static func alternativeNames(
        of certificate: OpaquePointer
    ) throws(TLSError) -> String? {
        let index = unsafe X509_get_ext_by_NID(certificate, NID_subject_alt_name, -1)
        guard index >= 0 else { return nil }
        let bio = try MemoryBIO()
        _ = unsafe X509V3_EXT_print(bio.pointer, X509_get_ext(certificate, index), 0, 0)
        return bio.text
    }

    private static func userID(of name: OpaquePointer?) -> String? {
        var text = [CChar](repeating: 0, count: 512)
        let length = unsafe X509_NAME_get_text_by_NID(name, NID_userId, &text, Int32(text.count))
        guard length > 0 else { return nil }
        return String(
            decoding: text.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The content of an extension; nil when the certificate does not have it.
    private static func content(of objectID: String, in certificate: OpaquePointer) -> [UInt8]? {
        defer { OpenSSLErrors.clear() }
        let object = unsafe OBJ_txt2obj(objectID, 1)
        defer { unsafe ASN1_OBJECT_free(object) }
        let index = unsafe X509_get_ext_by_OBJ(certificate, object, -1)
        guard index >= 0,
            let content = unsafe X509_EXTENSION_get_data(X509_get_ext(certificate, index))
        else { return nil }
        return unsafe Array(
            UnsafeBufferPointer(
                start: ASN1_STRING_get0_data(content), count: Int(ASN1_STRING_length(content))))
    }

    /// The topics in Apple's extension: a sequence in which each topic, a string, is followed by
    /// the sequence of its services. Invalid data ends the list.
    private static func topics(in content: [UInt8]) -> [String] {
        var whole = content[...]
        guard let list = DER.next(&whole), list.tag == DER.sequence else { return [] }
        var rest = list.content
        var topics: [String] = []
        while let value = DER.next(&rest) {
            guard value.tag == DER.utf8String else { continue }
            topics.append(String(decoding: value.content, as: UTF8.self))
        }
        return topics
    }

    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64 {
        let epoch = unsafe ASN1_TIME_set(nil, 0)
        defer { unsafe ASN1_TIME_free(epoch) }
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return 0 }
        return Int64(days) * 86_400 + Int64(seconds)
    }
}

/// The extensions in Apple's push certificates.
enum AppleExtension {
    static let development = "1.2.840.113635.100.6.3.1"
    static let production = "1.2.840.113635.100.6.3.2"
    static let topics = "1.2.840.113635.100.6.3.6"
}
