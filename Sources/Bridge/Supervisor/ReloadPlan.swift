internal import Configuration

/// What a reload has to do, decided from the connectors that run and those in the files.
struct ReloadPlan {
    /// Connectors without a member.
    var added: [Connector] = []
    /// Connectors whose files say something else than those of their members.
    var changed: [Connector] = []
    /// Connectors that could not be started before.
    var failed: [Connector] = []
    /// The names of members without a file.
    var removed: [String] = []
    /// The names of members to leave alone.
    var unchanged: [String] = []

    /// Compares the members with the connectors in the files.
    ///
    /// Those that are `unusable` are left as they are.
    init(_ members: [Member], _ found: [Connector], unusable: [UnusableConnector] = []) {
        for connector in found {
            guard let member = members.first(where: { $0.connector.name == connector.name }) else {
                added.append(connector)
                continue
            }
            if member.hasFailed {
                failed.append(connector)
            } else if member.connector.runsLike(connector) {
                unchanged.append(connector.name)
            } else {
                changed.append(connector)
            }
        }
        removed = members.map(\.connector.name).filter { name in
            !found.contains { $0.name == name } && !unusable.contains { $0.name == name }
        }
    }

    /// The connectors to check and to start.
    var starting: [Connector] { changed + failed + added }
}

extension Connector {
    /// True when another reading of the file asks for nothing but, perhaps, other credentials,
    /// which a running connector adopts by itself.
    func runsLike(_ other: Connector) -> Bool {
        guard settingsDigest == other.settingsDigest, file == other.file,
            apns.routes == other.apns.routes,
            apns.apps.map(CredentialFiles.address) == other.apns.apps.map(CredentialFiles.address)
        else { return false }
        return results.seal == other.results.seal && schemaRegistry == other.schemaRegistry
            && kafkaLogin == other.kafkaLogin
            && apns.apps.map(\.endpoint.proxy) == other.apns.apps.map(\.endpoint.proxy)
            && kafka.map(\.name) == other.kafka.map(\.name)
            && kafka.map(\.value) == other.kafka.map(\.value)
    }
}
