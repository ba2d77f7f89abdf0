public import Configuration
internal import EventLoop
internal import HTTPClient
internal import Tracing

/// What `bridge.yaml` says.
extension Doctor {
    /// Examines the settings of the process: whether the admin endpoint could listen, and whether
    /// the collector of traces responds. It gets a batch without spans.
    public static func examine(
        _ process: ProcessSettings, version: String,
        report: @escaping @Sendable (DoctorFinding) -> Void
    ) async {
        await onThread("doctor") {
            if let admin = process.admin {
                report(listen(admin, process.locations))
                if admin.token != nil {
                    report(
                        DoctorFinding(
                            nil, "admin token", .passed,
                            "the file holds a token, and other users cannot read it"))
                }
            }
            if let tracing = process.tracing { report(collector(tracing, version)) }
        }
    }

    private static func listen(
        _ admin: AdminEndpointSettings, _ locations: SettingLocations
    ) -> DoctorFinding {
        let host = admin.host.contains(":") ? "[\(admin.host)]" : admin.host
        let check = "admin " + (admin.socketPath.map { "unix:\($0)" } ?? "\(host):\(admin.port)")
        if let folder = admin.socketPath.map(FilePath.folder(of:)),
            !FileSystem.exists(FilePath.shown(folder))
        {
            return DoctorFinding(
                nil, check, .warning, "the folder of the socket does not exist",
                action: "nothing to do if systemd makes it when the service starts"
                    + " (RuntimeDirectory= in the unit); otherwise create it for the bridge's user")
        }
        do throws(StartFailure) {
            try AdminEndpoint.tryToListen(admin, locations)
            let message =
                admin.socketPath == nil && admin.port == 0 ? "any free port" : "the address"
            return DoctorFinding(nil, check, .passed, "\(message) is available")
        } catch {
            guard let problem = error.diagnostics.first else {
                return DoctorFinding(nil, check, .failed, "the address cannot be used")
            }
            var finding = DoctorFinding(nil, check, problem)
            if error.kind == .unavailable {
                finding.result = .warning
                finding.action =
                    "nothing to do if the bridge is running already; otherwise "
                    + (problem.remedy ?? "")
            }
            return finding
        }
    }

    private static func collector(_ tracing: TracingSettings, _ version: String) -> DoctorFinding {
        // A query may contain a secret.
        let check = "telemetry \(tracing.url.prefix { $0 != "?" })"
        var poster = HTTPPoster(
            url: tracing.url, contentType: "application/json", agent: "apns-bridge/\(version)")
        let body = TraceRequest(version: version, instance: "doctor").body([])
        let detail: String
        switch poster?.post(body, while: { true }) {
        case .responded(let status, _) where (200..<300).contains(status):
            return DoctorFinding(nil, check, .passed, "the collector responds \(status)")
        case .responded(let status, _): detail = "the collector responds \(status)"
        case .failed(let reason): detail = "no response from the collector: \(reason)"
        case .abandoned, nil: detail = "the collector was not asked: out of memory"
        }
        return DoctorFinding(
            nil, check, .warning, detail,
            action: "check the collector, and telemetry.otlp in bridge.yaml; pushes are sent"
                + " without traces meanwhile")
    }
}
