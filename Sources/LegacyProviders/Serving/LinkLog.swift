internal import Delivery
internal import Encoding
internal import Kafka
internal import TLS
internal import Telemetry

/// Logs what operators should know. It must not contain device tokens.
struct LinkLog {
    private let logger: Logger
    private let apps: [String]
    /// Connections beyond the limit were rejected since this was last logged.
    private var isCrowded = false
    private var unknownClients = Throttle()
    private var handshakes = Throttle()
    private var sessions = Throttle()

    init(_ logger: Logger, apps: [String]) {
        self.logger = logger
        self.apps = apps
    }

    mutating func note(_ events: [LinkEvent], at now: Instant) {
        var late = 0
        var stalled = 0
        for event in events {
            switch event {
            case .opened(let link, let app):
                isCrowded = false
                logger.info(
                    "provider connected",
                    metadata: ["app": .string(apps[app]), "connection": .number(link)])
            case .refused(_, let certificate?): unknownClients.add(Self.fields(of: certificate))
            case .refused(let failure, nil):
                handshakes.add(["reason": .string(failure.description)])
            case .failed(let failure): sessions.add(["reason": .string(failure.description)])
            case .late: late += 1
            case .stalled: stalled += 1
            case .tooMany:
                if !isCrowded {
                    logger.warning(
                        "connection limit reached; refusing new connections",
                        metadata: [
                            "action":
                                "raise limits.connections, or find the clients that open so many"
                        ])
                }
                isCrowded = true
            case .displaced:
                if !isCrowded {
                    logger.warning(
                        "connection limit reached; closing the oldest unfinished handshakes",
                        metadata: [
                            "action": .string(
                                "find the clients that connect and send nothing, or raise"
                                    + " limits.connections")
                        ])
                }
                isCrowded = true
            }
        }
        if late > 0 {
            logger.warning(
                "handshake took too long; connection reset",
                metadata: [
                    "connections": .number(late),
                    "action": "find the clients that connect and send nothing",
                ])
        }
        if stalled > 0 {
            logger.warning(
                "provider did not finish a TLS record; connection reset",
                metadata: [
                    "connections": .number(stalled),
                    "action": "check the network to the provider, and the provider itself",
                ])
        }
        noteRefusals(at: now)
    }

    /// Anyone can fail a handshake as often as they like: each kind has one line a second.
    private mutating func noteRefusals(at now: Instant) {
        if var fields = unknownClients.take(at: now) {
            fields["action"] = "to admit it, add the fingerprint to its app's client_fingerprints"
            logger.warning(
                "provider refused: its certificate does not belong to any app", metadata: fields)
        }
        if var fields = handshakes.take(at: now) {
            fields["action"] = "check the TLS settings and the certificate of the provider"
            logger.warning("handshake failed", metadata: fields)
        }
        if var fields = sessions.take(at: now) {
            fields["action"] = "check the memory of the process, and restart it"
            logger.error("cannot begin a TLS session; connection reset", metadata: fields)
        }
    }

    /// Names the certificate, so that it can be copied into the settings.
    private static func fields(of certificate: CertificateDescription) -> Logger.Metadata {
        let digits = Hexadecimal.encode(certificate.fingerprint)
        return [
            "subject": .string(certificate.subject), "issuer": .string(certificate.issuer),
            "fingerprint": .string(String(decoding: digits, as: UTF8.self)),
        ]
    }

    func note(_ fault: GatewayCore.Fault) {
        logger.warning(
            "packet refused; connection closed",
            metadata: [
                "app": .string(apps[fault.app]), "connection": .number(fault.link),
                "status": .number(fault.status.rawValue), "reason": .string(fault.status.message),
                "identifier": fault.identifier.map { .number($0) } ?? "none",
                "action": "correct the provider: the status says what it got wrong",
            ])
    }

    func full(_ isFull: Bool, waiting: Int) {
        if isFull {
            logger.warning(
                "reading paused: too many pushes wait for acknowledgement by Kafka",
                metadata: [
                    "in_flight": .number(waiting),
                    "action": "check Kafka: it acknowledges more slowly than providers send",
                ])
        } else {
            logger.info("reading resumed", metadata: ["in_flight": .number(waiting)])
        }
    }

    func failing(_ failure: KafkaFailure?) {
        guard let failure else { return logger.info("Kafka accepts pushes again") }
        logger.error(
            "Kafka rejected pushes; retrying them",
            metadata: [
                "reason": .string(failure.code), "detail": .string(failure.detail),
                "action": "check that the topic exists and that this user has WRITE permission",
            ])
    }

    /// Logs librdkafka's messages.
    func note(sink: inout Producer) {
        while let failure = sink.nextFailure() {
            logger.warning(
                "Kafka reported a problem",
                metadata: [
                    "reason": .string(failure.code), "detail": .string(failure.detail),
                    "action": "check Kafka and the network if it lasts; pushes wait meanwhile",
                ])
        }
        while let line = sink.nextLog() {
            logger.debug(
                "librdkafka: \(line.message)", metadata: ["facility": .string(line.facility)])
        }
    }

    func stopping(waiting: Int) {
        logger.info("stopping", metadata: ["in_flight": .number(waiting)])
    }

    func ended(_ counts: GatewayCore.Counts, waiting: Int) {
        if waiting > 0 {
            logger.warning(
                "stopped before Kafka acknowledged all pushes",
                metadata: [
                    "in_flight": .number(waiting),
                    "action": "check Kafka, and have providers resend what no response confirmed",
                ])
        }
        logger.info(
            "stopped",
            metadata: ["taken": .number(counts.taken), "faults": .number(counts.faults)])
    }

    func read(app: Int, bytes: Int, malformed: Int, topic: String) {
        if malformed > 0 {
            logger.warning(
                "records skipped: not unregistered records",
                metadata: [
                    "topic": .string(topic), "records": .number(malformed),
                    "action": "find out what else writes to the topic",
                ])
        }
        logger.debug("read", metadata: ["app": .string(apps[app]), "bytes": .number(bytes)])
    }

    /// Records without a valid seal were skipped.
    func unsealed(_ count: Int, topic: String) {
        logger.warning(
            "records skipped: not sealed with a known key",
            metadata: [
                "topic": .string(topic), "records": .number(count),
                "action":
                    "find out what else writes to the topic; seal must list the connectors' keys",
            ])
    }

    func fetched(app: Int, isCommitted: Bool) {
        if isCommitted {
            logger.info("feedback fetched", metadata: ["app": .string(apps[app])])
        } else {
            logger.warning(
                "feedback fetch not completed; the next one starts at the same offset",
                metadata: [
                    "app": .string(apps[app]),
                    "action": "let the provider read until the service closes the connection",
                ])
        }
    }

    func uncommitted(app: Int, _ failure: KafkaFailure) {
        logger.error(
            "feedback sent, but offsets not committed; the next fetch repeats it",
            metadata: [
                "app": .string(apps[app]), "reason": .string(failure.description),
                "action": "check Kafka, and the right to READ on the group of the service",
            ])
    }

    func failed(app: Int, _ failure: KafkaFailure) {
        logger.error(
            "cannot read feedback; the provider's connection was reset",
            metadata: [
                "app": .string(apps[app]), "reason": .string(failure.description),
                "action": "check Kafka, and the right to READ on the topic",
            ])
    }
}
