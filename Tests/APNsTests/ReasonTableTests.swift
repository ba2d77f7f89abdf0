import Testing

@testable import APNs

@Suite struct `The table of reasons` {
    /// Apple's table, written once more by hand: what is done about each answer.
    static let expected: [(Int, String, Reaction)] = [
        (200, "", .accepted),
        (400, "BadCollapseId", .rejected),
        (400, "BadDeviceToken", .suspect),
        (400, "BadExpirationDate", .rejected),
        (400, "BadMessageId", .rejected),
        (400, "BadPriority", .rejected),
        (400, "BadTopic", .rejected),
        (400, "DeviceTokenNotForTopic", .suspect),
        (400, "DuplicateHeaders", .rejected),
        (400, "IdleTimeout", .retryNow),
        (400, "InvalidPushType", .rejected),
        (400, "MissingDeviceToken", .rejected),
        (400, "MissingTopic", .rejected),
        (400, "PayloadEmpty", .rejected),
        (400, "TopicDisallowed", .hold),
        (403, "BadCertificate", .hold),
        (403, "BadCertificateEnvironment", .hold),
        (403, "BadEnvironmentKeyIdInToken", .hold),
        (403, "BadEnvironmentKeyInToken", .hold),
        (403, "ExpiredProviderToken", .retryOnce),
        (403, "Forbidden", .hold),
        (403, "InvalidProviderToken", .hold),
        (403, "MissingProviderToken", .hold),
        (403, "UnrelatedKeyIdInToken", .retryOnce),
        (404, "BadPath", .rejected),
        (405, "MethodNotAllowed", .rejected),
        (410, "ExpiredToken", .unregistered),
        (410, "Unregistered", .unregistered),
        (413, "PayloadTooLarge", .rejected),
        (429, "TooManyProviderTokenUpdates", .retryLater),
        (429, "TooManyRequests", .retryLater),
        (500, "InternalServerError", .retryLater),
        (503, "ServiceUnavailable", .retryLater),
        (503, "Service Unavailable", .retryLater),
        (503, "Shutdown", .retryNow),
        (400, "BadChannelId", .rejected),
        (400, "BadRequestParams", .rejected),
        (400, "BadRequestPayload", .rejected),
        (400, "BroadcastFeatureNotEnabled", .hold),
        (400, "CannotCreateChannelConfig", .hold),
        (400, "ChannelNotRegistered", .rejected),
        (400, "FeatureNotEnabled", .hold),
        (400, "MissingChannelId", .rejected),
        (400, "MissingPushType", .rejected),
        (403, "TopicMismatch", .hold),
    ]

    @Test(arguments: expected)
    func `knows what to do about each answer`(_ status: Int, _ reason: String, _ wanted: Reaction) {
        #expect(ReasonTable.isKnown(status: status, reason: reason))
        #expect(ReasonTable.reaction(status: status, reason: reason) == wanted)
    }

    @Test func `has no row that this test does not name, and none twice`() {
        let rows = ReasonTable.rows.map { "\($0.status) \($0.reason)" }
        #expect(Set(rows) == Set(Self.expected.map { "\($0.0) \($0.1)" }))
        #expect(Set(rows).count == rows.count)
    }

    @Test func `explains each row in a sentence`() {
        for row in ReasonTable.rows {
            #expect(row.meaning.hasSuffix("."), "\(row.reason)")
            #expect(row.meaning.count > 15, "\(row.reason)")
        }
    }

    @Test(arguments: [
        (200, Reaction.accepted), (400, .rejected), (403, .hold), (410, .unregistered),
        (413, .rejected), (429, .retryLater), (500, .retryLater), (503, .retryLater),
    ])
    func `lets the status decide when there is no reason`(_ status: Int, _ wanted: Reaction) {
        #expect(ReasonTable.reaction(status: status, reason: "") == wanted)
    }

    @Test(arguments: [404, 405])
    func `holds the line when what answers is no APNs`(_ status: Int) {
        #expect(ReasonTable.reaction(status: status, reason: "") == .hold)
        let words = ReasonTable.meaning(status: status, reason: "", of: .key)
        #expect(words.contains("check endpoint and proxy"))
        #expect(ReasonTable.reaction(status: status, reason: "New") == .rejected)
    }

    @Test func `takes a 200 for accepted whatever stands in its body`() {
        #expect(ReasonTable.reaction(status: 200, reason: "BadDeviceToken") == .accepted)
    }

    @Test func `kills no token for the word of a 410 under another status`() {
        for status in [400, 403, 404, 429, 500, 503] {
            #expect(ReasonTable.reaction(status: status, reason: "Unregistered") != .unregistered)
        }
    }

    @Test(arguments: [
        (401, Reaction.hold), (402, .rejected), (403, .hold), (407, .hold), (408, .retryLater),
        (418, .rejected), (429, .retryLater), (502, .retryLater), (599, .retryLater), (302, .hold),
        (0, .hold), (-1, .hold), (600, .hold),
    ])
    func `handles a reason that is new by its status class`(_ status: Int, _ wanted: Reaction) {
        #expect(!ReasonTable.isKnown(status: status, reason: "SomethingNew"))
        #expect(ReasonTable.reaction(status: status, reason: "SomethingNew") == wanted)
    }

    @Test func `speaks of keys to whoever has a certificate in no answer that holds a line`() {
        for row in ReasonTable.rows where row.reaction == .hold || row.status == 403 {
            let words = ReasonTable.meaning(
                status: row.status, reason: row.reason, of: .certificate)
            #expect(!words.contains("key"), "\(row.reason): \(words)")
            #expect(words.hasSuffix("."), "\(row.reason)")
        }
    }

    @Test func `sends nobody who has a key to look for a certificate`() {
        for row in ReasonTable.rows where row.reaction == .hold || row.status == 403 {
            let words = ReasonTable.meaning(status: row.status, reason: row.reason, of: .key)
            #expect(!words.contains("check certificate"), "\(row.reason): \(words)")
            #expect(!words.contains("renew it"), "\(row.reason): \(words)")
        }
    }

    @Test(arguments: [
        (APNsCredential.Kind.key, "check key, key_id and team_id."),
        (.certificate, "check certificate."),
    ])
    func `says where to look for a refusal in new words`(
        _ kind: APNsCredential.Kind, _ remedy: String
    ) {
        for status in [401, 403, 407] {
            let words = ReasonTable.meaning(status: status, reason: "SomethingNew", of: kind)
            #expect(words.hasSuffix("was refused in words that are new: \(remedy)"))
        }
        #expect(
            ReasonTable.meaning(status: 302, reason: "", of: kind)
                == ReasonTable.row(status: 302, reason: "").meaning)
    }

    @Test func `finds rows by the name of their reason in any case`() {
        #expect(ReasonTable.rows(named: "unregistered").map(\.status) == [410])
    }
}
