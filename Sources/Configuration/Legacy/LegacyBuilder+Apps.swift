internal import TLS
internal import YAML

/// Reads the `apps:` of a legacy file: no two apps may share a certificate.
extension LegacyBuilder {
    /// The apps in the order of the file; nil when one of them is invalid.
    func apps() -> [LegacyAppSettings]? {
        guard let entries = settings["apps"]?.node.entries else { return nil }
        var apps: [LegacyAppSettings] = []
        var isComplete = true
        for (key, _) in entries {
            guard let name = key.text, let app = app(name) else {
                isComplete = false
                continue
            }
            check(app, key, besides: apps)
            apps.append(app)
        }
        return isComplete ? apps : nil
    }

    private func app(_ name: String) -> LegacyAppSettings? {
        let path = "apps.\(name)"
        guard let bundleID = bundleID("\(path).bundle_id") else { return nil }
        var app = LegacyAppSettings(
            name: name, bundleID: bundleID,
            environment: settings["\(path).environment"]?.text
                .flatMap(APNsSettings.Environment.init) ?? .production,
            fingerprints: [], authoritiesPEM: [], authorities: [])
        guard let fingerprints = fingerprints("\(path).client_fingerprints"),
            readAuthorities("\(path).client_ca_file", into: &app)
        else { return nil }
        app.fingerprints = fingerprints
        return app
    }

    private func bundleID(_ path: String) -> String? {
        guard let setting = settings[path], let text = setting.text else { return nil }
        let isNamed =
            (1...255).contains(text.utf8.count)
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-".contains($0)) }
        if !isNamed {
            findings.error(
                setting.node, "'\(text)' is not a bundle identifier",
                "write it as Xcode shows it: bundle_id: com.example.shop")
        }
        return isNamed ? text : nil
    }

    /// The fingerprints, empty when there are none; nil when one is invalid.
    private func fingerprints(_ path: String) -> Set<[UInt8]>? {
        guard let setting = settings[path] else { return [] }
        guard case .texts(let texts) = setting.value else { return nil }
        var found: Set<[UInt8]> = []
        for (text, node) in texts {
            guard let fingerprint = Self.fingerprint(text) else {
                findings.error(
                    node, "not a SHA-256 fingerprint: it needs 64 hexadecimal digits",
                    "print it with: openssl x509 -in client.pem -noout -fingerprint -sha256")
                return nil
            }
            found.insert(fingerprint)
        }
        return found
    }

    /// Parses OpenSSL's notation, `3F:9A:…`, or plain digits.
    private static func fingerprint(_ text: String) -> [UInt8]? {
        let digits = text.filter { $0 != ":" && $0 != " " }.compactMap(\.hexDigitValue)
        guard digits.count == 64, text.allSatisfy({ $0.isHexDigit || ": ".contains($0) }) else {
            return nil
        }
        return stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    private func readAuthorities(_ path: String, into app: inout LegacyAppSettings) -> Bool {
        guard let setting = settings[path] else { return true }
        guard let contents = self.contents(path) else { return false }
        do {
            let certificates = try CertificateDescription.all(inPEM: contents)
            guard !certificates.isEmpty else {
                findings.error(
                    setting.node, "'client_ca_file' does not contain a PEM certificate",
                    "name a file that contains '-----BEGIN CERTIFICATE-----'")
                return false
            }
            app.authoritiesPEM = contents
            app.authorities = Set(certificates.map(\.fingerprint))
            return true
        } catch {
            findings.error(
                setting.node, "'client_ca_file' is not usable: \(error.detail)",
                "name a file of PEM certificates")
            return false
        }
    }

    private func check(
        _ app: LegacyAppSettings, _ key: YAMLNode, besides others: [LegacyAppSettings]
    ) {
        for other in others {
            if !app.fingerprints.isDisjoint(with: other.fingerprints) {
                findings.error(
                    key, "'\(app.name)' and '\(other.name)' have the same fingerprint",
                    "a certificate belongs to one app: remove it from one of them")
            }
            if app.bundleID == other.bundleID, !app.authorities.isDisjoint(with: other.authorities)
            {
                findings.error(
                    key,
                    "'\(app.name)' and '\(other.name)' accept the same certificates: they "
                        + "have the same bundle_id and the same client_ca_file",
                    "distinguish them by client_fingerprints, or run a gateway for each")
            }
        }
    }
}
