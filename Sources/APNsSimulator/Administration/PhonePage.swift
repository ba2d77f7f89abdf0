internal import AdminServer
internal import TLS

/// The page that shows devices as phones: one file that needs no other.
enum PhonePage {
    static let response = AdminResponse(
        status: 200,
        headers: [
            "content-type": "text/html; charset=utf-8",
            "content-security-policy": policy,
            "referrer-policy": "no-referrer",
        ], body: PackageResources.phones_html)

    /// Only the page's own script and style may run, whatever a push may bring in.
    private static let policy = [
        "default-src 'none'", "connect-src 'self'", "img-src data:",
        "script-src \(hash(of: "script"))", "style-src \(hash(of: "style"))",
        "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    /// The hash of what stands between an element's marks, as a policy names it.
    private static func hash(of element: String) -> String {
        let page = String(decoding: PackageResources.phones_html, as: UTF8.self)
        guard let start = page.firstRange(of: "<\(element)>"),
            let end = page[start.upperBound...].firstRange(of: "</\(element)>")
        else { return "'none'" }
        let inside = [UInt8](page[start.upperBound..<end.lowerBound].utf8)
        let text = String(decoding: Base64URL.encode(SHA256.hash(inside)), as: UTF8.self)
        return "'sha256-\(text)='"
    }
}
