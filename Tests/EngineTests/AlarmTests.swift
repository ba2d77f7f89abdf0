import APNs
import BridgeSamples
import Testing

@testable import Engine

/// What an operator reads when sending is suspended.
@Suite struct `The alarm of an app whose sending is suspended` {
    private static let action =
        "fix the credential; offsets are kept, nothing is lost, and other apps are not affected;"
        + " sending resumes when a probe succeeds"

    /// Shop pushes with a key, pay with a certificate.
    private func desk() throws -> EngineDesk {
        let desk = try EngineDesk(plan: Samples.twoAppsPlan()) {
            $0.apps = Samples.twoApps
            $0.apps[1].credential = "certificate (CN = Apple Push Services: com.example.pay)"
            $0.apps[1].credentialKind = .certificate
        }
        desk.assign()
        return desk
    }

    /// The first notice after APNs has refused a push to an app, as lines of its details.
    private func alarm(to app: String, _ status: Int, _ reason: String) throws -> [String] {
        let desk = try desk()
        desk.push(offset: 0, more: #","bundle_id":"com.example.\#(app)""#)
        try desk.sendAndAnswer(status, reason)
        return try lines(desk)
    }

    private func lines(_ desk: EngineDesk) throws -> [String] {
        let notice = try #require(desk.engine.notices.first)
        #expect(
            notice.message
                == "sending suspended: APNs rejected the credential or its configuration")
        return notice.fields.map { "\($0.name)=\($0.value.text)" }
    }

    @Test func `of a key names what belongs to a key`() throws {
        #expect(
            try alarm(to: "shop", 403, "Forbidden") == [
                "status=403", "reason=Forbidden", "apps=shop", "bundle_id=com.example.shop",
                "credential=key SHOP",
                "meaning=The key does not permit this: check key, key_id and team_id.",
                "action=\(Self.action)",
            ])
    }

    @Test func `of a certificate does not speak of keys`() throws {
        #expect(
            try alarm(to: "pay", 403, "Forbidden") == [
                "status=403", "reason=Forbidden", "apps=pay", "bundle_id=com.example.pay",
                "credential=certificate (CN = Apple Push Services: com.example.pay)",
                "meaning=The certificate does not permit this: check certificate, and that Apple"
                    + " has not revoked it.",
                "action=\(Self.action)",
            ])
    }

    @Test func `that a GOAWAY has caused names the frame, and no status that nobody sent`() throws {
        let desk = try desk()
        desk.engine.credentialRefused(route: 1, reason: "BadCertificateEnvironment")
        #expect(
            try lines(desk) == [
                "frame=GOAWAY", "reason=BadCertificateEnvironment", "apps=pay",
                "bundle_id=com.example.pay",
                "credential=certificate (CN = Apple Push Services: com.example.pay)",
                "meaning=The certificate is for the other environment: check apns.environment.",
                "action=\(Self.action)",
            ])
    }

    @Test(arguments: [
        ("TopicDisallowed", "shop", "bundle_id, key and team_id."),
        ("TopicDisallowed", "pay", "bundle_id and certificate."),
    ])
    func `of an app names what its credential is`(
        reason: String, app: String, what: String
    ) throws {
        let meaning = try alarm(to: app, 400, reason).first { $0.hasPrefix("meaning=") }
        #expect(meaning?.hasSuffix(what) == true, "\(meaning ?? "")")
    }

    @Test func `names the credential that is in use since it was replaced`() throws {
        let desk = try desk()
        let key = try Samples.signingKey.get()
        desk.engine.credentialAdopted(
            .tokens(ProviderTokens(key: key, keyID: "ABC123DEFG", teamID: "DEF123GHIJ")), .first,
            route: 1)
        desk.push(offset: 0, more: #","bundle_id":"com.example.pay""#)
        try desk.sendAndAnswer(403, "Forbidden")
        let lines = try lines(desk)
        #expect(lines.contains("credential=key ABC123DEFG of team DEF123GHIJ"))
        #expect(
            lines.contains("meaning=The key does not permit this: check key, key_id and team_id."))
    }
}
