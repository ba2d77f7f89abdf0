import Testing

@testable import APNsSimulator

@Suite struct `A push as the judge sees it` {
    private static let names = [
        ":method", ":path", "authorization", "apns-topic", "apns-push-type", "apns-id",
        "apns-expiration", "apns-priority", "apns-collapse-id", "apns-channel-id",
        "apns-request-id",
    ]

    private func request(_ fields: [(String, String)]) -> PushRequest {
        var request = PushRequest()
        for (name, value) in fields { request.set([UInt8](name.utf8), to: [UInt8](value.utf8)) }
        return request
    }

    @Test func `ignores names that resemble those that Apple knows`() {
        for name in Self.names {
            for position in name.indices {
                var other = name
                other.replaceSubrange(position...position, with: "_")
                #expect(request([(other, "x")]).present.isEmpty, "\(other)")
            }
        }
        #expect(request([("", "x"), (":scheme", "x"), (":authority", "x")]).present.isEmpty)
    }

    @Test func `has each field that Apple knows, with its value`() {
        let whole = request(Self.names.map { ($0, "value of \($0)") })
        let values = [
            whole.method, whole.path, whole.authorization, whole.topic, whole.pushType,
            whole.identifier, whole.expiration, whole.priority, whole.collapseID, whole.channelID,
            whole.requestID,
        ]
        #expect(
            values.map { String(decoding: $0, as: UTF8.self) }
                == Self.names.map { "value of \($0)" })
        #expect(whole.repeated.isEmpty)
    }

    @Test func `distinguishes an empty field from a missing one`() {
        let request = request([("apns-topic", "")])
        #expect(request.present == .topic)
        #expect(request.has(.topic, []))
        #expect(request.has(.priority, []))
        #expect(!request.has(.topic, RequestBytes.ten))
    }

    @Test func `has the last value of a field that is repeated`() {
        let request = request([("apns-id", "first"), ("apns-id", "second")])
        #expect(request.repeated == .identifier)
        #expect(String(decoding: request.identifier, as: UTF8.self) == "second")
    }
}
