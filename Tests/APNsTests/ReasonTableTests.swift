import Testing

@testable import APNs

@Suite struct `The table of reasons` {
    /// Apple's table, written a second time by hand: what to do about each response, and how far it
    /// reaches.
    static let expected: [(Int, String, Reaction, ReasonScope)] = [
        (400, "BadCollapseId", .rejected, .push),
        (400, "BadDeviceToken", .suspect, .push),
        (400, "BadExpirationDate", .rejected, .push),
        (400, "BadMessageId", .rejected, .push),
        (400, "BadPriority", .rejected, .push),
        (400, "BadTopic", .rejected, .push),
        (400, "DeviceTokenNotForTopic", .suspect, .push),
        (400, "DuplicateHeaders", .rejected, .push),
        (400, "IdleTimeout", .retryNow, .connection),
        (400, "InvalidPushType", .rejected, .push),
        (400, "MissingDeviceToken", .rejected, .push),
        (400, "MissingTopic", .rejected, .push),
        (400, "PayloadEmpty", .rejected, .push),
        (400, "TopicDisallowed", .suspend, .app),
        (403, "BadCertificate", .suspend, .credential),
        (403, "BadCertificateEnvironment", .suspend, .credential),
        (403, "BadEnvironmentKeyIdInToken", .suspend, .credential),
        (403, "BadEnvironmentKeyInToken", .suspend, .credential),
        (403, "ExpiredProviderToken", .retryOnce, .credential),
        (403, "Forbidden", .suspend, .credential),
        (403, "InvalidProviderToken", .suspend, .credential),
        (403, "MissingProviderToken", .suspend, .credential),
        (403, "UnrelatedKeyIdInToken", .retryOnce, .credential),
        (404, "BadPath", .rejected, .push),
        (405, "MethodNotAllowed", .rejected, .push),
        (410, "ExpiredToken", .unregistered, .push),
        (410, "Unregistered", .unregistered, .push),
        (413, "PayloadTooLarge", .rejected, .push),
        (429, "TooManyProviderTokenUpdates", .retryLater, .connection),
        (429, "TooManyRequests", .retryLater, .push),
        (500, "InternalServerError", .retryLater, .push),
        (503, "ServiceUnavailable", .retryLater, .route),
        (503, "Service Unavailable", .retryLater, .route),
        (503, "Shutdown", .retryNow, .connection),
        (400, "BadChannelId", .rejected, .push),
        (400, "BadRequestParams", .rejected, .push),
        (400, "BadRequestPayload", .rejected, .push),
        (400, "BroadcastFeatureNotEnabled", .suspend, .app),
        (400, "CannotCreateChannelConfig", .suspend, .app),
        (400, "ChannelNotRegistered", .rejected, .push),
        (400, "FeatureNotEnabled", .suspend, .app),
        (400, "MissingChannelId", .rejected, .push),
        (400, "MissingPushType", .rejected, .push),
        (403, "TopicMismatch", .suspend, .app),
    ]

    private static func row(_ reason: String) throws -> ReasonRow {
        try #require(ReasonTable.rows(named: reason).first)
    }

    private static func reasons(where isWanted: (ReasonRow) -> Bool) -> Set<String> {
        Set(ReasonTable.rows.filter(isWanted).compactMap(\.reason))
    }

    @Test(arguments: expected)
    func `has the action and the scope of each response`(
        _ status: Int, _ reason: String, _ wanted: Reaction, _ scope: ReasonScope
    ) {
        let row = ReasonTable.row(status: status, reason: reason)
        #expect(row.isRecognized)
        #expect(row.reason == reason)
        #expect(row.reaction == wanted)
        #expect(row.scope == scope)
    }

    @Test func `has exactly the reasons of this test, each once`() {
        let rows = ReasonTable.rows.compactMap { row in
            row.reason.map { "\(row.statuses.lowerBound) \($0)" }
        }
        #expect(Set(rows) == Set(Self.expected.map { "\($0.0) \($0.1)" }))
        #expect(Set(rows).count == rows.count)
    }

    @Test func `knows which responses concern a device token`() {
        #expect(
            Self.reasons { $0.deviceToken == .suspect }
                == ["BadDeviceToken", "DeviceTokenNotForTopic"])
        #expect(
            Self.reasons { $0.deviceToken == .unregistered } == ["Unregistered", "ExpiredToken"])
    }

    @Test func `knows which faults only apns-bridge or a proxy can cause`() {
        let ours: Set = ["DuplicateHeaders", "BadPath", "MethodNotAllowed"]
        #expect(Self.reasons(where: \.isOurFault) == ours)
    }

    @Test func `knows which responses prove the credential`() {
        let ours = Self.reasons(where: \.isOurFault)
        let final = Self.expected.filter(\.2.isFinal).map(\.1)
        #expect(
            Self.reasons(where: \.provesCredential)
                == Set(final).subtracting(ours).union(["TooManyRequests"]))
        #expect(ReasonTable.row(status: 200, reason: "").provesCredential)
        for status in [400, 403, 404, 429, 500, 503] {
            #expect(!ReasonTable.row(status: status, reason: "SomethingNew").provesCredential)
        }
    }

    @Test func `knows which responses concern a provider token`() throws {
        #expect(try Self.row("ExpiredProviderToken").providerToken == .expired)
        #expect(try Self.row("TooManyProviderTokenUpdates").providerToken == .changedTooOften)
        #expect(
            Self.reasons { $0.providerToken == .refused } == [
                "BadEnvironmentKeyIdInToken", "BadEnvironmentKeyInToken", "Forbidden",
                "InvalidProviderToken", "MissingProviderToken", "UnrelatedKeyIdInToken",
            ])
        #expect(ReasonTable.row(status: 403, reason: "SomethingNew").providerToken == .refused)
    }

    @Test func `knows which responses require a new connection`() {
        #expect(
            Self.reasons(where: \.replacesConnection) == [
                "IdleTimeout", "Shutdown", "ExpiredProviderToken", "UnrelatedKeyIdInToken",
            ])
    }

    @Test func `does not treat a throttled device as a sign that APNs is busy`() throws {
        #expect(try !Self.row("TooManyRequests").isBusy)
        for reason in ["ServiceUnavailable", "TooManyProviderTokenUpdates"] {
            #expect(try Self.row(reason).isBusy)
        }
    }

    @Test func `explains each row in a sentence`() {
        for row in ReasonTable.rows {
            #expect(row.meaning.hasSuffix("."), "\(row.reason ?? "")")
            #expect(row.meaning.count > 15, "\(row.reason ?? "")")
        }
    }

    @Test(arguments: [
        (200, Reaction.accepted), (403, .suspend), (408, .retryLater), (429, .retryLater),
        (500, .retryLater), (502, .retryLater), (503, .retryLater), (504, .retryLater),
    ])
    func `lets the status decide when there is no reason`(_ status: Int, _ wanted: Reaction) {
        #expect(ReasonTable.reaction(status: status, reason: "") == wanted)
    }

    @Test(arguments: [
        100, 201, 204, 206, 302, 400, 401, 402, 404, 405, 407, 410, 411, 413, 421, 431, 451, 600,
    ])
    func `does not trust a status that APNs never sends without a reason`(_ status: Int) {
        let row = ReasonTable.row(status: status, reason: "")
        #expect(row.reaction == .notAPNs)
        #expect(row.scope == .route)
        #expect(row.deviceToken == .none)
        #expect(!row.provesCredential)
        #expect(row.isInDoubt == (200..<300).contains(status))
        let message = "the peer is not APNs (a gateway or captive portal)"
        #expect(row.meaning.contains(message))
    }

    @Test func `does not trust a 200 without the apns-id that was sent`() {
        let row = ReasonTable.row(status: 200, reason: "", isIdentified: false)
        #expect(row.reaction == .notAPNs)
        #expect(row.isInDoubt)
        #expect(!row.provesCredential)
    }

    @Test func `unregisters no token for a 410 with an unrecognized reason`() {
        let row = ReasonTable.row(status: 410, reason: "SomethingNew")
        #expect(row.deviceToken == .suspect)
    }

    @Test func `treats a 200 as accepted whatever its body`() {
        #expect(ReasonTable.reaction(status: 200, reason: "BadDeviceToken") == .accepted)
    }

    @Test func `unregisters no token for a 410's reason with another status`() {
        for status in [400, 403, 404, 429, 500, 503] {
            #expect(ReasonTable.reaction(status: status, reason: "Unregistered") != .unregistered)
        }
    }

    @Test(arguments: [
        (401, Reaction.suspend), (402, .rejected), (403, .suspend), (407, .suspend),
        (408, .retryLater), (418, .rejected), (429, .retryLater), (502, .retryLater),
        (599, .retryLater), (302, .notAPNs), (0, .notAPNs), (-1, .notAPNs), (600, .notAPNs),
    ])
    func `handles an unrecognized reason by its status class`(_ status: Int, _ wanted: Reaction) {
        #expect(!ReasonTable.row(status: status, reason: "SomethingNew").isRecognized)
        #expect(ReasonTable.reaction(status: status, reason: "SomethingNew") == wanted)
    }

    @Test func `does not mention keys if a certificate is used`() {
        for row in ReasonTable.rows where row.reaction == .suspend || row.scope == .credential {
            let message = row.meaning(for: .certificate)
            #expect(!message.contains("key"), "\(message)")
            #expect(message.hasSuffix("."), "\(message)")
        }
    }

    @Test func `does not mention certificates if a key is used`() {
        for row in ReasonTable.rows where row.reaction == .suspend || row.scope == .credential {
            let message = row.meaning(for: .key)
            #expect(!message.contains("check certificate"), "\(message)")
            #expect(!message.contains("renew it"), "\(message)")
        }
    }

    @Test(arguments: [
        (APNsCredential.Kind.key, "check key, key_id and team_id."),
        (.certificate, "check certificate."),
    ])
    func `says what to check for a rejection without a known reason`(
        _ kind: APNsCredential.Kind, _ remedy: String
    ) {
        for status in [401, 403, 407] {
            let message = ReasonTable.meaning(status: status, reason: "SomethingNew", of: kind)
            #expect(message.hasSuffix("was rejected with an unrecognized reason: \(remedy)"))
        }
        let silent = ReasonTable.meaning(status: 403, reason: "", of: kind)
        #expect(silent.hasSuffix("was rejected without a reason: \(remedy)"))
        #expect(
            ReasonTable.meaning(status: 302, reason: "", of: kind)
                == ReasonTable.row(status: 302, reason: "").meaning)
    }

    @Test func `finds rows by the name of their reason in any case`() {
        #expect(ReasonTable.rows(named: "unregistered").map(\.statuses) == [410...410])
    }
}
