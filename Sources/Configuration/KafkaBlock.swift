internal import Encoding
internal import Kafka
internal import Spelling
internal import YAML

/// Reads the `kafka:` block: finds forbidden and unknown names and invalid values, without
/// connecting.
struct KafkaBlock {
    let setting: Setting?
    /// The folder of the connector file.
    let folder: String
    let findings: Findings
    /// Another source of the login.
    var login: KafkaLoginBlock?

    private static let brokers = ["bootstrap.servers", "metadata.broker.list"]

    /// The properties; nil when there are none. Every problem is reported.
    func read() -> [(name: String, value: String)]? {
        guard let setting, case .properties(let written) = setting.value else { return nil }
        let properties = written.map(inFolder)
        let user = properties.map { (name: $0.name, value: $0.value) }
        let pairs = (login?.properties(beside: user) ?? []) + user
        let names = (setting.node.entries ?? []).compactMap(\.key.text)
        // Before librdkafka opens them.
        let areFilesRegular = checkFiles(properties)
        // If a value is unknown here, the others may appear to conflict without it.
        let problems =
            names.count == user.count && areFilesRegular
            ? KafkaProperties(pairs).problems()
            : pairs.compactMap(Self.refusal)
                + pairs.compactMap(Self.unknown)
        for problem in problems where !findings.isFull { report(problem, properties, setting) }
        for property in properties where Self.brokers.contains(property.name) {
            guard let problem = BrokerAddresses.problem(property.value) else { continue }
            findings.error(
                property.node, "'\(property.name)' has \(problem.message)", problem.remedy)
        }
        adviseOnHeartbeat(properties)
        adviseOnSecurity(properties)
        if !names.contains(where: { Suggestion.nearest(to: $0, among: Self.brokers) != nil }) {
            findings.error(
                setting.key, "'bootstrap.servers' is missing in kafka",
                "write bootstrap.servers: \"localhost:9092\"")
        }
        return pairs
    }

    /// Two heartbeats may be lost before a session expires.
    private func adviseOnHeartbeat(_ properties: [Setting.Property]) {
        func last(_ name: String) -> Setting.Property? { properties.last { $0.name == name } }
        let session = last("session.timeout.ms")
        let heartbeat = last("heartbeat.interval.ms")
        // If only one is set, the other has librdkafka's default.
        guard let written = heartbeat ?? session, let length = Int(session?.value ?? "45000"),
            let every = Int(heartbeat?.value ?? "3000"), every * 3 > length
        else { return }
        findings.warning(
            written.node,
            "heartbeat.interval.ms=\(every) is more than a third of session.timeout.ms=\(length):"
                + " a lost heartbeat or two end the session",
            "write heartbeat.interval.ms: \(length / 3)")
    }

    private static func unknown(
        _ property: (name: String, value: String)
    ) -> KafkaProperties.Problem? {
        KafkaProperties.knownNames().contains(property.name)
            ? nil : KafkaProperties.Problem(name: property.name, message: "is unknown")
    }

    private static func refusal(
        of property: (name: String, value: String)
    ) -> KafkaProperties.Problem? {
        KafkaProperties.refusal(of: property.name, value: property.value).map {
            KafkaProperties.Problem(name: property.name, message: $0)
        }
    }

    /// What is wrong without the values that are secret: the library quotes parts of them.
    private static func message(
        of problem: KafkaProperties.Problem, _ property: Setting.Property?,
        _ properties: [Setting.Property]
    ) -> String {
        var message = problem.message.trimmed
        for property in properties where property.isSecret {
            message = Secrets.redact(property.value, in: message)
            message = Secrets.redact(partsOf: property.value, in: message, except: property.name)
        }
        guard property?.isSecret ?? false, KafkaProperties.refusal(of: problem.name) == nil else {
            return message
        }
        let names = KafkaProperties.knownNames()
        return Secrets.redactQuotes(in: message) { names.contains($0) }
    }

    private func report(
        _ problem: KafkaProperties.Problem, _ properties: [Setting.Property], _ setting: Setting
    ) {
        let property = properties.last { $0.name == problem.name }
        let message = Self.message(of: problem, property, properties)
        let key = property?.key ?? setting.key
        if let value = property?.value,
            KafkaProperties.refusal(of: problem.name, value: value) != nil
        {
            let colon = message.firstRange(of: ": ")
            let reason = colon.map { String(message[..<$0.lowerBound]) } ?? message
            findings.error(
                key, "'\(problem.name)' \(reason)", colon.map { String(message[$0.upperBound...]) })
        } else if property != nil, !KafkaProperties.knownNames().contains(problem.name) {
            let near = Suggestion.nearest(to: problem.name, among: KafkaProperties.knownNames())
            findings.error(
                key, "librdkafka has no property '\(problem.name)'",
                near.map { "did you mean '\($0)'?" }
                    ?? "see the properties in librdkafka's CONFIGURATION.md")
        } else {
            let message = message.contains(problem.name) ? message : "'\(problem.name)': \(message)"
            findings.error(key, message, "see its valid values in librdkafka's CONFIGURATION.md")
        }
    }
}
