internal import APNs
internal import Delivery
internal import Encoding
internal import Spelling
internal import TLS
internal import YAML

/// Reads one app: its endpoint, its credential and its bundle identifier.
struct AppBlock {
    let settings: [String: Setting]
    /// Its name under `apns.apps`; nil for a single app, which is written in `apns` itself.
    let name: String?
    /// The key that it is written under.
    let key: YAMLNode?
    let block: YAMLNode?
    let resolver: ReferenceResolver
    let findings: Findings

    /// The app; nil when something is missing or wrong. Every problem is reported.
    func read() -> AppSettings? {
        let environment = text("environment").flatMap { APNsSettings.Environment(rawValue: $0) }
        checkAddressIsNamed()
        let endpoint = endpoint(environment ?? .production)
        let written = bundleID()
        adviseOnWallet(written, environment)
        let credential = credential(for: written, environment)
        let bundleID = written ?? bundleID(of: credential)
        if resolver.mode.isAdvising, credential != nil { adviseOnFiles() }
        guard let endpoint, let credential, let bundleID else { return nil }
        return AppSettings(
            name: name ?? bundleID, endpoint: endpoint, environment: environment ?? .production,
            credential: credential, bundleID: bundleID)
    }

    /// Passes and orders have no development environment.
    private func adviseOnWallet(_ bundleID: String?, _ environment: APNsSettings.Environment?) {
        guard let bundleID, BundleIdentifier.isOfWallet(Array(bundleID.utf8)),
            environment == .development, let setting = setting("environment")
        else { return }
        findings.warning(
            setting.node, "passes and orders in Wallet take pushes in production only",
            "write environment: production")
    }

    /// A setting of the app, or the one that all apps share.
    func setting(_ key: String) -> Setting? {
        if let name, let own = settings["apns.apps.\(name).\(key)"] { return own }
        return settings["apns.\(key)"]
    }

    func text(_ name: String) -> String? { setting(name)?.text }

    /// For inspecting a connector, an unknown value is replaced by the text as written.
    private func standIn(_ name: String) -> String? {
        resolver.mode.isInspecting ? setting(name)?.standIns.first : nil
    }

    private func checkAddressIsNamed() {
        guard let entries = block?.entries, setting("environment") == nil,
            setting("endpoint") == nil
        else { return }
        let names = entries.compactMap(\.key.text)
        guard !names.contains("environment"), !names.contains("endpoint"),
            let location = key ?? entries.first?.key
        else { return }
        findings.error(
            location, "'environment' is missing in \(name.map { "apns.apps.\($0)" } ?? "apns")",
            "write environment: production, or development for apps that Xcode installed")
    }

    private func endpoint(_ environment: APNsSettings.Environment) -> EndpointSettings? {
        let roots = trustRoots()
        let proxy = proxy()
        guard let setting = setting("endpoint") else {
            if let file = setting("ca_file") {
                findings.error(
                    file.key, "'ca_file' is only valid with 'endpoint'",
                    "write endpoint: https://host:port, or remove it")
            }
            var endpoint = EndpointSettings.apple(environment)
            if case .integer(let port)? = self.setting("port")?.value {
                endpoint.port = UInt16(port)
            }
            endpoint.proxy = proxy
            return endpoint
        }
        if let port = self.setting("port") {
            findings.error(
                port.key, "'port' is only valid without 'endpoint'",
                "write the port in the endpoint: https://host:port")
        }
        guard let text = setting.text else {
            return resolver.mode.isInspecting ? .apple(environment) : nil
        }
        do {
            let (host, port) = try EndpointText.read(text)
            return roots.map {
                EndpointSettings(
                    host: host, port: port, trustRoots: $0, isCustom: true, proxy: proxy)
            }
        } catch {
            findings.error(setting.node, error.message, error.remedy)
            return nil
        }
    }

    private func proxy() -> HTTPProxy? {
        guard let setting = setting("proxy"), let text = setting.text else { return nil }
        do {
            return try ProxyText.read(text)
        } catch {
            findings.add(
                .error, at: setting.node.location, length: nil, error.message, error.remedy)
            return nil
        }
    }

    /// The file is read to check that it is readable; it is read again when connections are made.
    private func trustRoots() -> EndpointSettings.TrustRoots? {
        guard let setting = setting("ca_file") else { return .system }
        guard let text = setting.text else { return resolver.mode.isInspecting ? .system : nil }
        if text.contains("-----BEGIN") {
            findings.error(
                setting.node, "'ca_file' must be a path, not the contents of a file",
                "write the path: ca_file: ca.pem")
            return nil
        }
        let path = FilePath.resolve(text, in: resolver.folder)
        resolver.files.add(path)
        do {
            let bytes = try InputFile.read(path: path)
            if !String(decoding: bytes, as: UTF8.self).contains("-----BEGIN CERTIFICATE-----") {
                findings.error(
                    setting.node, "'ca_file' does not contain a PEM certificate",
                    "name a file that contains '-----BEGIN CERTIFICATE-----'")
                return nil
            }
        } catch {
            if error.isMissing, resolver.mode.isInspecting { return .system }
            findings.addUnreadable("ca_file", setting, error, resolver, isExternal: true)
            return nil
        }
        return .file(path: path)
    }

    func signingKey() -> SigningKey? {
        guard let setting = setting("key"), let written = setting.text else {
            return standIn("key") == nil ? nil : try? SigningKey.generate()
        }
        let text = KeyText.pem(written)
        guard text.contains("-----BEGIN") else {
            refuse(key: text, setting)
            return nil
        }
        do {
            return try SigningKey(pem: Array(text.utf8))
        } catch {
            findings.add(
                .error, at: setting.node.location,
                length: setting.isSecret ? setting.node.length : nil,
                "'key' is not usable: \(error.detail)",
                "name the .p8 file of an APNs key: an EC key on the curve P-256",
                isExternal: setting.isSecret)
            return nil
        }
    }

    private func refuse(key text: String, _ setting: Setting) {
        guard !setting.isSecret else {
            findings.error(
                setting.node, "'key' is not a PEM key",
                "name the .p8 file of an APNs key: its first line contains BEGIN PRIVATE KEY",
                isExternal: true)
            return
        }
        let isPath = setting.node.length < 200 && text.hasSuffix(".p8")
        findings.error(
            setting.node, "'key' is not a PEM key",
            "write key: \"${file:\(isPath ? text : "AuthKey.p8")}\"")
    }

    func identifier(_ name: String) -> String? {
        guard let setting = setting(name), let text = setting.text else {
            return standIn(name)
        }
        let isFine =
            text.utf8.count == 10
            && text.utf8.allSatisfy { $0.isDigit || (0x41...0x5A).contains($0) }
        guard !isFine else { return text }
        let found =
            text.utf8.count == 10
            ? "contains other characters"
            : "has \(Plural.counted(text.count, "character"))"
        findings.error(
            setting.node, "'\(name)' must be 10 digits and capital letters, but \(found)",
            name == "key_id"
                ? "it is part of the file name: AuthKey_ABC123DEFG.p8"
                : "find it on developer.apple.com under Membership")
        return nil
    }

    private func bundleID() -> String? {
        guard let setting = setting("bundle_id"), let text = setting.text else {
            return standIn("bundle_id")
        }
        guard BundleIdentifier.isValid(Array(text.utf8)) else {
            findings.error(
                setting.node, "'bundle_id' is not a valid bundle identifier",
                "write letters, digits, '-' and '.' only: com.example.shop")
            return nil
        }
        guard let type = BundleIdentifier.pushType(endingOf: Array(text.utf8)) else { return text }
        let bare = String(text.dropLast(type.topicSuffix.count))
        findings.warning(
            setting.node,
            "'bundle_id' ends in '\(type.topicSuffix)', which push_type: \(type.rawValue) appends"
                + " once more",
            setting.isSecret
                ? "remove the suffix, unless the app's own identifier has it"
                : "write bundle_id: \(bare), unless the app's own identifier is this one")
        return text
    }
}
