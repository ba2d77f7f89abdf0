import Configuration
import Testing

@Suite struct `The login of a connector by tokens` {
    private static let file = "/etc/hostname"

    private func load(_ block: String, kafka: String = "") throws -> (
        connector: Connector?, messages: [String]
    ) {
        var text = Example.text
        if !kafka.isEmpty {
            let line = try #require(text.firstRange(of: "kafka:"))
            text.insert(contentsOf: "\n  \(kafka)", at: line.upperBound)
        }
        let loaded = ConnectorFile.load(
            bytes: Array((text + block).utf8), path: "a.yaml",
            environment: try Example.environment())
        return (loaded.connector, loaded.diagnostics.map(\.message))
    }

    @Test func `is read with all its settings, and sets what librdkafka needs`() throws {
        let (connector, messages) = try load(
            """
            kafka_login:
              oauth:
                token_url: https://login/token
                client_id: bridge
                client_secret: open sesame
                scope: kafka
                extensions: {logicalCluster: lkc-1, identityPoolId: pool-2}

            """)
        #expect(messages == [])
        var expected = KafkaLoginSettings.OAuth(tokenURL: "https://login/token", clientID: "bridge")
        expected.clientSecret = "open sesame"
        expected.scope = "kafka"
        expected.extensionNames = ["identityPoolId", "logicalCluster"]
        expected.extensionValues = ["pool-2", "lkc-1"]
        #expect(connector?.kafkaLogin == .oauth(expected))
        let kafka = connector?.kafka.map { "\($0.name)=\($0.value)" } ?? []
        #expect(kafka.contains("security.protocol=sasl_ssl"))
        #expect(kafka.contains("sasl.mechanism=OAUTHBEARER"))
    }

    @Test func `may come from a file`() throws {
        let (connector, messages) = try load("kafka_login: {token_file: \(Self.file)}\n")
        #expect(messages == [])
        #expect(connector?.kafkaLogin == .file(path: Self.file))
    }

    @Test func `is not used beside a login in 'kafka', which wins`() throws {
        let block = "kafka_login: {token_file: \(Self.file)}\n"
        let (connector, messages) = try load(block, kafka: "security.protocol: ssl")
        #expect(messages == ["'kafka_login' is not used: 'kafka' has security.protocol: ssl"])
        #expect(connector != nil && connector?.kafkaLogin == nil)
        #expect(connector?.kafka.contains { $0.value == "sasl_ssl" } == false)
        let plain = try load(
            block,
            kafka: "sasl.mechanism: PLAIN\n  sasl.username: u\n  sasl.password: p")
        #expect(
            plain.messages.contains("'kafka_login' is not used: 'kafka' has sasl.mechanism: PLAIN"))
        #expect(plain.connector?.kafka.contains { $0.value == "OAUTHBEARER" } == false)
    }

    @Test(arguments: [
        ("", "'kafka_login' has no source of tokens"),
        ("oauth: {}", "'token_url' is missing in kafka_login.oauth"),
        ("token_file: gone", "cannot read 'token_file'"),
        (
            "token_file: \(file), oauth: {token_url: \"https://l\", client_id: b}",
            "'token_file' cannot be used with 'oauth'"
        ),
        ("oauth: {client_id: b, client_secret: s}", "'token_url' is missing in kafka_login.oauth"),
        ("oauth: {token_url: \"https://l\", client_id: b}", "'oauth' has no proof of who asks"),
        (
            "oauth: {token_url: \"https://l\", client_id: b, client_secret: s,"
                + " client_assertion_file: \(file)}",
            "'client_secret' cannot be used with 'client_assertion_file'"
        ),
        (
            "oauth: {token_url: \"https://u:p@l\", client_id: b, client_secret: s}",
            "'token_url' is not the address of a token endpoint"
        ),
        (
            "oauth: {token_url: \"http://l/x\", client_id: b, client_secret: s}",
            "the secret is sent to l without encryption"
        ),
        (
            "oauth: {token_url: \"https://l\", client_id: b, client_secret: s,"
                + " extensions: {auth: x}}",
            "'auth' is not a valid name of an extension"
        ),
        (
            "oauth: {token_url: \"https://l\", client_id: b, client_secret: s,"
                + " extensions: {pool: \"a\\nb\"}}",
            "the extension 'pool' has characters that cannot be sent"
        ),
        (
            "oauth: {token_url: \"https://l\", client_id: b, client_secret: s, ca_file: gone}",
            "cannot read 'ca_file'"
        ),
    ])
    func `is rejected with what is wrong`(block: String, expected: String) throws {
        let messages = try load("kafka_login: {\(block)}\n").messages
        #expect(messages.contains { $0.hasPrefix(expected) }, "\(messages)")
    }

    @Test func `is warned of where the token is sent without encryption`() throws {
        let messages = try load(
            "kafka_login: {token_file: \(Self.file)}\n", kafka: "security.protocol: sasl_plaintext"
        ).messages
        #expect(
            messages == ["the token is sent to the brokers for everyone on the way to read"])
    }

    @Test func `is warned of where the file has the cause`() throws {
        let login = "kafka_login:\n  oauth:\n    token_url: https://l/t\n    client_id: a\n"
            + "    client_secret: b\n"
        func found(_ property: String) throws -> [String] {
            try Example.findings(
                ["  bootstrap": "  bootstrap.servers: localhost:9092\n  \(property)"],
                adding: login)
        }
        #expect(
            try found("security.protocol: sasl_plaintext") == [
                "6:22: warning: the token is sent to the brokers for everyone on the way to read"
                    + " | write security.protocol: sasl_ssl in 'kafka'"
            ])
        #expect(
            try found("security.protocol: ssl") == [
                "23:5: warning: 'kafka_login' is not used: 'kafka' has security.protocol: ssl"
                    + " | remove one of the two"
            ])
    }

    @Test func `is needed only where Kafka is read`() throws {
        let block = """
            kafka_login:
              oauth:
                token_url: "https://l"
                client_id: b
                client_secret: "${env:NO_SUCH_SECRET}"
                ca_file: gone.pem

            """
        func messages(_ mode: ConnectorFile.Mode) throws -> [String] {
            ConnectorFile.load(
                bytes: Array((Example.text + block).utf8), path: "a.yaml",
                environment: try Example.environment(), mode: mode
            ).diagnostics.map(\.message)
        }
        #expect(try messages(.inspect) == [])
        #expect(try messages(.runWithoutKafka) == [])
        for mode in [ConnectorFile.Mode.run, .inspectWithKafka] {
            let found = try messages(mode)
            #expect(found.contains { $0.contains("NO_SUCH_SECRET") }, "\(found)")
            #expect(found.contains { $0.hasPrefix("cannot read 'ca_file'") }, "\(found)")
        }
    }

    @Test func `is what lint advises when nothing supplies tokens`() throws {
        let messages = try load("", kafka: "sasl.mechanism: OAUTHBEARER").messages
        #expect(messages.contains("nothing supplies OAuth tokens"))
    }
}
