internal import Mapping
internal import YAML

/// Reads the `schema_registry:` block.
struct RegistryBlock {
    let settings: [String: Setting]
    let resolver: ReferenceResolver
    let findings: Findings
    /// The connector has a block of its own, whatever can be read of it.
    var isWritten = false

    /// The settings; nil when there are none, or something is wrong. Every problem is reported.
    /// `formats` are those of values and keys, by the names of their settings; one that is written
    /// and nil is not valid, which is a problem of its own.
    func read(
        for formats: [(name: String, format: SourceSettings.Format?, isWritten: Bool)]
    ) -> SchemaRegistrySettings? {
        let schemas = Set(formats.compactMap { $0.format?.encoding })
        let name = formats.first { $0.format?.encoding != nil }?.name
        guard let url = setting("url") else {
            guard !isWritten else { return nil }
            var registry = name.flatMap { shared(for: $0) }
            registry?.formats = schemas
            return registry
        }
        guard !schemas.isEmpty else {
            guard !formats.contains(where: { $0.isWritten && $0.format == nil }) else { return nil }
            findings.error(
                url.key,
                "'schema_registry' is only valid with 'format' or 'key_format' avro or protobuf",
                "remove it, or write format: avro, or key_format: avro, in 'source'")
            return nil
        }
        var registry = SchemaRegistrySettings(urls: urls(url))
        registry.formats = schemas
        registry.username = setting("username")?.text
        registry.password = setting("password")?.text
        registry.token = setting("token")?.text
        registry.caFile = path("ca_file")
        registry.certificate = path("certificate")
        registry.certificateKey = path("certificate_key")
        if case .duration(let timeout)? = setting("timeout")?.value { registry.timeout = timeout }
        if case .integer(let count)? = setting("id")?.value { registry.idBytes = count }
        if let word = setting("ids")?.text { registry.ids = .init(rawValue: word) ?? .global }
        check(registry)
        return registry
    }

    private func setting(_ name: String) -> Setting? { settings["schema_registry.\(name)"] }

    /// The registry of the process settings that apply to the connector.
    private func shared(for name: String) -> SchemaRegistrySettings? {
        guard let written = settings["source.\(name)"] else { return nil }
        let file =
            resolver.processFile ?? FilePath.resolve(ProcessFile.name, in: resolver.folder)
        let found = ProcessFile.registry(of: file, resolver.environment, resolver.mode)
        if let registry = found.settings {
            findings.keepSecret(found.secrets)
            return registry
        }
        if found.isWritten {
            findings.isIncomplete = true
            findings.error(
                written.node, "'schema_registry' in \(file) cannot be used",
                "correct it: apns-bridge lint --settings \(file)")
        } else {
            findings.error(
                written.node, "'\(name): \(written.text ?? "")' needs 'schema_registry'",
                "write schema_registry: {url: [\"http://localhost:8081\"]} at the top level, or in"
                    + " \(ProcessFile.name)")
        }
        return nil
    }

    private func urls(_ setting: Setting) -> [String] {
        guard case .texts(let texts) = setting.value else { return [] }
        return texts.map { text, node in
            var url = text
            while url.hasSuffix("/") { url.removeLast() }
            let isHTTP = url.hasPrefix("http://") || url.hasPrefix("https://")
            let isPlain = url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
            if isHTTP, Secrets.mayContainUser(url) {
                // The address is not repeated: it contains a password.
                findings.error(
                    node, "'url' contains a user or a password",
                    "write the address without them, and username: and password: beside it, each"
                        + " as \"${env:NAME}\" or \"${file:PATH}\"")
            } else if !isHTTP || !isPlain || url.contains(where: { "?#@".contains($0) }) {
                findings.error(
                    node, "'url' contains something that is not the address of a registry",
                    "write http://host:port or https://host:port, without user and query")
            }
            return url
        }
    }

    /// The path of a file, which starts at the folder of the connector.
    private func path(_ name: String) -> String? {
        findings.path(of: setting(name), name, in: "schema_registry", resolver)
    }

    private func check(_ registry: SchemaRegistrySettings) {
        if let password = setting("password"), registry.username == nil {
            findings.error(
                password.key, "'password' is only valid with 'username'",
                "add the username, or write token: for a bearer token")
        }
        if let token = setting("token"), registry.username != nil {
            findings.error(
                token.key, "'token' cannot be used with 'username'", "keep one of the two")
        }
        if let key = setting("certificate_key"), setting("certificate") == nil {
            findings.error(
                key.key, "'certificate_key' is only valid with 'certificate'",
                "add the path of the certificate")
        }
        if let ids = setting("ids"), registry.idBytes == 4 {
            findings.error(
                ids.key, "'ids' is only valid with 'id: 8'",
                "remove it: IDs of four bytes are of schemas")
        }
        let isSecret = registry.password != nil || registry.token != nil
        let open = registry.urls.first {
            WebAddress.isReadableOnTheWay($0) && !Secrets.mayContainUser($0)
        }
        if isSecret, let open, let url = setting("url") {
            findings.warning(
                url.node, "the password or token is sent to \(open) without encryption",
                "write https://")
        }
    }
}
