import HTTP2
import TLS
import Testing

@testable import APNsSimulator

@Suite struct `The judge of certificates` {
    static let authority = Result { try CertificateAuthority.generate(name: "Test Authority") }
    private static let bundleID = "com.example.app"

    let fixture: JudgeFixture

    init() throws { fixture = try JudgeFixture() }

    /// A judge of a connection whose client has authenticated with a certificate.
    private func judge(
        topics: [String] = [bundleID, bundleID + ".voip", bundleID + ".location-query"],
        isForDevelopment: Bool = true, isForProduction: Bool = true,
        environment: ProviderKey.Environment = .production
    ) throws -> Judge {
        let issued = try Self.authority.get().issueClient(
            bundleID: Self.bundleID, apnsTopics: topics, isForDevelopment: isForDevelopment,
            isForProduction: isForProduction)
        let client = try ClientCertificate(
            pem: issued.certificatePEM, keyPEM: issued.keyPEM)
        var judge = Judge(keys: fixture.keys, environment: environment)
        judge.certificate = CertificateCredential(client.description, environment: environment)
        return judge
    }

    private func response(
        _ changes: [String: String?] = [:], topics: [String]? = nil,
        body: String = #"{"aps":{"alert":"Hello"}}"#
    ) throws -> String {
        var changes = changes
        if changes["authorization"] == nil { changes.updateValue(nil, forKey: "authorization") }
        let request = try fixture.request(changes, body: body)
        var judge = try topics.map { try self.judge(topics: $0) } ?? self.judge()
        return judge.judge(request, wallClock: JudgeFixture.now).message
    }

    @Test func `rejects one that is not for pushes`() throws {
        var judge = try judge(isForDevelopment: false, isForProduction: false)
        let request = try fixture.request()
        #expect(judge.judge(request, wallClock: JudgeFixture.now).message == "403 BadCertificate")
    }

    @Test(arguments: ProviderKey.Environment.allCases)
    func `rejects one for the other environment`(environment: ProviderKey.Environment) throws {
        var foreign = try judge(
            isForDevelopment: environment == .production,
            isForProduction: environment == .development, environment: environment)
        let request = try fixture.request()
        #expect(
            foreign.judge(request, wallClock: JudgeFixture.now).message
                == "403 BadCertificateEnvironment")
        var own = try judge(
            isForDevelopment: environment == .development,
            isForProduction: environment == .production, environment: environment)
        #expect(own.judge(request, wallClock: JudgeFixture.now) == .accepted)
    }

    @Test(arguments: [nil, "bearer x", "nonsense"])
    func `never checks a provider token`(authorization: String?) throws {
        #expect(try response(["authorization": authorization]) == "200")
    }

    @Test func `lets a certificate push only to its own topics`() throws {
        #expect(try response(["apns-topic": "com.example.app"]) == "200")
        #expect(
            try response(["apns-topic": "com.example.app.voip", "apns-push-type": "voip"]) == "200")
        #expect(try response(["apns-topic": "com.example.shop"]) == "400 TopicDisallowed")
        let foreign = [
            "apns-topic": "com.example.app.complication", "apns-push-type": "complication",
        ]
        #expect(try response(foreign) == "400 TopicDisallowed")
    }

    @Test func `assumes the only topic of a certificate if none is named`() throws {
        let none: [String: String?] = ["apns-topic": nil]
        #expect(try response(none, topics: ["com.example.app"]) == "200")
        #expect(try response(none) == "400 MissingTopic")
    }

    @Test func `requires the push type of the topic that was not named`() throws {
        let voip: [String: String?] = ["apns-topic": nil, "apns-push-type": "voip"]
        #expect(try response(voip, topics: ["com.example.app"]) == "400 InvalidPushType")
    }

    @Test func `rejects location pushes with a certificate`() throws {
        let location = [
            "apns-push-type": "location", "apns-topic": "com.example.app.location-query",
        ]
        #expect(try response(location) == "400 TopicDisallowed")
    }

    @Test func `accepts pushes for device management with a certificate`() throws {
        let topic = "com.apple.mgmt.External.a1b2"
        let body = #"{"mdm":"A1B2"}"#
        let push = ["apns-push-type": "mdm", "apns-topic": topic]
        #expect(try response(push, topics: [topic], body: body) == "200")
        let other = ["apns-push-type": "mdm", "apns-topic": "com.example.app"]
        #expect(try response(other, body: body) == "400 InvalidPushType")
    }
}

@Suite struct `A connection with a client certificate` {
    private func service(_ scenario: Scenario = .builtIn) throws -> SimulatorService {
        try SimulatorService(
            SimulatorConfiguration(
                identity: try ScenarioStage.identity.get(), scenario: scenario))
    }

    private func client(_ service: SimulatorService) throws -> MemoryClient {
        let identity = try ScenarioStage.identity.get()
        let certificate = try identity.clientCertificate()
        var client = try MemoryClient(
            service: service, identity: identity, certificate: certificate)
        try client.start()
        return client
    }

    @Test func `may open a thousand streams at once`() throws {
        let client = try client(service())
        #expect(client.http.peerStreamLimit == 1000)
    }

    @Test func `pushes without a provider token`() throws {
        let service = try service()
        var client = try client(service)
        var request = client.request()
        request.authorization = []
        #expect(try client.push(request) == ["200"])
        request.topic = [UInt8]("com.example.shop".utf8)
        #expect(try client.push(request) == [#"400 {"reason":"TopicDisallowed"}"#])
        let apps = service.memory?.requests().requests.map(\.app)
        #expect(apps == ["com.example.shop", "com.example.app"])
    }

    @Test func `may be that of a device management server, besides those of apps`() throws {
        var identity = try ScenarioStage.identity.get()
        let issued = try SimulatorIdentity.issueClient(.management)
        identity.trust(issued)
        let service = try SimulatorService(SimulatorConfiguration(identity: identity))
        for (topic, response) in [
            (FurtherCertificate.management.topic, "200"), ("", "200"),
            ("com.example.app", #"400 {"reason":"TopicDisallowed"}"#),
        ] {
            var client = try MemoryClient(
                service: service, identity: identity,
                certificate: try ClientCertificate(pem: issued.pem))
            try client.start()
            var request = client.request()
            request.authorization = []
            request.pushType = [UInt8]("mdm".utf8)
            request.topic = [UInt8](topic.utf8)
            request.priority = []
            #expect(try client.push(request) == [response])
        }
        var other = try MemoryClient(
            service: service, identity: identity, certificate: try identity.clientCertificate())
        try other.start()
        var request = other.request()
        request.authorization = []
        #expect(try other.push(request) == ["200"])
    }

    @Test func `shows pushes of a one-topic certificate under its app`() throws {
        let authority = try CertificateAuthority.generate(name: "Clients")
        let issued = try authority.issueClient(bundleID: "com.example.one")
        var identity = try ScenarioStage.identity.get()
        identity.clientAuthorityPEM = authority.certificatePEM
        identity.clientPEM = issued.certificatePEM + issued.keyPEM
        let service = try SimulatorService(SimulatorConfiguration(identity: identity))
        let certificate = try identity.clientCertificate()
        var client = try MemoryClient(
            service: service, identity: identity, certificate: certificate)
        try client.start()
        var request = client.request()
        request.authorization = []
        request.topic = []
        #expect(try client.push(request) == ["200"])
        let device = try service.memory?.device(JudgeFixture.token, at: JudgeFixture.now)
        #expect(device?.lockScreen.notifications.map(\.app) == ["com.example.one"])
    }

    @Test func `is refused if an unknown authority issued the certificate`() throws {
        let stranger = try CertificateAuthority.generate(name: "Stranger")
        let issued = try stranger.issueClient(bundleID: "com.example.app")
        let certificate = try ClientCertificate(pem: issued.certificatePEM, keyPEM: issued.keyPEM)
        let identity = try ScenarioStage.identity.get()
        let service = try SimulatorService(SimulatorConfiguration(identity: identity))
        var client = try MemoryClient(
            service: service, identity: identity, certificate: certificate)
        #expect(throws: TLSError.self) {
            try client.start()
            _ = try client.push(client.request())
        }
        let isEnded = client.server.isEnded
        #expect(isEnded)
    }

    @Test(arguments: ["wrong-environment", "bad-certificate"])
    func `may learn of its fault from a GOAWAY alone`(scenario: String) throws {
        let reason = scenario == "bad-certificate" ? "BadCertificate" : "BadCertificateEnvironment"
        var client = try client(service(Scenario.find(scenario)))
        _ = client.received()
        let message = try client.pushAtOnce(1)
        #expect(message.contains(#"goaway 0 0 {"reason":"\#(reason)"}"#))
        #expect(message.contains("not processed"))
    }
}
