/// One row of the ``ReasonTable``: a response of APNs, what it means, and what to do.
public struct ReasonRow: Equatable, Sendable {
    /// Which reasons a row applies to.
    public enum Match: Equatable, Sendable {
        /// This reason.
        case reason(String)
        /// No reason: the response has no body of Apple's.
        case absent
        /// Any reason or none, if the response does not carry the `apns-id` that was sent.
        case unidentified
        /// Any reason without its own row, or none.
        case other
    }

    /// The values of `:status` that the row applies to.
    public var statuses: ClosedRange<Int>
    /// The reasons that the row applies to.
    public var match: Match
    /// What to do about it.
    public var reaction: Reaction
    /// How much else is affected.
    public var scope = ReasonScope.push
    /// What it says about the provider token.
    public var providerToken = ProviderTokenEffect.none
    /// True when only a bug in apns-bridge, or a proxy, can cause it.
    public var isOurFault = false
    /// True when APNs only sends it to a client whose credential it has accepted.
    public var provesCredential = false
    /// True when the push may have been delivered nevertheless.
    public var isInDoubt = false
    /// True when its connection is to be drained and replaced.
    public var replacesConnection = false
    /// True when the credential is not for the bundle identifier.
    var isAboutBundleID = false
    /// What it means and what to do, in a sentence.
    public var meaning: String
    /// What it means when pushing with a key, if that differs.
    var meaningWithKey: String?
    /// What it means when pushing with a certificate, if that differs.
    var meaningWithCertificate: String?

    /// A row for one reason; a final one proves the credential unless the row says otherwise.
    init(_ status: Int, _ reason: String, _ reaction: Reaction, _ meaning: String) {
        self.init(status...status, .reason(reason), reaction, meaning)
        provesCredential = reaction.isFinal
    }

    /// A row for statuses without a reason, or with any other reason.
    init(
        _ statuses: ClosedRange<Int>, _ match: Match, _ reaction: Reaction, _ meaning: String
    ) {
        self.statuses = statuses
        self.match = match
        self.reaction = reaction
        self.meaning = meaning
    }
}

extension ReasonRow {
    /// What it says about the device token.
    public var deviceToken: DeviceTokenEffect {
        switch reaction {
        case .unregistered: .unregistered
        case .suspect: .suspect
        default: .none
        }
    }

    /// Apple's reason; nil when the row applies to no reason, or to any.
    public var reason: String? {
        if case .reason(let word) = match { word } else { nil }
    }

    /// False for responses unknown to Apple's documentation and to experience.
    public var isRecognized: Bool { match != .other }

    /// True when APNs is overloaded, and not only for one device.
    public var isBusy: Bool { reaction == .retryLater && scope != .push }

    /// True when it shows that a new credential, or the new route, is worse than the current one.
    var refusesTrial: Bool {
        reaction == .suspend || reaction == .notAPNs || scope == .credential
    }

    /// What it means when pushing with that kind of credential, and what to check.
    public func meaning(for kind: APNsCredential.Kind) -> String {
        switch kind {
        case .key: meaningWithKey ?? meaning
        case .certificate: meaningWithCertificate ?? meaning
        }
    }

    /// What to do about a response that suspends sending, in a few words.
    public func fix(for kind: APNsCredential.Kind) -> String {
        if reaction == .notAPNs { return "check endpoint and proxy" }
        guard scope == .app else { return "fix the credential" }
        guard isAboutBundleID else { return "do what 'meaning' says" }
        return kind == .key ? "fix bundle_id or the key" : "fix bundle_id or the certificate"
    }

    func matches(status: Int, reason: String, isIdentified: Bool) -> Bool {
        guard statuses.contains(status) else { return false }
        return switch match {
        case .unidentified: !isIdentified
        case .reason(let word): word == reason
        case .absent: reason.isEmpty
        case .other: true
        }
    }
}

/// How the table describes its rows.
extension ReasonRow {
    func concerns(_ scope: ReasonScope) -> ReasonRow { with { $0.scope = scope } }
    func says(_ effect: ProviderTokenEffect) -> ReasonRow { with { $0.providerToken = effect } }
    func replacesItsConnection() -> ReasonRow { with { $0.replacesConnection = true } }

    /// Our own mistakes may be detected before the credential is checked.
    func isOurs() -> ReasonRow {
        with {
            $0.isOurFault = true
            $0.provesCredential = false
        }
    }

    func isAboutTheBundleID() -> ReasonRow { with { $0.isAboutBundleID = true } }
    func leavesDoubt() -> ReasonRow { with { $0.isInDoubt = true } }
    func provesTheCredential() -> ReasonRow { with { $0.provesCredential = true } }

    func means(withKey message: String) -> ReasonRow { with { $0.meaningWithKey = message } }

    func means(withCertificate message: String) -> ReasonRow {
        with { $0.meaningWithCertificate = message }
    }

    private func with(_ change: (inout ReasonRow) -> Void) -> ReasonRow {
        var row = self
        change(&row)
        return row
    }
}

/// What a response says about the device token.
public enum DeviceTokenEffect: String, CaseIterable, Sendable {
    /// Nothing.
    case none
    /// It looks wrong: alert someone, but do not delete it.
    case suspect
    /// It is no longer valid: it is written to the unregistered topic.
    case unregistered
}

/// What a response says about the request's provider token.
public enum ProviderTokenEffect: String, CaseIterable, Sendable {
    /// Nothing.
    case none
    /// Rejected: the clock or the key may have changed since it was signed.
    case refused
    /// Too old: the next request carries a newly signed one.
    case expired
    /// Provider tokens change too often: the connection reverts to the previous one.
    case changedTooOften
}

/// How much else a rejection affects.
public enum ReasonScope: String, CaseIterable, Sendable {
    /// Only this push, or its device: others may be accepted.
    case push
    /// The app: its pushes are rejected, those of other apps with the same credential are not.
    case app
    /// The credential: all apps that use it are rejected.
    case credential
    /// The connection: another one is not affected.
    case connection
    /// The route: everything sent to the endpoint with this credential.
    case route
}
