import TLS
import Testing

@testable import APNsSimulator

/// For each row of the judge's table, requests of one connection whose last one breaks it.
@Suite struct `The judge's table for pushes` {
    let fixture: JudgeFixture

    init() throws { fixture = try JudgeFixture() }

    private typealias Changes = [String: String?]

    /// Requests of one connection, whose last one breaks a row, and the client's certificate.
    private struct Case {
        let row: String
        let requests: [PushRequest]
        let certificate: CertificateCredential?

        init(
            _ row: String, _ requests: [PushRequest], certificate: CertificateCredential? = nil
        ) {
            self.row = row
            self.requests = requests
            self.certificate = certificate
        }
    }

    private func certificate(
        isForDevelopment: Bool = false, isForProduction: Bool = false
    ) throws -> CertificateCredential {
        let authority = try `The judge of certificates`.authority.get()
        let issued = try authority.issueClient(
            bundleID: "com.example.app",
            apnsTopics: ["com.example.app", "com.example.app.location-query"],
            isForDevelopment: isForDevelopment, isForProduction: isForProduction)
        let client = try ClientCertificate(pem: issued.certificatePEM, keyPEM: issued.keyPEM)
        return CertificateCredential(client.description, environment: .production)
    }

    private func bearer(kid: String = "KEYNUMBER1", iss: String = "TEAMNUMBR1") throws -> String {
        try fixture.bearer(
            header: #"{"alg":"ES256","kid":"\#(kid)"}"#,
            claims: #"{"iss":"\#(iss)","iat":\#(JudgeFixture.now / 1000)}"#)
    }

    private func credentialCases() throws -> [Case] {
        let good = try fixture.request()
        func with(_ authorization: String?) throws -> PushRequest {
            try fixture.request(["authorization": authorization])
        }
        return [
            Case(
                "403 the certificate is not a push certificate", [good],
                certificate: try certificate()),
            Case(
                "403 the certificate is for the other environment", [good],
                certificate: try certificate(isForDevelopment: true)),
            Case("403 no bearer token", [try with(nil)]),
            Case("403 it is not a JSON Web Token", [try with("bearer x")]),
            Case("403 its key is unknown", [try with(bearer(kid: "KEYNUMBER9"))]),
            Case("403 its team does not match the key's", [try with(bearer(iss: "TEAMNUMBR2"))]),
            Case(
                "403 its signature is invalid",
                [try with(bearer(kid: "KEYNUMBER2", iss: "TEAMNUMBR2"))]
            ),
            Case(
                "403 its key is for the other environment",
                [try with(fixture.bearer(of: fixture.development))]
            ),
            Case("403 it is older than an hour", [try with(fixture.bearer(age: 3601))]),
            Case("403 it was issued in the future", [try with(fixture.bearer(age: -60))]),
            Case(
                "403 the connection belongs to another team",
                [good, try with(fixture.bearer(of: fixture.otherTeam))]
            ),
            Case(
                "403 the connection belongs to an unrelated key",
                [good, try with(fixture.bearer(of: fixture.limited))]
            ),
            Case(
                "429 the key's previous token was first used less than 20 minutes ago",
                [good, try with(fixture.bearer(age: 9))]
            ),
        ]
    }

    private func fieldCases() throws -> [Case] {
        let cases: [(String, Changes)] = [
            ("400 apns-topic is missing", ["apns-topic": nil]),
            ("400 apns-topic is not a bundle identifier", ["apns-topic": "a b"]),
            (
                "400 the credential is for other apps",
                ["authorization": try fixture.bearer(of: fixture.limited)]
            ),
            ("400 mdm topics require a certificate", ["apns-push-type": "mdm"]),
            ("400 unknown push type", ["apns-push-type": "silent"]),
            ("400 apns-topic is for another push type", ["apns-push-type": "voip"]),
            ("400 apns-id is not a UUID", ["apns-id": "x"]),
            ("400 apns-expiration is not a time", ["apns-expiration": "x"]),
            ("400 apns-priority is not 10, 5 or 1", ["apns-priority": "3"]),
            ("400 a background push must have priority 5", ["apns-push-type": "background"]),
            (
                "400 apns-collapse-id is over 64 bytes",
                ["apns-collapse-id": String(repeating: "x", count: 65)]
            ),
            ("400 the path has no token", [":path": "/3/device/"]),
            ("400 the token is not at least 64 hexadecimal digits", [":path": "/3/device/x"]),
        ]
        var all = try cases.map { Case($0.0, [try fixture.request($0.1)]) }
        let location = try fixture.request([
            "apns-push-type": "location", "apns-topic": "com.example.app.location-query",
        ])
        let position = try #require(all.firstIndex { $0.row == "400 unknown push type" })
        all.insert(
            Case(
                "400 location pushes require a provider token", [location],
                certificate: try certificate(isForProduction: true)), at: position)
        return all
    }

    private func bodyCases() throws -> [Case] {
        let long = #"{"a":""# + String(repeating: "x", count: 5200) + #""}"#
        return [
            Case("400 the payload is missing", [try fixture.request(body: "")]),
            Case("413 over 4096 bytes, or 5120 for voip", [try fixture.request(body: long)]),
            Case("400 the payload is not a JSON object", [try fixture.request(body: "[]")]),
            Case(
                "400 only content-available, but priority is not 5",
                [
                    try fixture.request(
                        ["apns-push-type": nil], body: #"{"aps":{"content-available":1}}"#)
                ]),
        ]
    }

    @Test func `has a request that breaks each row and none before it`() throws {
        var twice = try fixture.request()
        twice.set([UInt8]("apns-id".utf8), to: [UInt8](JudgeFixture.identifier.utf8))
        let first: [Case] = [
            Case("405 the method is not POST", [try fixture.request([":method": "GET"])]),
            Case("404 the path is not /3/device/TOKEN", [try fixture.request([":path": "/"])]),
            Case("400 a header field is repeated", [twice]),
        ]
        let cases = try first + credentialCases() + fieldCases() + bodyCases()
        #expect(Judge.rules.map { "\($0.status) \($0.fault)" } == cases.map(\.row))
        for (number, entry) in cases.enumerated() {
            var judge = fixture.judge()
            judge.certificate = entry.certificate
            for request in entry.requests.dropLast() {
                let broken = judge.brokenRule(request, wallClock: JudgeFixture.now)
                #expect(broken == nil, "\(entry.row)")
            }
            let last = try #require(entry.requests.last)
            let broken = judge.brokenRule(last, wallClock: JudgeFixture.now)
            #expect(broken == number, "\(entry.row)")
        }
    }
}
