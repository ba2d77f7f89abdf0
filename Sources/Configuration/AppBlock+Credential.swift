internal import APNs
internal import Delivery
internal import TLS
internal import YAML

/// Chooses between a key and a certificate.
extension AppBlock {
    /// The credential; nil when something is missing or wrong. Every problem is reported.
    func credential(
        for bundleID: String?, _ environment: APNsSettings.Environment?
    ) -> CredentialSettings? {
        if usesCertificate {
            return certificate(for: bundleID, environment).map { .certificate($0) }
        }
        for name in ["certificate_key", "passphrase"] {
            guard let lone = setting(name) else { continue }
            findings.error(
                lone.key, "'\(name)' is only valid with 'certificate'",
                "write certificate: with its file, or remove it")
        }
        refuseManagement(bundleID)
        let key = signingKey()
        let keyID = identifier("key_id")
        let teamID = identifier("team_id")
        guard let key, let keyID, let teamID else { return nil }
        return .key(key, keyID: keyID, teamID: teamID)
    }

    /// A device management server has no key.
    private func refuseManagement(_ bundleID: String?) {
        guard let bundleID, BundleIdentifier.isOfManagement(Array(bundleID.utf8)),
            let location = setting("bundle_id")
        else { return }
        findings.error(
            location.node, "a device management server pushes with a certificate, not with a key",
            "write certificate: mdm.p12, the server's push certificate, in place of key, key_id and"
                + " team_id")
    }

    /// An app's own settings take precedence over shared ones; both on the same level are an error.
    private var usesCertificate: Bool {
        let locations = [name.map { "apns.apps.\($0)" }, "apns"].compactMap(\.self)
        for location in locations {
            let certificate = settings["\(location).certificate"]
            let key = settings["\(location).key"]
            if let certificate, key != nil {
                findings.error(
                    certificate.key, "'certificate' and 'key' are mutually exclusive",
                    "keep one of them: APNs accepts either provider tokens or a certificate")
            }
            if certificate != nil || key != nil { return certificate != nil }
        }
        return false
    }

    /// Warns of files with secrets that other users may read or write.
    func adviseOnFiles() {
        let advice = SecretFileAdvice(folder: resolver.folder, findings: findings)
        for name in ["key", "certificate", "certificate_key", "passphrase"] {
            guard let setting = setting(name) else { continue }
            let isPath = name.hasPrefix("certificate") && !setting.isSecret
            advice.check(setting.node, name, isPath: isPath)
        }
    }
}
