internal import Delivery
internal import Kafka
internal import Spelling
internal import YAML

/// Advice about valid but unwise settings.
extension ConnectorBuilder {
    /// Warns of what pushes would be, whatever the event says.
    func adviseOnNotifications() {
        adviseOnExpiration()
        adviseOnSuperseding()
    }

    /// Warns of notifications without expiration: APNs stores them for up to 30 days.
    private func adviseOnExpiration() {
        if let setting = settings["notification"] {
            adviseOnExpiration(of: setting.node, at: setting.key)
        }
        for block in settings["notifications"]?.node.elements ?? [] {
            adviseOnExpiration(of: block, at: block.entries?.first?.key ?? block)
        }
    }

    private func adviseOnExpiration(of block: YAMLNode, at location: YAMLNode) {
        let names = (block.entries ?? []).compactMap(\.key.text)
        // A misspelled key is reported separately.
        let message = ["expiration", "ttl"]
        let isWritten = names.contains { Suggestion.nearest(to: $0, among: message) != nil }
        guard !names.isEmpty, !isWritten, mayBeLate(block) else { return }
        if names.contains("broadcast") {
            return findings.warning(
                location,
                "without 'expiration' or 'ttl', a broadcast is sent with 0, so no channel stores"
                    + " it",
                "write ttl: 4h for a channel that stores its latest broadcast, otherwise"
                    + " expiration: 0")
        }
        findings.warning(
            location, "without 'expiration' or 'ttl', a push may arrive up to 30 days late",
            "write ttl: 4h, or expiration: 0 for a single attempt")
    }

    /// False for push types whose expiration is better not written: audio is never stored, some
    /// widgets and controls were not reloaded with one, and a managed device is woken however late.
    private func mayBeLate(_ block: YAMLNode) -> Bool {
        switch Self.pushType(of: block)?.0 {
        case .pushtotalk, .widgets, .controls, .mdm: false
        default: true
        }
    }

    /// Warns of a rate that holds back urgent events with those that are not.
    func adviseOnRate() {
        let perApp = settings["delivery.rate.per_app"]
        if let owner = settings["delivery.rate.of"], perApp == nil {
            findings.error(
                owner.key, "'of' is only valid with 'per_app'",
                "write rate: {per_app: 300/s, of: group}, or remove it")
        }
        let entries = settings["source.topics"]?.node.elements ?? []
        let hasPattern = entries.contains { TopicPattern.isPattern($0.text ?? "") }
        guard let perApp, entries.count > 1 || hasPattern else { return }
        let topics = hasPattern ? "topics" : "\(entries.count) topics"
        findings.warning(
            perApp.key,
            "the rate is for all \(topics) together: the pushes of one wait behind those of"
                + " the others",
            "give urgent events a connector of their own, without a rate")
    }

    /// Warns of `supersede: backlog` where no push can be superseded by a newer one.
    private func adviseOnSuperseding() {
        guard settings["delivery.supersede"]?.node.text == "backlog",
            let setting = settings["delivery.supersede"], !blocks.isEmpty
        else { return }
        if blocks.contains(where: { $0["broadcast"] != nil }) {
            return findings.error(
                setting.node, "'supersede: backlog' is not valid with 'broadcast'",
                "remove it, or give the broadcasts a connector of their own: their timestamps order"
                    + " them on the devices")
        }
        guard !blocks.contains(where: canGiveWay) else { return }
        findings.warning(
            setting.node,
            "only alerts with a collapse ID and updates of a Live Activity are superseded,"
                + " and no notification is one",
            "write collapse_id: order-${order.id}, or whatever your pushes are about, in"
                + " 'notification', or remove supersede: backlog")
    }

    /// False for a block none of whose pushes can be superseded; true where the event decides.
    private func canGiveWay(_ block: YAMLNode) -> Bool {
        switch Self.pushType(of: block)?.0 {
        case .liveactivity: true
        case .alert: block["collapse_id"] != nil
        case nil: block["collapse_id"] != nil || block["push_type"] != nil
        default: false
        }
    }

    /// The blocks `notification` or `notifications`; none where events are canonical.
    private var blocks: [YAMLNode] {
        (settings["notification"].map { [$0.node] } ?? [])
            + (settings["notifications"]?.node.elements ?? [])
    }

    /// Warns of push types that APNs takes with a provider token only, if an app has a certificate.
    func adviseOnCertificates(_ apns: APNsSettings?) {
        let hasCertificate = (apns?.apps ?? []).contains {
            if case .certificate = $0.credential { true } else { false }
        }
        guard hasCertificate else { return }
        for block in blocks {
            // Broadcasts may be sent with a certificate.
            guard block["broadcast"] == nil, let (type, node) = Self.pushType(of: block),
                type.needsToken
            else { continue }
            findings.warning(
                node,
                "APNs takes \(type.rawValue) pushes with a provider token only, not with a"
                    + " certificate",
                "write key, key_id and team_id in 'apns' instead of 'certificate'")
        }
    }

    /// The push type of a block and what determines it; nil if only the event does.
    private static func pushType(of block: YAMLNode) -> (PushType, YAMLNode)? {
        let activity = block.entries?.first { $0.key.text == "live_activity" }?.key
        if let activity { return (.liveactivity, activity) }
        guard let node = block["push_type"] else { return nil }
        return node.text.flatMap { PushType(rawValue: $0) }.map { ($0, node) }
    }

    /// Warns of canonical events without a list of the bundle identifiers that they may name.
    func adviseOnBundleIDs() {
        let isCanonical = settings["notification"] == nil && settings["notifications"] == nil
        guard resolver.mode.isAdvising, isCanonical,
            settings["apns.apps"] == nil || settings["apns.app"] != nil,
            let location = ["bundle_id", "apps", "certificate"].lazy
                .compactMap({ settings["apns.\($0)"]?.key }).first
        else { return }
        findings.warning(
            location, "canonical events may name a bundle_id, but only this one is allowed",
            "write allowed_bundle_ids: [com.example.*] in 'apns' for those that may be pushed to")
    }

    func adviseOnSecretFiles() {
        guard resolver.mode.isAdvising else { return }
        SecretFileAdvice(folder: resolver.folder, findings: findings).check(settings)
    }

    /// Warns of topics that the bridge reads again and that anyone who may write there can forge.
    func adviseOnSeal() {
        guard settings["results.seal"] == nil, !findings.hasErrors,
            let setting = settings["results.retry"] ?? settings["source.replay"]
        else { return }
        findings.warning(
            setting.node,
            "whoever can write to this topic can send any push: without 'seal' its"
                + " records are trusted",
            "write seal: [\"${file:seal.key}\"] in 'results', with a key of"
                + " openssl rand -hex 32")
    }
}
