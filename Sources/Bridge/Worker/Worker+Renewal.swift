internal import APNs
internal import Telemetry

/// What a worker tells of a credential that was changed while it runs.
extension Worker where Machine: ~Copyable, Source: ~Copyable, Sink: ~Copyable {
    /// APNs refuses the new credential of a route: the old one goes on.
    func renewalRefused(_ reason: String, _ route: Int) {
        var metadata = apps(on: route)
        metadata["reason"] = .string(reason)
        metadata["what"] = .string(
            reason == Answer.notInCertificate.reason
                ? "The new certificate is not for an app and push type that the old one is for."
                : ReasonTable.rows(named: reason).first?.meaning ?? "")
        logger.error(
            "APNs refuses the new credential: the old one goes on", metadata: metadata)
    }

    /// The apps that share a route, by their names.
    func apps(on route: Int) -> Logger.Metadata {
        let names = core.settings.apps.filter { $0.route == route }.map(\.name)
        return ["apps": .string(names.joined(separator: " "))]
    }
}
