internal import Delivery

/// Judges the requests of a connection, as strictly as Apple does.
///
/// The rules are the table ``rules``, in Apple's order: the first violated rule determines the
/// response. A judge belongs to one connection, because some rules do: tokens of a single team, and
/// no premature change of the provider token.
public struct Judge: ~Copyable {
    /// The credentials seen on the connection, and the keys that may sign.
    public internal(set) var credential: ProviderTokenVerification
    /// The client certificate of the connection; nil when it uses provider tokens.
    public internal(set) var certificate: CertificateCredential?
    /// The time of the current request, in milliseconds since 1970.
    var wallClock: Int64 = 0
    /// The result of verifying the current request's provider token.
    var finding: ProviderTokenFinding = .missing
    /// The current request's push type; nil when it has none.
    var pushType: PushType?
    var payload = PayloadReader()
    /// The existing broadcast channels.
    let channels: Channels
    /// True when broadcasts are enabled for the current request's app.
    var mayBroadcast = true
    /// True when the current request contains a channel ID that must exist.
    var namesChannel = false
    /// True when the current request creates a channel, with these settings.
    var makesChannel = false
    var order: ChannelOrder?
    /// The channel of the current request.
    var channel: BroadcastChannel?
    /// The last valid combination of push type and the topic that its request named.
    private var suited: (type: PushType?, topic: [UInt8]) = (nil, [])

    /// Creates a judge for a new connection.
    public init(
        keys: [ProviderKey], environment: ProviderKey.Environment = .production,
        channels: Channels = Channels()
    ) {
        self.channels = channels
        credential = ProviderTokenVerification(keys: keys, environment: environment)
    }

    /// The topic of a request: the certificate's if the request has none.
    func topic(of request: borrowing PushRequest) -> ArraySlice<UInt8> {
        let topic = request.topic
        return topic.isEmpty ? certificate?.defaultTopic?[...] ?? [] : topic
    }

    /// The push type whose payload limit applies: without a push type, the topic determines it.
    func payloadType(of request: borrowing PushRequest) -> PushType {
        pushType ?? PushTypeTable.type(ofTopic: topic(of: request)) ?? .alert
    }

    /// Whether the credential of the connection is valid for a topic.
    func allows(topic: ArraySlice<UInt8>) -> Bool {
        certificate?.allows(topic: topic)
            ?? credential.allows(bundleID: PushTypeTable.bundleID(of: topic))
    }

    /// The response to a request received at `wallClock`, in milliseconds since 1970.
    public mutating func judge(
        _ request: borrowing PushRequest, wallClock: Int64
    ) -> Judgement {
        if request.kind != .push { return judgeBroadcast(request, wallClock: wallClock) }
        guard let number = brokenRule(request, wallClock: wallClock) else { return .accepted }
        let rule = Self.rules[number]
        return Judgement(status: rule.status, reason: rule.reason)
    }

    /// The index in ``rules`` of the first rule that a request violates; nil if there is none.
    mutating func brokenRule(
        _ request: borrowing PushRequest, wallClock: Int64
    ) -> Int? {
        self.wallClock = wallClock
        for index in Self.conditions.indices
        where Self.conditions[index].holds(for: request, &self) { return index }
        return nil
    }

    /// The conditions of the rules only: a valid request touches no strings.
    private static let conditions = rules.map(\.condition)

    /// Whether a request's topic matches the push type; the last combination is cached, as it
    /// rarely changes.
    mutating func suits(_ type: PushType, _ request: borrowing PushRequest) -> Bool {
        if suited.type == type, hasKnownTopic(request) { return true }
        let topic = topic(of: request)
        guard PushTypeTable.suits(type, topic: topic) else { return false }
        if !request.isEmpty(.topic) { suited = (type, [UInt8](topic)) }
        return true
    }

    /// Whether a request names the topic of the last valid combination: what depends on the topic
    /// alone was checked then.
    func hasKnownTopic(_ request: borrowing PushRequest) -> Bool {
        !suited.topic.isEmpty && request.has(.topic, suited.topic)
    }
}
