internal import Delivery

/// Decides about one request after the other of a connection, as strictly as Apple does.
///
/// The rules are the table ``rules``, in Apple's order: the first that is broken is the response.
/// A judge belongs to one connection, because some rules do: one team, and no hurried change
/// of the provider token.
public struct Judge: ~Copyable {
    /// What the connection has shown so far, and the keys that may sign.
    public internal(set) var credential: ProviderTokenVerification
    /// The client certificate of the connection; nil when it proves itself by provider tokens.
    public internal(set) var certificate: CertificateCredential?
    /// The time of the present request, in milliseconds since 1970.
    var wallClock: Int64 = 0
    /// What the present request's provider token turned out to be.
    var finding: ProviderTokenFinding = .missing
    /// The present request's push type; nil when it names none or `mdm`.
    var pushType: PushType?
    var payload = PayloadCheck()
    /// The broadcast channels that there are.
    let channels: Channels
    /// The app of the present request has broadcasts switched on.
    var mayBroadcast = true
    /// The present request names a channel that must be there.
    var namesChannel = false
    /// The present request makes a channel, after this order.
    var makesChannel = false
    var order: ChannelOrder?
    /// The channel that the present request names.
    var channel: BroadcastChannel?
    /// The last push type and topic that went together.
    private var suited: (type: PushType?, topic: [UInt8]) = (nil, [])

    /// A judge for a new connection.
    public init(
        keys: [ProviderKey], environment: ProviderKey.Environment = .production,
        channels: Channels = Channels()
    ) {
        self.channels = channels
        credential = ProviderTokenVerification(keys: keys, environment: environment)
    }

    /// The topic of a request: the certificate's where the request names none.
    func topic(of request: borrowing PushRequest) -> ArraySlice<UInt8> {
        let topic = request.topic
        return topic.isEmpty ? certificate?.defaultTopic?[...] ?? [] : topic
    }

    /// The push type whose limit holds for the payload: without one the topic tells.
    func payloadType(of request: borrowing PushRequest) -> PushType {
        pushType ?? PushTypeTable.type(ofTopic: topic(of: request)) ?? .alert
    }

    /// Whether the credential of the connection may push to a topic.
    func allows(topic: ArraySlice<UInt8>) -> Bool {
        certificate?.allows(topic: topic)
            ?? credential.allows(bundleID: PushTypeTable.bundleID(of: topic))
    }

    /// The response to a request that arrived at `wallClock`, in milliseconds since 1970.
    public mutating func judge(
        _ request: borrowing PushRequest, wallClock: Int64
    ) -> Judgement {
        if request.kind != .push { return judgeBroadcast(request, wallClock: wallClock) }
        guard let number = brokenRule(request, wallClock: wallClock) else { return .accepted }
        let rule = Self.rules[number]
        return Judgement(status: rule.status, reason: rule.reason)
    }

    /// The place in ``rules`` of the first rule that a request breaks; nil when it breaks none.
    mutating func brokenRule(
        _ request: borrowing PushRequest, wallClock: Int64
    ) -> Int? {
        self.wallClock = wallClock
        for index in Self.conditions.indices
        where Self.conditions[index].holds(for: request, &self) { return index }
        return nil
    }

    /// The conditions of the rules alone: no words are touched for a request that is good.
    private static let conditions = rules.map(\.condition)

    /// Whether the topic is one of the push type; the last response is kept, as they hardly change.
    mutating func suits(_ type: PushType, topic: ArraySlice<UInt8>) -> Bool {
        if suited.type == type, topic.elementsEqual(suited.topic) { return true }
        guard PushTypeTable.suits(type, topic: topic) else { return false }
        suited = (type, [UInt8](topic))
        return true
    }
}
