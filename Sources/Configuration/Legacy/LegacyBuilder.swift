internal import TLS
internal import YAML

/// Assembles the settings of a legacy file, and checks combinations of keys.
struct LegacyBuilder {
    let file: String
    let settings: [String: Setting]
    let root: YAMLNode
    let resolver: ReferenceResolver
    let findings: Findings

    /// A command's settings; nil when something is missing or wrong. Every problem is reported.
    func settings(of kind: LegacyFile.Kind) -> LegacySettings? {
        if resolver.mode.isAdvising {
            SecretFileAdvice(folder: resolver.folder, findings: findings).check(settings)
        }
        switch kind {
        case .gateway: return gateway().map(LegacySettings.gateway)
        case .feedback: return feedback().map(LegacySettings.feedback)
        }
    }

    private func gateway() -> LegacyGatewaySettings? {
        let listen = listen(port: 2195)
        let (kafka, login) = KafkaLoginBlock(
            settings: settings, resolver: resolver, findings: findings
        ).readWithKafka()
        refuseTimeouts()
        let topic = topic("topic")
        let apps = apps()
        guard !findings.hasErrors, !findings.isIncomplete, let listen, let kafka, let topic,
            let apps
        else { return nil }
        return LegacyGatewaySettings(
            listen: listen, kafka: kafka, kafkaLogin: login, topic: topic, apps: apps,
            payload: integer("limits.payload") ?? 256,
            framePayload: integer("limits.frame_payload") ?? 2048,
            inFlight: integer("limits.in_flight") ?? 10_000,
            idle: duration("limits.idle") ?? .seconds(3600),
            shutdownDeadline: duration("shutdown_deadline") ?? .seconds(25),
            locations: locations)
    }

    /// A push that librdkafka gave up after a time might be in Kafka, and would be sent again.
    private func refuseTimeouts() {
        guard case .properties(let properties)? = settings["kafka"]?.value else { return }
        for property in properties
        where ["message.timeout.ms", "delivery.timeout.ms"].contains(property.name) {
            findings.error(
                property.key, "'\(property.name)' is not supported in a legacy gateway",
                "remove it: a push waits until Kafka acknowledges it, so that none is lost or"
                    + " stored twice")
        }
    }

    private func feedback() -> FeedbackServiceSettings? {
        let listen = listen(port: 2196)
        let (kafka, login) = KafkaLoginBlock(
            settings: settings, resolver: resolver, findings: findings
        ).readWithKafka()
        let topic = topic("unregistered")
        let apps = apps()
        let seal = SealReader(settings: settings, findings: findings, prefix: "").read()
        adviseOnSeal()
        guard !findings.hasErrors, !findings.isIncomplete, let listen, let kafka, let topic,
            let apps, let group = settings["group"]?.text
        else { return nil }
        return FeedbackServiceSettings(
            listen: listen, kafka: kafka, kafkaLogin: login, topic: topic, group: group,
            apps: apps, seal: seal, locations: locations)
    }

    /// Warns of a topic whose records make providers delete devices, and that anyone who may write
    /// there can forge.
    private func adviseOnSeal() {
        guard settings["seal"] == nil, let setting = settings["unregistered"] else { return }
        findings.warning(
            setting.node,
            "whoever can write to this topic can have any device deleted: without"
                + " 'seal' its records are trusted",
            "write seal: with the keys of the connectors' results")
    }

    private var locations: SettingLocations {
        SettingLocations(file: file, root: root, settings: settings)
    }

    private func integer(_ path: String) -> Int? {
        if case .integer(let number)? = settings[path]?.value { number } else { nil }
    }

    private func duration(_ path: String) -> Duration? {
        if case .duration(let time)? = settings[path]?.value { time } else { nil }
    }

    private func topic(_ path: String) -> String? {
        guard let setting = settings[path], let name = setting.text else { return nil }
        TopicName.check(name, setting.node, findings)
        return name
    }

    private func listen(port: Int) -> LegacyListenSettings? {
        guard let certificate = certificate() else { return nil }
        return LegacyListenSettings(
            host: settings["listen.host"]?.text ?? "127.0.0.1",
            port: UInt16(integer("listen.port") ?? port), certificate: certificate,
            connections: integer("limits.connections") ?? 1000)
    }

    private func certificate() -> ClientCertificate? {
        guard let setting = settings["listen.certificate"],
            let contents = self.contents("listen.certificate")
        else { return nil }
        var key: [UInt8]?
        if settings["listen.certificate_key"] != nil {
            key = self.contents("listen.certificate_key")
            if key == nil { return nil }
        }
        let passphrase = settings["listen.passphrase"]
        if let passphrase, passphrase.text == nil { return nil }
        do {
            return try ClientCertificate(
                contents: contents, keyPEM: key, passphrase: passphrase?.text)
        } catch {
            refuse(error, setting)
            return nil
        }
    }

    private func refuse(_ error: TLSError, _ certificate: Setting) {
        switch error.code {
        case .badPassphrase:
            let location = settings["listen.passphrase"]
            findings.add(
                .error, at: (location ?? certificate).node.location, length: nil,
                "'\(location == nil ? "certificate" : "passphrase")' cannot be used: "
                    + error.detail,
                "write passphrase: \"${env:PASSPHRASE}\"")
        case .badKey:
            let location = settings["listen.certificate_key"] ?? certificate
            findings.add(
                .error, at: location.node.location, length: nil,
                "the certificate's key is not usable: \(error.detail)",
                "write certificate_key: with the file of its private key")
        default:
            findings.error(
                certificate.node, "'certificate' is not usable: \(error.detail)",
                "name a file in PEM or PKCS#12 (.p12)")
        }
    }

    /// The content of the file that a setting names; nil when it cannot be read.
    func contents(_ path: String) -> [UInt8]? {
        guard let setting = settings[path], let text = setting.text else { return nil }
        let name = setting.key.text ?? path
        if text.contains("-----BEGIN") {
            findings.add(
                .error, at: setting.node.location, length: nil,
                "'\(name)' must be a path, not the contents of a file", "write the path")
            return nil
        }
        let file = FilePath.resolve(text, in: resolver.folder)
        resolver.files.add(file)
        do {
            return try InputFile.read(path: file)
        } catch {
            findings.addUnreadable(name, setting, error, resolver)
            return nil
        }
    }
}
