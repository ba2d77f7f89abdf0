internal import Delivery
internal import Spelling

extension PlanBuilder {
    /// Sets the apps to choose from.
    mutating func add(apps: [MappingApp]) {
        plan.apps.apps = apps.map {
            AppChoice.App(
                name: Array($0.name.utf8), bundleID: Array($0.bundleID.utf8),
                environment: Array($0.environment.utf8))
        }
    }

    /// Compiles the template that chooses an app; -1 if it is invalid.
    mutating func compile(app: MappingSource) -> Int32 {
        guard let scalar = ScalarSource(app), let template = parse(scalar) else { return -1 }
        let names = plan.apps.apps.map { String(decoding: $0.name, as: UTF8.self) }
        if let text = template.constantText, !names.contains(text) {
            let near = Suggestion.nearest(to: text, among: names)
            error(
                scalar.location, "'app' cannot be '\(text)': 'apns.apps' has no app with this name",
                near.map { "did you mean '\($0)'?" } ?? "write app: ${path.to.name}")
        }
        let use = TemplateUse(refusesOptional: "without an app there is no destination")
        return add(template, from: scalar, use: use)
    }

    /// True when neither the connector nor the event determines a notification's app.
    var cannotChooseApp: Bool {
        guard outside.app == nil, block.fields.bundleID < 0, block.fields.environment < 0,
            case .several = plan.apps.index(bundleID: [], environment: [])
        else { return false }
        return true
    }

    private mutating func warnOfSuffix(_ value: MappingSource) {
        guard !block.isBroadcast, let text = ScalarSource(value)?.text,
            let type = BundleIdentifier.pushType(endingOf: Array(text.utf8))
        else { return }
        warning(
            value.location,
            "'bundle_id' ends in '\(type.topicSuffix)', which push_type: \(type.rawValue) appends"
                + " once more",
            "write bundle_id: \(text.dropLast(type.topicSuffix.count)), unless the app's own"
                + " identifier is this one")
    }

    /// Notes whether a bundle identifier in the file is one of Wallet, which has no development
    /// environment.
    private mutating func noteWallet(_ value: MappingSource) {
        guard let text = ScalarSource(value)?.text,
            BundleIdentifier.isOfWallet(Array(text.utf8))
        else { return }
        block.isOfWallet = true
        guard plan.environment == "development" else { return }
        warning(
            value.location, "passes and orders in Wallet take pushes in production only",
            "write environment: production in 'apns'")
    }

    /// Refuses a bundle identifier next to a channel, which belongs to the app of the connector.
    private mutating func refuseForeignChannel(_ value: MappingSource) {
        guard block.isBroadcast, !saysWhichBundleIDs, plan.apps.apps.isEmpty,
            let own = block.ownBundleID, own != plan.defaultBundleID,
            BundleIdentifier.isValid(own), !plan.defaultBundleID.isEmpty
        else { return }
        let app = String(decoding: plan.defaultBundleID, as: UTF8.self)
        error(
            value.location,
            "'bundle_id' must be \(app) in a broadcast: each channel belongs to one app",
            "remove it, or list both apps in 'apns.apps'")
    }

    /// Notes whether the event determines the bundle identifier, and warns if the file does not
    /// say which ones are allowed.
    mutating func noteBundleID(of member: MappingMember) {
        let template = block.fields.bundleID
        guard template >= 0 else { return }
        let parts = plan.templates[Int(template)].parts.range
        block.fields.isBundleIDOfEvent = plan.parts[parts].contains {
            if case .hole = $0 { true } else { false }
        }
        if !block.fields.isBundleIDOfEvent {
            block.ownBundleID = ScalarSource(member.value).map { Array($0.text.utf8) }
            warnOfSuffix(member.value)
            noteWallet(member.value)
            refuseForeignChannel(member.value)
        }
        guard block.fields.isBundleIDOfEvent, !saysWhichBundleIDs,
            plan.apps.apps.isEmpty || outside.app != nil
        else { return }
        warning(
            member.value.location,
            "events name the bundle_id, but only that of the connector is allowed",
            "write allowed_bundle_ids: [com.example.*] in 'apns', or remove this")
    }

    /// What is wrong with a bundle identifier; nil if nothing.
    func fault(bundleID text: String) -> String? {
        let bytes = Array(text.utf8)
        guard BundleIdentifier.isValid(bytes) else { return MappingFault.Reason.bundleID.message }
        guard !plan.apps.apps.isEmpty, outside.app == nil,
            case .none = plan.apps.index(bundleID: bytes, environment: [])
        else { return nil }
        return "no app in 'apns.apps' has it"
    }
}
