/// One row of the ``ReasonTable``: what APNs responded, what that means, and what is done.
public struct ReasonRow: Equatable, Sendable {
    /// Which reasons a row is for.
    public enum Match: Equatable, Sendable {
        /// This one.
        case reason(String)
        /// None: the response has no body of Apple's.
        case absent
        /// Any or none, where the response does not carry the `apns-id` that was sent.
        case unidentified
        /// Any that no other row is for, or none.
        case other
    }

    /// The values of `:status` that the row is for.
    public var statuses: ClosedRange<Int>
    /// The reasons that the row is for.
    public var match: Match
    /// What is done about it.
    public var reaction: Reaction
    /// How far it reaches.
    public var scope = ReasonScope.push
    /// What it says about the provider token.
    public var providerToken = ProviderTokenEffect.none
    /// True when only a mistake of apns-bridge, or of a proxy, leads to it.
    public var isOurFault = false
    /// True when APNs says it only to a client whose credential it has accepted.
    public var provesCredential = false
    /// True when the push may have been delivered all the same.
    public var isInDoubt = false
    /// True when the connection that brought it is to be drained and replaced.
    public var replacesConnection = false
    /// What it means and what to do, in a sentence.
    public var meaning: String
    /// What it means to whoever pushes with a key, where that differs.
    var meaningWithKey: String?
    /// What it means to whoever pushes with a certificate, where that differs.
    var meaningWithCertificate: String?

    /// A row for one reason; what is final proves the credential unless the row says otherwise.
    init(_ status: Int, _ reason: String, _ reaction: Reaction, _ meaning: String) {
        self.init(status...status, .reason(reason), reaction, meaning)
        provesCredential = reaction.isFinal
    }

    /// A row for statuses without a reason, or with any other.
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

    /// Apple's word; nil where the row is for none, or for any.
    public var reason: String? {
        if case .reason(let word) = match { word } else { nil }
    }

    /// False for what neither Apple's documentation nor experience knows.
    public var isRecognized: Bool { match != .other }

    /// True when APNs has too much to do, and not with one device alone.
    public var isBusy: Bool { reaction == .retryLater && scope != .push }

    /// True when it says that a new credential, or the way to it, is not as good as the old one.
    var refusesTrial: Bool {
        reaction == .suspend || reaction == .notAPNs || scope == .credential
    }

    /// What it means to whoever pushes with that kind of credential, and what to look at.
    public func meaning(for kind: APNsCredential.Kind) -> String {
        switch kind {
        case .key: meaningWithKey ?? meaning
        case .certificate: meaningWithCertificate ?? meaning
        }
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

    /// A mistake of ours may be found before the credential is examined.
    func isOurs() -> ReasonRow {
        with {
            $0.isOurFault = true
            $0.provesCredential = false
        }
    }

    func leavesDoubt() -> ReasonRow { with { $0.isInDoubt = true } }
    func provesTheCredential() -> ReasonRow { with { $0.provesCredential = true } }

    func means(withKey words: String) -> ReasonRow { with { $0.meaningWithKey = words } }

    func means(withCertificate words: String) -> ReasonRow {
        with { $0.meaningWithCertificate = words }
    }

    private func with(_ change: (inout ReasonRow) -> Void) -> ReasonRow {
        var row = self
        change(&row)
        return row
    }
}
