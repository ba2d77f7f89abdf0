import APNs
import Testing

@testable import Bridge

/// What an operator reads when a line is held.
@Suite struct `The alarm of a held line` {
    private static let remedy =
        "mend it; offsets are kept, nothing is lost, other apps go on; a probe tells when the"
        + " line is free"

    /// Shop pushes with a key, pay with a certificate.
    private func desk() throws -> CoreDesk {
        let desk = try CoreDesk(plan: Samples.twoAppsPlan()) {
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

    private func lines(_ desk: CoreDesk) throws -> [String] {
        let notice = try #require(desk.core.notices.first)
        #expect(
            notice.message == "the line is held: APNs refuses the credential or its configuration")
        return notice.details.map { "\($0.name)=\($0.value)" }
    }

    @Test func `of a key names what belongs to a key`() throws {
        #expect(
            try alarm(to: "shop", 403, "Forbidden") == [
                "status=403", "reason=Forbidden", "apps=shop", "bundle_id=com.example.shop",
                "credential=key SHOP",
                "meaning=The key may not do this: check key, key_id and team_id.",
                "what=\(Self.remedy)",
            ])
    }

    @Test func `of a certificate does not speak of keys`() throws {
        #expect(
            try alarm(to: "pay", 403, "Forbidden") == [
                "status=403", "reason=Forbidden", "apps=pay", "bundle_id=com.example.pay",
                "credential=certificate (CN = Apple Push Services: com.example.pay)",
                "meaning=The certificate may not do this: check certificate, and with Apple that"
                    + " it is not revoked.",
                "what=\(Self.remedy)",
            ])
    }

    @Test func `that a GOAWAY has caused names the frame, and no status that nobody sent`() throws {
        let desk = try desk()
        desk.core.credentialRefused(route: 1, reason: "BadCertificateEnvironment")
        #expect(
            try lines(desk) == [
                "frame=GOAWAY", "reason=BadCertificateEnvironment", "apps=pay",
                "bundle_id=com.example.pay",
                "credential=certificate (CN = Apple Push Services: com.example.pay)",
                "meaning=The certificate is for the other environment: check apns.environment.",
                "what=\(Self.remedy)",
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
        desk.core.renewed(
            route: 1,
            to: .tokens(ProviderTokens(key: key, keyID: "ABC123DEFG", teamID: "DEF123GHIJ")))
        desk.push(offset: 0, more: #","bundle_id":"com.example.pay""#)
        try desk.sendAndAnswer(403, "Forbidden")
        let lines = try lines(desk)
        #expect(lines.contains("credential=key ABC123DEFG of team DEF123GHIJ"))
        #expect(
            lines.contains("meaning=The key may not do this: check key, key_id and team_id."))
    }
}
