internal import Mapping
internal import YAML

/// Reads the `apns:` block: a single app, or several by name.
struct APNsBlock {
    let settings: [String: Setting]
    let block: YAMLNode?
    let resolver: ReferenceResolver
    let findings: Findings

    /// The settings; nil when something is missing or wrong. Every problem is reported.
    func read() -> APNsSettings? {
        let names = named
        checkChoice(names)
        guard !names.isEmpty else {
            return settings(of: [app(name: nil, key: nil, block).read()])
        }
        let apps = names.map { app(name: $0.name, key: $0.key, $0.block).read() }
        checkDifference(apps.compactMap(\.self), names.map(\.key))
        checkKeys(apps.compactMap(\.self), names.map(\.key))
        return settings(of: apps)
    }

    private func settings(of apps: [AppSettings?]) -> APNsSettings? {
        let found = apps.compactMap(\.self)
        guard found.count == apps.count else { return nil }
        var settings = APNsSettings(apps: found)
        if case .integer(let count)? = self.settings["apns.connections"]?.value {
            settings.connections = count...count
        }
        if case .integer(let count)? = self.settings["apns.max_streams"]?.value {
            settings.maxStreams = count
        }
        if case .duration(let pause)? = self.settings["apns.connect_stagger"]?.value {
            settings.connectStagger = pause
        }
        if let setting = self.settings["apns.ping_interval"],
            case .duration(let interval) = setting.value {
            settings.pingInterval = interval == .zero ? nil : interval
            if interval > .zero, interval < .seconds(1) {
                findings.error(
                    setting.node, "'ping_interval' is shorter than a second",
                    "write 1s or more, or 0s for no PINGs")
            }
        }
        return settings
    }

    private func app(name: String?, key: YAMLNode?, _ block: YAMLNode?) -> AppBlock {
        AppBlock(
            settings: settings, name: name, key: key, block: block, resolver: resolver,
            findings: findings)
    }

    /// The apps with a name, in the order of the file.
    private var named: [(name: String, key: YAMLNode, block: YAMLNode)] {
        (settings["apns.apps"]?.node.entries ?? []).compactMap { key, block in
            guard let name = key.text, block.entries != nil else { return nil }
            return (name, key, block)
        }
    }

    /// `app` chooses among `apps`, so it is not allowed without it.
    private func checkChoice(_ names: [(name: String, key: YAMLNode, block: YAMLNode)]) {
        guard let app = settings["apns.app"], settings["apns.apps"] == nil, names.isEmpty else {
            return
        }
        findings.error(
            app.key, "'app' requires 'apps'",
            "write apps: with a named entry for each app, or remove 'app'")
    }

    /// Without `app`, apps only differ by bundle identifier and environment.
    private func checkDifference(_ apps: [AppSettings], _ keys: [YAMLNode]) {
        guard settings["apns.app"] == nil else { return }
        for (index, app) in apps.enumerated() {
            let twin = apps[..<index].first {
                $0.bundleID == app.bundleID && $0.environment == app.environment
            }
            guard let twin, let key = keys.first(where: { $0.text == app.name }) else { continue }
            findings.error(
                key, "'\(app.name)' has the same bundle_id and environment as '\(twin.name)'",
                "write app: ${path.to.name} next to 'apps', so that each event names its app")
        }
    }

    /// A key ID identifies one key: apps with the same key ID share connections, which use one key.
    private func checkKeys(_ apps: [AppSettings], _ keys: [YAMLNode]) {
        for (index, app) in apps.enumerated() where hasKey(app) {
            let twin = apps[..<index].first {
                $0.credential.name == app.credential.name
                    && $0.credential.fingerprint != app.credential.fingerprint && hasKey($0)
            }
            guard let twin, let key = keys.first(where: { $0.text == app.name }) else { continue }
            findings.error(
                key, "'\(app.name)' has the same key_id as '\(twin.name)' but a different key",
                "write the key_id of each key: it is part of the file name, "
                    + "AuthKey_ABC123DEFG.p8")
        }
    }

    /// True when it has its own key, rather than a stand-in for checking the rest.
    private func hasKey(_ app: AppSettings) -> Bool {
        (settings["apns.apps.\(app.name).key"] ?? settings["apns.key"])?.text != nil
    }
}
