internal import AdminServer
internal import Encoding
internal import TLS

/// The page that shows devices as phones: a single self-contained file.
enum PhonePage {
    /// The page; `hint` is the command line shown when there are no devices.
    static func response(hint: String?) -> AdminResponse {
        AdminResponse(
            status: 200,
            headers: [
                "content-type": "text/html; charset=utf-8",
                "content-security-policy": policy,
                "referrer-policy": "no-referrer",
            ], body: [UInt8](text.replacing(marker, with: escaped(hint ?? usualHint)).utf8))
    }

    private static let text = String(decoding: PackageResources.phones_html, as: UTF8.self)
    private static let marker = "<!-- What is to be typed. -->"
    private static let usualHint = """
        curl --http2 --cacert ca.pem https://localhost:2197/3/device/$(openssl rand -hex 32) \\
          -H "authorization: bearer $(apns-bridge simulator token)" \\
          -H "apns-topic: com.example.app" \\
          -d '{"aps":{"alert":{"title":"Hello","body":"from curl"}}}'
        """

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;")
    }

    /// Only the page's own script and style may run, whatever a push contains.
    private static let policy = [
        "default-src 'none'", "connect-src 'self'", "img-src data:",
        "script-src \(hash(of: "script"))", "style-src \(hash(of: "style"))",
        "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    /// The hash of an element's content, as used in a content security policy.
    private static func hash(of element: String) -> String {
        let page = text
        guard let start = page.firstRange(of: "<\(element)>"),
            let end = page[start.upperBound...].firstRange(of: "</\(element)>")
        else { return "'none'" }
        let inside = [UInt8](page[start.upperBound..<end.lowerBound].utf8)
        let text = String(decoding: Base64.url.encode(SHA256.hash(inside)), as: UTF8.self)
        return "'sha256-\(text)='"
    }
}
