internal import Encoding
internal import YAML

/// Reads the `kafka_login:` block.
struct KafkaLoginBlock {
    let settings: [String: Setting]
    let resolver: ReferenceResolver
    let findings: Findings

    /// Reads the `kafka:` block and this one, each of which counts for the other. Properties are
    /// nil when there are none.
    func readWithKafka() -> (
        properties: [(name: String, value: String)]?, login: KafkaLoginSettings?
    ) {
        let properties = KafkaBlock(
            setting: settings["kafka"], folder: resolver.folder, findings: findings, login: self
        ).read()
        return (properties, read(beside: properties ?? []))
    }

    private static let mechanisms = ["sasl.mechanism", "sasl.mechanisms"]

    /// What a login with tokens needs of `kafka`, unless the user set it.
    func properties(beside written: [(name: String, value: String)]) -> [(
        name: String, value: String
    )] {
        guard isSet else { return [] }
        func sets(_ names: [String]) -> Bool { written.contains { names.contains($0.name) } }
        return (sets(["security.protocol"]) ? [] : [("security.protocol", "sasl_ssl")])
            + (sets(Self.mechanisms) ? [] : [("sasl.mechanism", "OAUTHBEARER")])
    }

    /// True when there is such a block, whether it is right or wrong.
    var isSet: Bool { anyKey != nil }

    /// The settings; nil when there are none, when something is wrong, or when `kafka` has a login
    /// of its own. Every problem is reported.
    func read(beside kafka: [(name: String, value: String)]) -> KafkaLoginSettings? {
        guard let key = anyKey else { return nil }
        let sources = Self.sources.compactMap { name in anyKey(name).map { (name: name, key: $0) } }
        guard let source = sources.first else {
            findings.error(
                key, "'kafka_login' has no source of tokens",
                "write oauth: with token_url and client_id, aws_msk_iam: with region, or"
                    + " token_file: PATH")
            return nil
        }
        for other in sources.dropFirst() {
            findings.error(
                source.key, "'\(source.name)' cannot be used with '\(other.name)'",
                "keep one of the two")
        }
        switch source.name {
        case "token_file":
            return checked(path("token_file").map { .file(path: $0) }, key, kafka)
        case "aws_msk_iam": return checked(readAWS(), key, kafka)
        // An empty 'oauth' lacks keys, which is reported already.
        default: return setting("oauth") == nil ? checked(readOAuth(), key, kafka) : nil
        }
    }

    /// The keys that each are a source of tokens.
    private static let sources = ["token_file", "aws_msk_iam", "oauth"]

    func setting(_ name: String) -> Setting? { settings["kafka_login.\(name)"] }

    private var anyKey: YAMLNode? { anyKey(at: "kafka_login") }

    /// The first key of a source of tokens; nil when it is not written.
    private func anyKey(_ source: String) -> YAMLNode? { anyKey(at: "kafka_login.\(source)") }

    private func anyKey(at path: String) -> YAMLNode? {
        settings.filter { $0.key == path || $0.key.hasPrefix(path + ".") }.map(\.value.key)
            .min { ($0.location.line, $0.location.column) < ($1.location.line, $1.location.column) }
    }

    /// A property of `kafka`, where it is written.
    private func property(_ name: String) -> YAMLNode? {
        guard case .properties(let properties)? = settings["kafka"]?.value else { return nil }
        return properties.last { $0.name == name }?.node
    }

    /// The user's own properties win; a login that is not used is said to be so.
    private func checked(
        _ login: KafkaLoginSettings?, _ key: YAMLNode, _ kafka: [(name: String, value: String)]
    ) -> KafkaLoginSettings? {
        func last(_ name: String) -> String? { kafka.last { $0.name == name }?.value }
        let mechanism = last("sasl.mechanism") ?? last("sasl.mechanisms")
        let own: String? =
            if let mechanism, mechanism.uppercased() != "OAUTHBEARER" {
                "sasl.mechanism: \(mechanism)"
            } else if last("sasl.oauthbearer.method")?.lowercased() == "oidc" {
                "sasl.oauthbearer.method: oidc"
            } else if last("enable.sasl.oauthbearer.unsecure.jwt") == "true" {
                "enable.sasl.oauthbearer.unsecure.jwt"
            } else if let security = last("security.protocol"),
                !security.lowercased().hasPrefix("sasl")
            {
                "security.protocol: \(security)"
            } else {
                nil
            }
        // Said where the property is checked.
        if mechanism?.uppercased() == KafkaBlock.javaMechanism { return login }
        if let own {
            findings.warning(
                key, "'kafka_login' is not used: 'kafka' has \(own)", "remove one of the two")
            return nil
        }
        if last("security.protocol")?.lowercased() == "sasl_plaintext" {
            findings.warning(
                property("security.protocol") ?? key,
                "the token is sent to the brokers for everyone on the way to read",
                "write security.protocol: sasl_ssl in 'kafka'")
        }
        return login
    }

    private func readOAuth() -> KafkaLoginSettings? {
        let secret = setting("oauth.client_secret")
        let assertion = setting("oauth.client_assertion_file")
        if let secret, assertion != nil {
            findings.error(
                secret.key, "'client_secret' cannot be used with 'client_assertion_file'",
                "keep one of the two")
        }
        if secret == nil, assertion == nil, let id = setting("oauth.client_id") {
            findings.error(
                id.key, "'oauth' has no proof of who asks",
                "add client_secret, or client_assertion_file: PATH")
        }
        guard let url = setting("oauth.token_url")?.text, let id = setting("oauth.client_id")?.text
        else { return nil }
        var oauth = KafkaLoginSettings.OAuth(tokenURL: url, clientID: id)
        oauth.clientSecret = secret?.text
        oauth.assertionFile = path("oauth.client_assertion_file")
        oauth.scope = setting("oauth.scope")?.text
        oauth.caFile = path("oauth.ca_file")
        if let file = oauth.caFile { resolver.files.add(file) }
        readExtensions(&oauth)
        checkAddress(url)
        return .oauth(oauth)
    }

    private func readExtensions(_ oauth: inout KafkaLoginSettings.OAuth) {
        guard let setting = setting("oauth.extensions"),
            case .properties(let properties) = setting.value
        else { return }
        for property in properties.sorted(by: { $0.name < $1.name }) {
            let isName = property.name.utf8.allSatisfy { $0 | 0x20 >= 97 && $0 | 0x20 <= 122 }
            let isValue = property.value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
            if !isName || property.name.isEmpty || property.name == "auth" {
                findings.error(
                    property.key, "'\(property.name)' is not a valid name of an extension",
                    "write letters only, and not 'auth'")
            } else if !isValue {
                findings.error(
                    property.node, "the extension '\(property.name)' has characters that cannot"
                        + " be sent", "write printable ASCII characters only")
            }
            oauth.extensionNames.append(property.name)
            oauth.extensionValues.append(property.value)
        }
    }

    private func checkAddress(_ url: String) {
        guard let setting = setting("oauth.token_url") else { return }
        guard WebAddress.isPlain(url) else {
            return findings.error(
                setting.node, "'token_url' is not the address of a token endpoint",
                "write https://host/path, without user and fragment")
        }
        if WebAddress.isReadableOnTheWay(url) {
            findings.warning(
                setting.node, "the secret is sent to \(WebAddress.host(url)) without encryption",
                "write https://")
        }
    }

    /// The path of a file, which starts at the folder of the connector.
    private func path(_ name: String) -> String? {
        let last = name.split(separator: ".").last.map(String.init) ?? name
        return findings.path(of: setting(name), last, in: "kafka_login", resolver)
    }
}

/// What can be said of the address of a web service.
enum WebAddress {
    /// True for an address without a user and without a fragment, in characters that need no
    /// encoding.
    static func isPlain(_ url: String) -> Bool {
        guard url.hasPrefix("http://") || url.hasPrefix("https://"), !host(url).isEmpty else {
            return false
        }
        return url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !url.contains("#")
            && !host(url).contains("@")
    }

    /// True when others on the way can read what is sent.
    static func isReadableOnTheWay(_ url: String) -> Bool {
        guard url.hasPrefix("http://") else { return false }
        let host = host(url)
        if host.hasPrefix("[") {
            return !Loopback.contains(String(host.dropFirst().prefix { $0 != "]" }))
        }
        return !Loopback.contains(String(host.prefix { $0 != ":" }))
    }

    /// The host, with its port.
    static func host(_ url: String) -> String {
        guard let slashes = url.firstRange(of: "://") else { return "" }
        return String(url[slashes.upperBound...].prefix { $0 != "/" && $0 != "?" })
    }
}
