import Configuration
import Testing

@Suite struct `The login of a connector to Amazon MSK` {
    private func load(
        _ login: String, kafka: String = "", environment: [String: String] = [:]
    ) throws -> (connector: Connector?, messages: [String]) {
        var text = Example.text
        if !kafka.isEmpty {
            let line = try #require(text.firstRange(of: "kafka:"))
            text.insert(contentsOf: "\n  \(kafka)", at: line.upperBound)
        }
        let loaded = ConnectorFile.load(
            bytes: Array((text + "kafka_login: \(login)\n").utf8), path: "a.yaml",
            environment: try Example.environment().merging(environment) { $1 })
        let messages = loaded.diagnostics.map { "\($0.message) | \($0.remedy ?? "")" }
        return (loaded.connector, messages)
    }

    private static let role = "arn:aws:iam::123456789012:role/apns/bridge"

    @Test(arguments: [
        (
            "",
            "'kafka_login' must be a map, but has no value | write kafka_login: with oauth,"
                + " aws_msk_iam or token_file"
        ),
        (
            "{}",
            "'kafka_login' has no source of tokens | write oauth: with token_url and client_id,"
                + " aws_msk_iam: with region, or token_file: PATH"
        ),
        (
            "{aws_msk_iam: }",
            "'aws_msk_iam' must be a map, but has no value | write aws_msk_iam: with region"
        ),
        (
            "{aws_msk_iam: {}}",
            "'region' is missing in kafka_login.aws_msk_iam | write region: eu-west-1"
        ),
        (
            "{aws_msk_iam: {region: eu-west-l}}",
            "'region' is not the name of a region of AWS | did you mean 'eu-west-1'?"
        ),
        (
            "{aws_msk_iam: {region: \"kafka.amazonaws.com/\"}}",
            "'region' is not the name of a region of AWS | write the region of the cluster, such"
                + " as eu-west-1"
        ),
        (
            "{aws_msk_iam: {region: eu-wst-1}}",
            "'eu-wst-1' is not a known region of AWS | did you mean 'eu-west-1'?"
        ),
        (
            "{aws_msk_iam: {region: eu-west-1, role_arn: bridge}}",
            "'role_arn' is not the ARN of a role | write arn:aws:iam::123456789012:role/NAME"
        ),
        (
            "{aws_msk_iam: {region: eu-west-1, role: bridge}}",
            "unknown key 'role' in kafka_login.aws_msk_iam | did you mean 'role_arn'?"
        ),
        (
            "{aws_msk_iam: {region: eu-west-1}, oauth: {token_url: \"https://l\", client_id: b,"
                + " client_secret: s}}",
            "'aws_msk_iam' cannot be used with 'oauth' | keep one of the two"
        ),
        (
            "{aws_msk_iam: {region: eu-west-1}, token_file: /etc/hostname}",
            "'token_file' cannot be used with 'aws_msk_iam' | keep one of the two"
        ),
    ])
    func `is rejected with what to write`(login: String, expected: String) throws {
        let messages = try load(login).messages
        #expect(messages == [expected])
    }

    @Test(arguments: [
        (
            "sasl.mechanisms: SCRAM-SHA-512",
            "'kafka_login' is not used: 'kafka' has sasl.mechanism: SCRAM-SHA-512 | remove one of"
                + " the two"
        ),
        (
            "sasl.mechanism: AWS_MSK_IAM",
            "only Java clients have the mechanism AWS_MSK_IAM | remove it"
        ),
        (
            "security.protocol: ssl",
            "'kafka_login' is not used: 'kafka' has security.protocol: ssl | remove one of the two"
        ),
        (
            "security.protocol: sasl_plaintext",
            "the token is sent to the brokers for everyone on the way to read | write"
                + " security.protocol: sasl_ssl in 'kafka'"
        ),
    ])
    func `reports properties that contradict it`(property: String, expected: String) throws {
        let messages = try load("{aws_msk_iam: {region: eu-west-1}}", kafka: property).messages
        #expect(messages.contains(expected), "\(messages)")
    }

    @Test func `is what a mechanism of Java clients stands for`() throws {
        let loaded = ConnectorFile.load(
            bytes: Array(
                Example.text.replacing("kafka:", with: "kafka:\n  sasl.mechanism: AWS_MSK_IAM")
                    .utf8), path: "a.yaml", environment: try Example.environment())
        let remedy =
            "remove it, and add kafka_login at the top level:"
            + " {aws_msk_iam: {region: eu-west-1}}"
        #expect(loaded.diagnostics.contains { $0.remedy == remedy }, "\(loaded.diagnostics)")
    }

    @Test func `has the identity that the environment names, and nothing else`() throws {
        let (connector, messages) = try load(
            "{aws_msk_iam: {region: eu-west-1, role_arn: \"\(Self.role)\"}}",
            environment: [
                "AWS_ACCESS_KEY_ID": "AKID", "AWS_PROFILE": "", "HOME": "/root", "PATH": "/bin",
            ])
        #expect(messages == [])
        let expected = KafkaLoginSettings.AWSMSK(
            region: "eu-west-1", roleARN: Self.role,
            environment: ["AWS_ACCESS_KEY_ID": "AKID", "HOME": "/root"])
        #expect(connector?.kafkaLogin == .awsMSK(expected))
        let kafka = connector?.kafka.map { "\($0.name)=\($0.value)" } ?? []
        #expect(kafka.contains("security.protocol=sasl_ssl"))
        #expect(kafka.contains("sasl.mechanism=OAUTHBEARER"))
    }
}
