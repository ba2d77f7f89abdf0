import Testing

@testable import APNsSimulator

/// A client that asks about broadcast channels, with frames that it writes itself.
struct ChannelClient: ~Copyable {
    struct Response {
        var status: String
        /// The fields with a meaning of their own.
        var fields: [String: String]
        /// The body as it came over the connection.
        var body: String
    }

    let service: SimulatorService
    private var client: HostileClient
    private let bearer: String
    private var stream: UInt32 = 1

    init(_ service: SimulatorService) throws {
        let identity = service.identity
        var client = try HostileClient(service: service, identity: identity)
        try client.greet()
        let token = try identity.providerToken(issuedAt: JudgeFixture.now / 1000)
        let bearer = "bearer " + String(decoding: token, as: UTF8.self)
        self.service = service
        self.bearer = bearer
        self.client = client
    }

    /// Sends one request, and returns the response and the journal's entry.
    mutating func ask(
        _ method: String, _ path: String, _ fields: [String: String] = [:], body: String = ""
    ) throws -> Response {
        let pseudo = [
            (":method", method), (":scheme", "https"), (":path", path), (":authority", "localhost"),
            ("authorization", bearer),
        ]
        let block = (pseudo + fields.map { ($0.key, $0.value) }).flatMap(Self.literal)
        let isEmpty = body.isEmpty
        try client.say(HostileClient.frame(1, flags: isEmpty ? 5 : 4, stream: stream, block))
        if !isEmpty {
            try client.say(HostileClient.frame(0, flags: 1, stream: stream, [UInt8](body.utf8)))
        }
        let number = Int(stream)
        stream += 2
        let content = client.frames.filter { $0.stream == number && $0.kind == 0 }
        let request = service.memory?.requests().requests.first
        var responded: [String: String] = [:]
        let name = request?.judgement?.isAboutBroadcasts == true ? "apns-request-id" : "apns-id"
        responded[name] = request.map { String(decoding: $0.identifier, as: UTF8.self) }
        responded["apns-channel-id"] = request?.judgement?.channelID.map {
            String(decoding: $0, as: UTF8.self)
        }
        return Response(
            status: request?.judgement.map { "\($0.status)" } ?? "", fields: responded,
            body: String(decoding: content.flatMap(\.payload), as: UTF8.self))
    }

    /// Creates a channel that keeps the latest push, and returns its identifier.
    mutating func makeChannel() throws -> String {
        let path = "/1/apps/\(BroadcastFixture.app)/channels"
        let response = try ask("POST", path, body: BroadcastFixture.order)
        return try #require(response.fields["apns-channel-id"])
    }

    /// Broadcasts a valid update to a channel.
    mutating func broadcast(to channel: String) throws -> Response {
        try ask(
            "POST", "/4/broadcasts/apps/\(BroadcastFixture.app)",
            [
                "apns-channel-id": channel, "apns-push-type": "liveactivity",
                "apns-priority": "10", "apns-expiration": "0",
                "apns-request-id": JudgeFixture.identifier,
            ], body: BroadcastFixture.payload)
    }

    /// A field as a literal without indexing and without Huffman's code (RFC 7541, 6.2.2).
    private static func literal(_ field: (name: String, value: String)) -> [UInt8] {
        [0] + text(field.name) + text(field.value)
    }

    private static func text(_ text: String) -> [UInt8] {
        let bytes = [UInt8](text.utf8)
        guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
        var rest = bytes.count - 127
        var length: [UInt8] = [127]
        while rest >= 128 {
            length.append(UInt8(rest & 127 | 128))
            rest >>= 7
        }
        return length + [UInt8(rest)] + bytes
    }
}
