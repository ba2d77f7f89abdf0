internal import COpenSSL

/// The name that a client uses for its server: a DNS name or an IP address.
struct ServerName: Equatable, Sendable {
    let text: String
    let isAddress: Bool

    init(_ text: String) throws(TLSError) {
        guard !text.isEmpty, text.utf8.count <= 253,
            text.utf8.allSatisfy({ Self.isAllowed($0) })
        else { throw TLSError(.badHostName, "'\(text)' is not a host name or an IP address") }
        OpenSSLErrors.clear()
        let address = unsafe a2i_IPADDRESS(text)
        isAddress = unsafe address != nil
        unsafe ASN1_OCTET_STRING_free(address)
        OpenSSLErrors.clear()
        self.text = text.hasSuffix(".") && !isAddress ? String(text.dropLast()) : text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: ":")
                || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "*")
        }
    }
}
