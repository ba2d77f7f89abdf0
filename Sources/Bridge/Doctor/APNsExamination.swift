internal import APNs
internal import Configuration
internal import Delivery
internal import EventLoop
internal import TLS

/// Examines the credential and the endpoint that some apps of a connector share.
struct APNsExamination {
    private let connector: Connector
    private let apps: [AppSettings]
    private let timeout: Duration
    private let report: DoctorReport

    init(
        _ connector: Connector, _ apps: [AppSettings], _ timeout: Duration,
        _ report: DoctorReport
    ) {
        self.connector = connector
        self.apps = apps
        self.timeout = timeout
        self.report = report
    }

    func run() {
        guard let app = apps.first else { return }
        let credential: APNsCredential
        switch app.credential {
        case .key(let key, let keyID, let teamID):
            let tokens = ProviderTokens(key: key, keyID: keyID, teamID: teamID)
            examine(tokens)
            credential = .tokens(tokens)
        case .certificate(let certificate):
            examine(certificate.description)
            credential = .certificate(certificate)
        }
        examine(app, credential)
    }

    private func examine(_ tokens: ProviderTokens) {
        let check = "key \(tokens.keyID)"
        do throws(TLSError) {
            _ = try tokens.token(wallClock: WallClock.milliseconds)
            report(check, .passed, "signs provider tokens for team \(tokens.teamID)")
        } catch {
            report(
                check, .failed, "cannot sign: \(error)",
                "download the key from developer.apple.com again; it must be a P-256 key (.p8)")
        }
    }

    private func examine(_ certificate: CertificateDescription) {
        let check = "certificate of \(apps.map(\.bundleID).joined(separator: ", "))"
        let dates = CertificateDates(certificate)
        report(check, dates.result, dates.detail, ExpiringCertificate.action)
    }

    /// How to find out whether APNs accepts a credential without a device.
    private func proof(of app: AppSettings) -> String {
        let choice = connector.apns.apps.count > 1 ? " --app \(app.name)" : ""
        let send =
            "apns-bridge send \(connector.file)\(choice) --token"
            + " \(String(repeating: "0", count: 64))"
        let isOfApp = PushType.alert.suits(bundleID: Array(app.bundleID.utf8))
        let command =
            isOfApp
            ? "\(send) --alert Test"
            : #"echo '{"mdm":"Test"}' | \#(send) --push-type mdm --payload -"#
        return "\(isOfApp ? "'\(command)'" : "`\(command)`") responds 400 BadDeviceToken if"
            + " it does, and 403 if it does not"
    }

    private func examine(_ app: AppSettings, _ credential: APNsCredential) {
        let check = "apns \(app.endpoint.address)"
        let timeout = APNsCheck.Timeouts(timeout: timeout)
        do throws(StartFailure) {
            _ = try APNsCheck.route(connector, app, credential, timeout)
            let proxy = app.endpoint.proxy == nil ? "" : ", through the proxy"
            report(
                check, .passed,
                "reachable\(proxy): HTTP/2 agreed on by ALPN, certificate trusted; whether APNs"
                    + " accepts the credential shows with a push to a device token that does not"
                    + " exist: \(proof(of: app))")
        } catch {
            for problem in error.diagnostics { report(check, problem) }
        }
    }
}
