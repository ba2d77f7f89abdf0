extension ConnectorKey {
    /// Where tokens for Kafka come from.
    static let kafkaLogin = ConnectorKey(
        "kafka_login", .block(login),
        "Where the tokens come from that the bridge logs in to Kafka with (OAUTHBEARER); a login in"
            + " `kafka` wins.")

    private static let login: [ConnectorKey] = [
        ConnectorKey("oauth", .block(oauth), "The OAuth server that gives them out."),
        ConnectorKey(
            "aws_msk_iam", .block(aws),
            "Instead of `oauth`: the identity that AWS gives to the process, for clusters of Amazon"
                + " MSK with IAM."),
        ConnectorKey(
            "token_file", .text,
            "Instead of `oauth`: a file in which something else keeps the current token; it is read"
                + " every half minute.",
            example: "/var/run/secrets/kafka/token"),
    ]

    private static let aws: [ConnectorKey] = [
        ConnectorKey(
            "region", .text, "The region of the cluster.", isRequired: true,
            example: "eu-west-1"),
        ConnectorKey(
            "role_arn", .text,
            "The role to assume, with the credentials that are found, before the bridge logs in.",
            example: "arn:aws:iam::123456789012:role/apns-bridge"),
    ]

    private static let oauth: [ConnectorKey] = [
        ConnectorKey(
            "token_url", .text, "The address of the token endpoint.", isRequired: true,
            example: "https://login.example.com/oauth2/token"),
        ConnectorKey(
            "client_id", .text, "The client ID of the bridge.", isRequired: true,
            example: "apns-bridge"),
        ConnectorKey(
            "client_secret", .text, "The secret that belongs to it.", example: "secret"),
        ConnectorKey(
            "client_assertion_file", .text,
            "Instead of a secret: a file with a signed assertion (RFC 7523), which is read for each"
                + " token.",
            example: "/var/run/secrets/login/assertion"),
        ConnectorKey("scope", .text, "What the token is for.", example: "kafka"),
        ConnectorKey(
            "extensions", .properties, "Pairs that are sent to the brokers with the token.",
            example: "{logicalCluster: lkc-1234}"),
        ConnectorKey(
            "ca_file", .text,
            "A PEM file of the certificate authorities to trust at the token endpoint; by default"
                + " the system's.",
            example: "ca.pem"),
    ]
}
