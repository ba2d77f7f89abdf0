import Configuration
import EventLoop

@testable import Bridge

/// What goes wrong with the process, its files and its events.
extension Incident {
    static let process: [Incident] = [
        Incident(
            name: "a certificate expires soon",
            alerts: ["ApnsBridgeCertificateExpires"],
            problem: "the certificate of shop expires in 10 days",
            logged: "certificate expires soon",
            doctor: .finds(
                .warning, check: "certificate", detail: "expires in 10 days",
                note: "from 30 days before"
            ) {
                try $0.useCertificate(hours: 10 * 24 + 12)
            },
            remedy: "put the new one into its file; it is adopted within seconds, without a"
                + " restart",
            begin: { try $0.useCertificate(hours: 10 * 24 + 12) },
            end: { try $0.useCertificate(hours: 365 * 24) }, seconds: 3700, pace: 5000),
        Incident(
            name: "a certificate expires",
            alerts: ["ApnsBridgeCertificateExpired"],
            problem: "the certificate of shop has expired",
            logged: "certificate has expired",
            doctor: .unplayed(
                "`certificate` fails: `expired on`, and so does `apns`",
                because: "a row plays one check"),
            remedy: "put the new one into its file; it is adopted within seconds, without a"
                + " restart",
            begin: { try $0.useCertificate(minutes: 20) },
            end: { try $0.useCertificate(hours: 365 * 24) }, seconds: 3000, pace: 5000),
        Incident(
            name: "memory reaches its limit",
            alerts: ["ApnsBridgeMemoryScarce"],
            problem: "490 of 512 MiB of memory in use",
            logged: "memory close to its limit", summary: "memory_percent",
            doctor: .finds(
                .warning, check: "memory", detail: "by its settings the bridge may use about",
                note: "if that is more than the limit", standIn: "a limit of 64 MiB"
            ) {
                $0.limits.memory = 64 << 20
            },
            remedy: "raise the limit, or lower `delivery.max_in_flight_bytes` or `workers`. If the"
                + " kernel kills the process, it starts again and what was in flight is sent again."
                + " Memory is watched only where there is a control group of version 2",
            begin: { $0.memory.resident = 490 << 20 }, end: { try $0.killForMemory() },
            seconds: 330, pace: 2000),
        Incident(
            name: "a broken connector file is reloaded",
            alerts: ["ApnsBridgeReloadRefused"],
            problem: "the last reload was refused",
            logged: "reload refused; continuing with the current connectors",
            doctor: .finds(.failed, check: "connector file", detail: "unknown key 'colour'") {
                $0.problems = load(connectorFile + "colour: red\n").diagnostics
            },
            remedy: "correct what the log names, and reload again; what ran before continues",
            begin: { $0.reload(load(connectorFile + "colour: red\n")) },
            end: { $0.reload(load(connectorFile)) }, seconds: 330, pace: 2000),
    ]

    private static func load(_ text: String) -> LoadedFile {
        ConnectorFile.load(
            bytes: Array(text.utf8), path: "orders.yaml", environment: [:], mode: .inspect)
    }

    /// A connector file without a mistake.
    private static let connectorFile = """
        source: {topics: [shop.orders], group: apns-orders}
        kafka: {bootstrap.servers: "localhost:9092"}
        apns:
          environment: production
          key: "${file:AuthKey.p8}"
          key_id: ABC123DEFG
          team_id: DEF123GHIJ
          bundle_id: com.example.shop
        notification: {device_token: "${token}", ttl: 4h, payload: {aps: {badge: 1}}}
        results: {outcomes: o, unregistered: u, dead_letter: d}

        """

    static let rest: [Incident] = [
        Incident(
            name: "an event cannot be read", alerts: ["ApnsBridgeUnreadableEvents"],
            problem: "events could not be read",
            summary: "dropped_reasons",
            doctor: .unplayed(
                "nothing; `apns-bridge render` shows what is wrong with an event",
                because: "it reads no events"),
            remedy: "correct the producer, and let it publish the events again: in a dead letter"
                + " they stay as they are",
            begin: { $0.garbageInterval = 30 }, end: { $0.garbageInterval = nil },
            recovery: recovery(.unreadableEvent)),
        Incident(
            name: "a producer breaks the schema of its events",
            alerts: [
                "ApnsBridgeNothingAccepted", "ApnsBridgeDrops", "ApnsBridgeManyDrops",
                "ApnsBridgeDeadLetters", "ApnsBridgeUnreadableEvents",
            ],
            problem: "almost no pushes accepted; most are dropped: unparsable",
            logged: "almost no pushes accepted", summary: "dropped_reasons",
            doctor: .unplayed(
                "nothing; `apns-bridge render` shows what is wrong with an event",
                because: "it reads no events"),
            remedy: "correct the producer, and let it publish the events again: in a dead letter"
                + " they stay as they are",
            begin: { $0.garbageInterval = 1 }, end: { $0.garbageInterval = nil },
            // Until those that were dropped are few again.
            seconds: 1500, recovery: recovery(.unreadableEvent), pace: 5000),
        Incident(
            name: "a producer breaks some of its events",
            alerts: ["ApnsBridgeDrops", "ApnsBridgeDeadLetters", "ApnsBridgeUnreadableEvents"],
            problem: "pushes are dropped that should be sent; most are unparsable",
            logged: "pushes are dropped that should be sent", summary: "dropped_reasons",
            doctor: .unplayed(
                "nothing; `apns-bridge render` shows what is wrong with an event",
                because: "it reads no events"),
            remedy: "correct the producer, and let it publish the events again: in a dead letter"
                + " they stay as they are",
            begin: { $0.garbageInterval = 7 }, end: { $0.garbageInterval = nil },
            seconds: 1500, recovery: recovery(.unreadableEvent), pace: 2000),
        Incident(
            name: "a connector is paused and forgotten",
            alerts: ["ApnsBridgePausedForLong"], problem: "paused by an operator",
            summary: "paused",
            doctor: .unplayed("nothing", because: "it does not ask the process that runs"),
            remedy: "`POST /connectors/NAME/resume`",
            begin: { $0.pause(true) }, end: { $0.pause(false) }, seconds: 3700, pace: 20_000),
    ]

    /// Faults with an alert of which the article has no row, because nothing runs or because other
    /// rows say what lies behind them.
    static let unlisted: [Incident] = [
        Incident(
            name: "a connector fails to start", alerts: ["ApnsBridgeConnectorFailed"],
            begin: { $0.connector.state = .failed }, end: { $0.connector.state = .running },
            seconds: 330, pace: 2000),
        Incident(
            name: "a connector waits long for its start",
            alerts: ["ApnsBridgeConnectorNotRunning"],
            begin: { $0.connector.state = .starting }, end: { $0.connector.state = .running },
            seconds: 1000, pace: 2000),
        Incident(
            name: "the process is gone", alerts: ["ApnsBridgeDown"],
            begin: { $0.isScraped = false }, end: { $0.isScraped = true }, seconds: 150,
            hasStatus: false),
        Incident(
            name: "Prometheus does not know the process", alerts: ["ApnsBridgeMissing"],
            begin: { $0.isTarget = false }, end: { $0.isTarget = true }, seconds: 330,
            hasStatus: false, pace: 2000),
        Incident(
            name: "the process ends again and again", alerts: ["ApnsBridgeRestarting"],
            begin: { $0.restartInterval = 300 }, end: { $0.restartInterval = nil },
            seconds: 1300, pace: 2000),
        Incident(
            name: "the process ends before it finishes a record, four times",
            alerts: ["ApnsBridgeCrashedStarts"],
            problem: "the last three starts of a partition made no progress",
            logged: "taking the first record of the partition alone",
            begin: { $0.endUnfinished(times: 4) }, seconds: 90,
            recovery: recovery(.crashedStart), pace: 500),
        Incident(
            name: "the schema registry is away", alerts: ["ApnsBridgeSchemaMissing"],
            problem: "schemas of records cannot be looked up: their partitions are paused",
            begin: { $0.setRegistryAway(true) }, end: { $0.setRegistryAway(false) },
            seconds: 150, isInAvro: true),
        Incident(
            name: "events expire before they are sent", alerts: ["ApnsBridgeExpiredEvents"],
            begin: { $0.expiredInterval = 3 }, end: { $0.expiredInterval = nil },
            seconds: 2400, recovery: 900, pace: 5000),
        Incident(
            name: "a worker keeps failing", alerts: ["ApnsBridgeWorkerDown"],
            problem: "not running",
            begin: { try $0.keepFailing(true) }, end: { try $0.keepFailing(false) },
            seconds: 400, pace: 2000),
        Incident(
            name: "a worker hangs", alerts: ["ApnsBridgeWorkerHangs"],
            problem: "not responding",
            begin: { try $0.hang(true) }, end: { try $0.hang(false) }, seconds: 150,
            pace: 2000),
        Incident(
            name: "APNs rejects pushes",
            alerts: [
                "ApnsBridgeRejections", "ApnsBridgeNothingAccepted", "ApnsBridgeDeadLetters",
            ],
            scenario: responses("status: 400, reason: PayloadEmpty", for: 1800), seconds: 1500,
            pace: 5000),
        Incident(
            name: "the bridge falls behind", alerts: ["ApnsBridgeLagGrows", "ApnsBridgeEventsLate"],
            begin: { $0.fallBehind() }, end: { $0.catchUp() }, seconds: 1400, pace: 2000),
    ]
}
