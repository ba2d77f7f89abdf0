internal import CRDKafka
internal import Delivery

extension KafkaProperties {
    /// All errors in these properties that can be found without connecting.
    public func problems() -> [Problem] {
        var problems: [Problem] = []
        let scratch = ClientConfiguration()
        for property in all {
            if let reason = Self.refusal(of: property.name, value: property.value) {
                problems.append(Problem(name: property.name, message: reason))
            } else if let reason = conflictWithGroupProtocol(property.name) {
                problems.append(Problem(name: property.name, message: reason))
            } else if let reason = scratch.problem(setting: property.name, to: property.value) {
                // The library reports an alias under its other name.
                let isNamed = reason.contains(property.name)
                let message = isNamed ? reason : "\(property.name): \(reason)"
                problems.append(Problem(name: property.name, message: message))
            }
        }
        return problems.isEmpty ? contradictions() : problems
    }

    /// The library's errors about the combination, for example a missing file.
    private func contradictions() -> [Problem] {
        let offline = inert
        do {
            let producer = try ClientConfiguration.producer(offline)
            producer.runNoCommand()
            _ = try Client(RD_KAFKA_PRODUCER, producer, "make a producer", tokens: nil)
            let consumer = try ClientConfiguration.consumer(offline, group: "check")
            consumer.runNoCommand()
            _ = try Client(RD_KAFKA_CONSUMER, consumer, "make a consumer", tokens: nil)
            return []
        } catch {
            let blamed = all.last { error.detail.contains($0.name) }
            var message = error.detail
            if let blamed, blamed.name.hasSuffix(".location"), !message.contains(blamed.value),
                !message.contains("is mandatory")
            {
                message = "cannot read \(blamed.value): \(message)"
            }
            return [Problem(name: blamed?.name ?? "", message: message)]
        }
    }

    /// The same properties for a client that makes no connection and runs nothing: no broker, no
    /// `kinit`, and no token request.
    private var inert: KafkaProperties {
        var inert = self
        inert["bootstrap.servers"] = nil
        inert["metadata.broker.list"] = nil
        inert["sasl.kerberos.min.time.before.relogin"] = "0"
        // A method that lacks a property is rejected before any token is requested.
        let needed = ["client.id", "client.secret", "token.endpoint.url"]
        if needed.allSatisfy({ self["sasl.oauthbearer.\($0)"] != nil }) {
            inert["sasl.oauthbearer.method"] = nil
        }
        return inert
    }
}

extension ClientConfiguration {
    /// Keeps a client that only checks its configuration from running `sasl.kerberos.kinit.cmd`.
    fileprivate func runNoCommand() { setIfKnown("sasl.kerberos.min.time.before.relogin", "0") }
}
