internal import APNs
internal import Delivery
internal import Encoding
internal import Glibc
internal import TLS
internal import YAML

/// Reads the client certificate of an app, and checks what can be checked without APNs.
extension AppBlock {
    /// The certificate; nil when it is not usable. Every problem is reported.
    func certificate(
        for bundleID: String?, _ environment: APNsSettings.Environment?
    ) -> ClientCertificate? {
        guard let setting = setting("certificate") else { return nil }
        guard let contents = contents(of: setting, "certificate") else {
            return resolver.mode.isInspecting ? standIn(bundleID) : nil
        }
        var key: [UInt8]?
        if let location = self.setting("certificate_key") {
            key = self.contents(of: location, "certificate_key")
            if key == nil { return resolver.mode.isInspecting ? standIn(bundleID) : nil }
        }
        if let location = self.setting("passphrase"), location.text == nil {
            return resolver.mode.isInspecting ? standIn(bundleID) : nil
        }
        do {
            let certificate = try ClientCertificate(
                contents: contents, keyPEM: key, passphrase: text("passphrase"))
            check(certificate.description, setting, for: bundleID, environment)
            return certificate
        } catch {
            refuse(error, setting)
            return nil
        }
    }

    /// The content of a file, or the text itself; nil when it cannot be read.
    private func contents(of setting: Setting, _ name: String) -> [UInt8]? {
        guard let text = setting.text else { return nil }
        if text.contains("-----BEGIN") { return [UInt8](KeyText.pem(text).utf8) }
        guard !text.contains("\n"), text.utf8.count < 4096 else {
            findings.error(
                setting.node, "'\(name)' is neither a path nor PEM",
                "name the file: \(name): push.p12, or \"${file:push.pem}\"")
            return nil
        }
        let path = FilePath.resolve(text, in: resolver.folder)
        resolver.files.add(path)
        do {
            return try InputFile.read(path: path)
        } catch {
            if error.isMissing, resolver.mode.isInspecting { return nil }
            findings.addUnreadable(name, setting, error, resolver, isExternal: true)
            return nil
        }
    }

    /// Reports at the right setting why a certificate cannot be used.
    private func refuse(_ error: TLSError, _ certificate: Setting) {
        switch error.code {
        case .badPassphrase:
            guard let location = setting("passphrase") else {
                return findings.error(
                    certificate.key, "'certificate' is not usable: \(error.detail)",
                    "write passphrase: \"${env:PASSPHRASE}\"")
            }
            findings.add(
                .error, at: location.node.location, length: nil,
                "'passphrase' is wrong: \(error.detail)",
                "write the passphrase that the file was exported with",
                isExternal: true)
        case .badKey:
            let location = setting("certificate_key") ?? certificate
            findings.add(
                .error, at: location.node.location, length: nil,
                "the certificate's key is not usable: \(error.detail)",
                "write certificate_key: with the file of its private key, or export both together "
                    + "as PKCS#12",
                isExternal: true)
        default:
            findings.add(
                .error, at: certificate.node.location, length: nil,
                "'certificate' is not usable: \(error.detail)",
                "name a file in PEM or PKCS#12 (.p12), as Keychain Access exports it",
                isExternal: true)
        }
    }

    private func check(
        _ certificate: CertificateDescription, _ setting: Setting, for bundleID: String?,
        _ environment: APNsSettings.Environment?
    ) {
        let now = Int64(time(nil))
        if certificate.notAfter < now {
            let date = Timestamp.text(milliseconds: certificate.notAfter * 1000)
            findings.error(
                setting.node, "the certificate has expired: it was valid until \(date)",
                "create a new one on developer.apple.com and name its file",
                isExternal: true)
        } else if certificate.notBefore > now {
            let date = Timestamp.text(milliseconds: certificate.notBefore * 1000)
            findings.error(
                setting.node, "the certificate is not valid before \(date)",
                "check this machine's clock",
                isExternal: true)
        }
        checkEnvironment(certificate, setting, environment)
        if let bundleID { checkTopics(of: certificate, for: bundleID) }
    }

    private func checkTopics(of certificate: CertificateDescription, for bundleID: String) {
        let topics = certificate.apnsTopics
        // The topic of a device management server takes no suffix.
        let isOfManagement = topics.contains { BundleIdentifier.isOfManagement(Array($0.utf8)) }
        let isFor = topics.contains {
            $0 == bundleID || !isOfManagement && $0.hasPrefix(bundleID + ".")
        }
        guard !topics.isEmpty, !isFor, let location = setting("bundle_id") else { return }
        let names = topics.prefix(5).joined(separator: ", ")
        findings.error(
            location.node, "the certificate is not for '\(bundleID)': it is for \(names)",
            isOfManagement
                ? "write bundle_id: \(topics[0]), or remove it: it defaults to the UID of the"
                    + " certificate"
                : "write its bundle_id, or use the certificate of this app",
            isExternal: true)
    }

    /// The bundle identifier of an app without one of its own: the UID of its certificate.
    func bundleID(of credential: CredentialSettings?) -> String? {
        guard setting("bundle_id") == nil, case .certificate(let certificate) = credential,
            let setting = setting("certificate")
        else { return nil }
        if let userID = certificate.description.bundleID { return userID }
        findings.error(
            setting.node, "'bundle_id' is missing, and the subject of the certificate has no UID",
            "write bundle_id: com.example.shop", isExternal: true)
        return nil
    }

    private func checkEnvironment(
        _ certificate: CertificateDescription, _ setting: Setting,
        _ environment: APNsSettings.Environment?
    ) {
        guard certificate.isForProduction != certificate.isForDevelopment, let environment,
            certificate.isForProduction != (environment == .production)
        else { return }
        let own = certificate.isForProduction ? "production" : "development"
        findings.error(
            setting.node,
            "the certificate is for \(own) only, but 'environment' is \(environment.rawValue)",
            "write environment: \(own), or use a certificate for \(environment.rawValue)",
            isExternal: true)
    }

    /// An invalid certificate, for inspecting a connector whose own is not available.
    private func standIn(_ bundleID: String?) -> ClientCertificate? {
        guard
            let issued = try? CertificateAuthority.generate(name: "stand-in")
                .issueClient(bundleID: bundleID ?? StandInApp.bundleID(settings))
        else { return nil }
        return try? ClientCertificate(pem: issued.certificatePEM, keyPEM: issued.keyPEM)
    }
}
