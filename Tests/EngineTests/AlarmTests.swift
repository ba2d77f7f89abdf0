import APNs
import BridgeSamples
import Testing

@testable import Engine

/// What an operator reads when sending is suspended.
@Suite struct `The alarm about a suspended app` {
    /// Shop pushes with a key, pay with a certificate.
    private func harness() throws -> EngineHarness {
        let harness = try EngineHarness(plan: Samples.twoAppsPlan()) {
            $0.apps = Samples.twoApps
            $0.apps[1].credential = "certificate (CN = Apple Push Services: com.example.pay)"
            $0.apps[1].credentialKind = .certificate
        }
        harness.assign()
        return harness
    }

    /// The first notice after APNs has rejected a push to an app.
    private func alarm(
        to app: String, _ status: Int, _ reason: String
    ) throws -> Notice.Suspension {
        let harness = try harness()
        harness.push(offset: 0, more: #","bundle_id":"com.example.\#(app)""#)
        try harness.sendAndRespond(status, reason)
        return try suspension(harness)
    }

    private func suspension(_ harness: EngineHarness) throws -> Notice.Suspension {
        try #require(harness.engine.notices.first?.suspension)
    }

    @Test func `names the settings of the key if the app uses a key`() throws {
        let alarm = try alarm(to: "shop", 403, "Forbidden")
        #expect(alarm.cause == .response(status: 403, reason: "Forbidden"))
        #expect(alarm.apps == ["shop"] && alarm.bundleIDs == ["com.example.shop"])
        #expect(alarm.credential == "key SHOP")
        #expect(
            alarm.meaning == "The key does not permit this: check key, key_id and team_id.")
    }

    @Test func `names the certificate and no key if the app uses a certificate`() throws {
        let alarm = try alarm(to: "pay", 403, "Forbidden")
        #expect(
            alarm.credential == "certificate (CN = Apple Push Services: com.example.pay)")
        #expect(
            alarm.meaning
                == "The certificate does not permit this: check certificate, and that Apple"
                + " has not revoked it.")
    }

    @Test func `names the frame and no status if a GOAWAY caused it`() throws {
        let harness = try harness()
        harness.engine.credentialRefused(route: 1, reason: "BadCertificateEnvironment")
        let alarm = try suspension(harness)
        #expect(alarm.cause == .goAway(reason: "BadCertificateEnvironment"))
        #expect(alarm.apps == ["pay"] && alarm.bundleIDs == ["com.example.pay"])
        #expect(
            alarm.meaning
                == "The certificate is for the other environment: check apns.environment.")
    }

    @Test(arguments: [
        ("TopicDisallowed", "shop", "bundle_id, key and team_id."),
        ("TopicDisallowed", "pay", "bundle_id and certificate."),
    ])
    func `names the settings of the credential if APNs rejects the topic`(
        reason: String, app: String, what: String
    ) throws {
        let alarm = try alarm(to: app, 400, reason)
        #expect(alarm.meaning.hasSuffix(what), "\(alarm.meaning)")
        let fix = app == "shop" ? "fix bundle_id or the key" : "fix bundle_id or the certificate"
        #expect(alarm.fix == fix)
    }

    @Test func `names the current credential after a replacement`() throws {
        let harness = try harness()
        let key = try Samples.signingKey.get()
        harness.engine.credentialAdopted(
            .tokens(ProviderTokens(key: key, keyID: "ABC123DEFG", teamID: "DEF123GHIJ")), .first,
            route: 1)
        harness.push(offset: 0, more: #","bundle_id":"com.example.pay""#)
        try harness.sendAndRespond(403, "Forbidden")
        let alarm = try suspension(harness)
        #expect(alarm.credential == "key ABC123DEFG of team DEF123GHIJ")
        #expect(
            alarm.meaning == "The key does not permit this: check key, key_id and team_id.")
    }
}
