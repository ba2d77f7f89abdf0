internal import Configuration
internal import LegacyProviders
internal import TLS

/// Examines what a service for legacy providers depends on, without starting it.
struct LegacyExamination {
    private let settings: LegacySettings
    private let report: DoctorReport

    init(_ settings: LegacySettings, _ report: DoctorReport) {
        self.settings = settings
        self.report = report
    }

    func run() {
        examine(settings.listen.certificate.description)
        for app in settings.apps { examineProviders(of: app) }
        examineAddress()
    }

    private static let restart = "and restart the service, which reads its files when it starts"

    private func examine(_ certificate: CertificateDescription) {
        let dates = CertificateDates(certificate)
        report(
            "certificate", dates.result, "\(dates.detail), for \(certificate.names)",
            "renew it, \(Self.restart)")
    }

    /// One valid authority is enough for providers: an old one may stand beside its successor.
    private func examineProviders(of app: LegacyAppSettings) {
        guard !app.authoritiesPEM.isEmpty else {
            let count = app.fingerprints.count
            let message = count == 1 ? "1 certificate is" : "\(count) certificates are"
            return report(
                "providers of \(app.name)", .passed,
                "\(message) accepted by fingerprint, whatever the dates")
        }
        let authorities = (try? CertificateDescription.all(inPEM: app.authoritiesPEM)) ?? []
        let all = authorities.map { (subject: $0.subject, dates: CertificateDates($0)) }
        let isUsable = all.contains { $0.dates.result != .failed }
        for (subject, dates) in all {
            let result = dates.result == .failed && isUsable ? .warning : dates.result
            report(
                "client_ca_file of \(app.name)", result, "\(subject): \(dates.detail)",
                "add its successor to the file, \(Self.restart)")
        }
    }

    private func examineAddress() {
        let listen = settings.listen
        let check = "listen \(listen.host):\(listen.port)"
        do throws(LegacyFailure) {
            try ServiceCheck(settings).listen()
            let port = listen.port == 0 ? "any free port" : "the port"
            report(check, .passed, "\(port) is available")
        } catch {
            guard error.kind == .unavailable else { return report(check, error.problem) }
            report(
                check, error.problem, as: .warning,
                "nothing to do if this service is running already; otherwise "
                    + (error.problem.remedy ?? ""))
        }
    }
}
