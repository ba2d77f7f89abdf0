internal import AdminServer

/// The page that shows the status: it holds no data, so it needs no token. Its script asks for
/// `/status` and `/history`.
enum StatusPage {
    /// Only files of this server may run, whatever a name in the data contains.
    private static let policy = [
        "default-src 'self'", "img-src data:", "base-uri 'none'", "form-action 'none'",
        "frame-ancestors 'none'",
    ].joined(separator: "; ")

    /// A file of the page.
    struct File: Sendable {
        var path: String
        var type: String
        var body: [UInt8]

        var response: AdminResponse {
            AdminResponse(
                status: 200,
                headers: [
                    "content-type": "\(type); charset=utf-8",
                    "content-security-policy": StatusPage.policy, "referrer-policy": "no-referrer",
                ], body: body)
        }
    }

    static let files = [
        File(path: "/", type: "text/html", body: PackageResources.status_html),
        File(path: "/status.css", type: "text/css", body: PackageResources.status_css),
        script("/status.js", PackageResources.status_js),
        script("/elements.js", PackageResources.elements_js),
        script("/history.js", PackageResources.history_js),
        script("/charts.js", PackageResources.charts_js),
    ]

    private static func script(_ path: String, _ body: [UInt8]) -> File {
        File(path: path, type: "text/javascript", body: body)
    }

    static var routes: [AdminRoute] {
        files.map { file in AdminRoute("GET", file.path, isOpen: true) { _ in file.response } }
    }
}
