import Encoding
import TLS

@testable import APNsSimulator

/// A judge with the keys of two teams, and requests that it accepts.
struct JudgeFixture {
    static let now: Int64 = 1_900_000_000_000
    static let token = String(repeating: "0f", count: 32)
    static let identifier = "123e4567-e89b-12d3-a456-42665544000a"

    let identity: SimulatorIdentity
    let otherTeam: SimulatorIdentity
    /// A topic-specific key of the first team.
    let limited: SimulatorIdentity
    /// The key that is related to the topic-specific one.
    let related: SimulatorIdentity
    /// A key of the first team for the development environment only.
    let development: SimulatorIdentity
    /// Another team-scoped key of the first team, for production only.
    let renewed: SimulatorIdentity
    let keys: [ProviderKey]

    init() throws {
        identity = try Self.identity(keyID: "KEYNUMBER1", teamID: "TEAMNUMBR1")
        otherTeam = try Self.identity(keyID: "KEYNUMBER2", teamID: "TEAMNUMBR2")
        limited = try Self.identity(keyID: "KEYNUMBER3", teamID: "TEAMNUMBR1")
        var few = try limited.providerKey()
        few.bundleIDs = [[UInt8]("com.example.shop".utf8)]
        related = try Self.identity(keyID: "KEYNUMBER4", teamID: "TEAMNUMBR1")
        var kin = try related.providerKey()
        kin.bundleIDs = [[UInt8]("com.example.app".utf8)]
        kin.relatedKeyID = few.keyID
        development = try Self.identity(keyID: "KEYNUMBER5", teamID: "TEAMNUMBR1")
        var sandbox = try development.providerKey()
        sandbox.environment = .development
        renewed = try Self.identity(keyID: "KEYNUMBER6", teamID: "TEAMNUMBR1")
        var fresh = try renewed.providerKey()
        fresh.environment = .production
        keys = try [identity.providerKey(), otherTeam.providerKey(), few, kin, sandbox, fresh]
    }

    private static func identity(keyID: String, teamID: String) throws -> SimulatorIdentity {
        SimulatorIdentity(
            authorityPEM: [], certificatePEM: [], certificateKeyPEM: [],
            authenticationKey: try SigningKey.generate(), keyID: keyID, teamID: teamID)
    }

    func judge() -> Judge { Judge(keys: keys) }

    /// `bearer …`, issued so many seconds before now.
    func bearer(age: Int64 = 0, of identity: SimulatorIdentity? = nil) throws -> String {
        let token = try (identity ?? self.identity).providerToken(
            issuedAt: Self.now / 1000 - age)
        return "bearer " + String(decoding: token, as: UTF8.self)
    }

    /// A custom bearer token, signed with the known key.
    func bearer(header: String, claims: String) throws -> String {
        let signed =
            Base64.url.encode([UInt8](header.utf8)) + [UInt8](".".utf8)
            + Base64.url.encode([UInt8](claims.utf8))
        let signature = Base64.url.encode(try identity.authenticationKey.sign(signed))
        return "bearer " + String(decoding: signed + [UInt8](".".utf8) + signature, as: UTF8.self)
    }

    /// A valid request with some fields changed, or removed if the value is nil.
    func request(
        _ changes: [String: String?] = [:], body: String = #"{"aps":{"alert":"Hello"}}"#
    ) throws -> PushRequest {
        var fields: [String: String] = [
            ":method": "POST", ":scheme": "https", ":path": "/3/device/" + Self.token,
            ":authority": "localhost", "authorization": try bearer(),
            "apns-id": Self.identifier, "apns-topic": "com.example.app",
            "apns-push-type": "alert", "apns-priority": "10", "apns-expiration": "0",
            "apns-collapse-id": "order-1",
        ]
        for (name, value) in changes { fields[name] = value }
        var request = PushRequest()
        for (name, value) in fields { request.set([UInt8](name.utf8), to: [UInt8](value.utf8)) }
        request.body = [UInt8](body.utf8)
        return request
    }

    /// A new judge's verdict about a valid request with these changes.
    func response(
        _ changes: [String: String?] = [:], body: String = #"{"aps":{"alert":"Hello"}}"#
    ) throws -> String {
        var judge = judge()
        return judge.judge(try request(changes, body: body), wallClock: Self.now).message
    }
}

extension Judgement {
    /// Status and reason in one string.
    var message: String { reason.map { "\(status) \($0)" } ?? "\(status)" }
}
