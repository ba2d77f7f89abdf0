import APNs
import BridgeSamples
import Testing

@testable import Engine

/// What an operator reads when sending is suspended.
@Suite struct `The alarm about a suspended app` {
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

    /// The fields of the first notice after APNs has rejected a push to an app.
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

    @Test func `names the settings of the key if the app uses a key`() throws {
        #expect(
            try alarm(to: "shop", 403, "Forbidden") == [
                "status=403", "reason=Forbidden", "apps=shop", "bundle_id=com.example.shop",
                "credential=key SHOP",
                "meaning=The key does not permit this: check key, key_id and team_id.",
                "action=\(Self.action)",
            ])
    }

    @Test func `names the certificate and no key if the app uses a certificate`() throws {
        #expect(
            try alarm(to: "pay", 403, "Forbidden") == [
                "status=403", "reason=Forbidden", "apps=pay", "bundle_id=com.example.pay",
                "credential=certificate (CN = Apple Push Services: com.example.pay)",
                "meaning=The certificate does not permit this: check certificate, and that Apple"
                    + " has not revoked it.",
                "action=\(Self.action)",
            ])
    }

    @Test func `names the frame and no status if a GOAWAY caused it`() throws {
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
    func `names the settings of the credential if APNs rejects the topic`(
        reason: String, app: String, what: String
    ) throws {
        let lines = try alarm(to: app, 400, reason)
        let meaning = lines.first { $0.hasPrefix("meaning=") }
        #expect(meaning?.hasSuffix(what) == true, "\(meaning ?? "")")
        let fix = app == "shop" ? "fix bundle_id or the key" : "fix bundle_id or the certificate"
        #expect(lines.last?.hasPrefix("action=\(fix); offsets are kept") == true, "\(lines)")
    }

    @Test func `names the current credential after a replacement`() throws {
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
