internal import Spelling
internal import YAML

/// What is checked of the security of the connection to Kafka.
extension KafkaBlock {
    /// The properties that name files that librdkafka opens, and whether each may be a folder.
    private static let files: [String: Bool] = [
        "ssl.ca.location": true, "ssl.certificate.location": false, "ssl.key.location": false,
        "ssl.crl.location": false, "ssl.keystore.location": false,
        "sasl.kerberos.keytab": false,
    ]

    /// How clients in Java log in to Amazon MSK; librdkafka sends the same as an OAuth token.
    static let javaMechanism = "AWS_MSK_IAM"

    /// More bytes than any bundle of certificates has.
    private static let fileLimit = 16 << 20

    /// A property with its path made relative to the folder of the connector file.
    func inFolder(_ property: Setting.Property) -> Setting.Property {
        guard Self.files[property.name] != nil, !property.value.isEmpty,
            property.name != "ssl.ca.location" || property.value != "probe"
        else { return property }
        var property = property
        property.value = FilePath.resolve(property.value, in: folder)
        return property
    }

    /// Refuses files whose opening can act or never end: devices, pipes, and those of `/proc`.
    /// False if there is one.
    func checkFiles(_ properties: [Setting.Property]) -> Bool {
        var areRegular = true
        for property in properties {
            // librdkafka looks for the system's authorities then.
            if property.name == "ssl.ca.location", property.value == "probe" { continue }
            guard let takesFolder = Self.files[property.name],
                let fault = InputFile.fault(
                    of: property.value, limit: Self.fileLimit, folder: takesFolder)
            else { continue }
            areRegular = false
            findings.error(
                property.node, "cannot read '\(property.name)': \(fault)",
                "name a file in PEM format")
        }
        for property in properties
        where ["ssl.key.location", "ssl.keystore.location", "sasl.kerberos.keytab"].contains(
            property.name) && isExposed(property.value)
        {
            findings.warning(
                property.node, "other users can read or write the file of '\(property.name)'",
                "run: chmod 600 on that file")
        }
        return areRegular
    }

    private func isExposed(_ path: String) -> Bool {
        InputFile.isOpenToOthers(path) || InputFile.isWritableByOthers(path)
    }

    /// Warns of settings with which anyone on the way can read or change what is exchanged.
    func adviseOnSecurity(_ properties: [Setting.Property]) {
        func last(_ name: String) -> Setting.Property? { properties.last { $0.name == name } }
        if let property = last("enable.ssl.certificate.verification"), property.value == "false" {
            findings.warning(
                property.node, "without verification anyone on the way can be the broker",
                "remove it, and name the broker's authority in ssl.ca.location")
        }
        if let property = last("ssl.endpoint.identification.algorithm"), property.value == "none" {
            findings.warning(
                property.node,
                "any host with a certificate of the same authority can be the broker",
                "write https, or remove it")
        }
        let mechanism = last("sasl.mechanism") ?? last("sasl.mechanisms")
        if let mechanism, mechanism.value.uppercased() == Self.javaMechanism {
            findings.error(
                mechanism.node, "only Java clients have the mechanism \(Self.javaMechanism)",
                login?.isSet == true
                    ? "remove it"
                    : "remove it, and add kafka_login at the top level:"
                        + " {aws_msk_iam: {region: eu-west-1}}")
        }
        if let mechanism, mechanism.value.uppercased() == "OAUTHBEARER",
            login?.isSet != true,
            last("sasl.oauthbearer.method")?.value.lowercased() != "oidc",
            last("enable.sasl.oauthbearer.unsecure.jwt")?.value != "true"
        {
            findings.error(
                mechanism.node, "nothing supplies OAuth tokens",
                "add kafka_login at the top level: {oauth: {token_url, client_id, client_secret}},"
                    + " {aws_msk_iam: {region}} or {token_file: PATH}")
        }
        let password = last("sasl.password")
        let isPlain = mechanism.map { $0.value.uppercased() == "PLAIN" } ?? false
        let isEncrypted = last("security.protocol").map { $0.value.lowercased().hasSuffix("ssl") }
        guard isPlain, let location = mechanism ?? password, isEncrypted != true else { return }
        findings.warning(
            location.node, "PLAIN without TLS sends the password for everyone on the way to read",
            "write security.protocol: SASL_SSL, or use SCRAM-SHA-512")
    }
}
