internal import Encoding

/// Keys as environment variables and secret stores hold them.
enum KeyText {
    /// The PEM text of a key or a certificate: with `\\n` as two characters replaced by newlines,
    /// and decoded if it is PEM, or the inside of a .p8 file, in Base64. Anything else is returned
    /// as it is.
    static func pem(_ text: String) -> String {
        if text.contains("-----BEGIN") {
            return text.contains("\n")
                ? text : text.replacing("\\r\\n", with: "\n").replacing("\\n", with: "\n")
        }
        var bytes = Array(text.utf8.filter { $0 > 0x20 })
        guard bytes.count >= 40, Base64.standard.decode(inPlace: &bytes) else { return text }
        if bytes.starts(with: "-----BEGIN".utf8) {
            return String(validating: bytes, as: UTF8.self) ?? text
        }
        // A DER sequence: the lines of a .p8 file without the first and the last.
        guard bytes.first == 0x30 else { return text }
        let inside = String(decoding: Base64.standard.encode(bytes), as: UTF8.self)
        return "-----BEGIN PRIVATE KEY-----\n\(inside)\n-----END PRIVATE KEY-----\n"
    }
}
