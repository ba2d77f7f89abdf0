import APNsSimulator
import BridgeTesting
import Delivery
import EventLoop

@testable import Bridge

/// The incidents of the game day: the article *Runbook* has a row for each.
extension Incident {
    static let all = apns + kafka + process + rest

    private typealias Alert = (name: String, signal: Signal)

    private static let suspension: Alert = (
        "ApnsBridgeSendingSuspended", .equals("apns_bridge_sending_suspended", 1)
    )
    private static let delay: Alert = (
        "ApnsBridgeEventsLate", .exceeds("apns_bridge_oldest_event_age_seconds", 300)
    )

    private static func suspended(_ status: Int, _ reason: String) -> String {
        "sending suspended for shop: APNs responds \(status) \(reason)"
    }

    private static func answers(_ status: Int, _ reason: String, until end: Int) -> String {
        """
        answers:
          - {device_token: "", from: \(GameDay.start)s, until: \(GameDay.start + end)s, \
        status: \(status), reason: \(reason)}
        """
    }

    private static let apns: [Incident] = [
        Incident(
            name: "the APNs key is revoked",
            alert: suspension,
            problem: suspended(403, "InvalidProviderToken"),
            logged: "sending suspended: APNs rejected the credential or its configuration",
            summary: "suspended_apps",
            doctor: "nothing: a revoked key still signs, and it sends no push",
            remedy: "put the new key into its file; it is adopted within seconds, and sending"
                + " resumes",
            begin: { _ in }, end: { _ in },
            scenario: answers(403, "InvalidProviderToken", until: 120)),
        Incident(
            name: "the clock of the machine is two hours off",
            alert: suspension,
            problem: suspended(403, "ExpiredProviderToken"),
            logged: "sending suspended: APNs rejected the credential or its configuration",
            summary: "suspended_apps",
            doctor: "nothing: it sends no push, and only responses to pushes have a time",
            remedy: "set the clock (`timedatectl`, chrony); sending resumes at the next probe",
            begin: { $0.world.apnsClock.ahead = 7_200_000 },
            end: { $0.world.apnsClock.ahead = 0 }),
        Incident(
            name: "the table of device tokens is corrupted",
            alert: suspension,
            problem: "sending suspended for shop: too many device tokens are unregistered or"
                + " suspect",
            logged: "sending suspended: too many device tokens are unregistered or suspect",
            summary: "suspended_apps",
            doctor: "nothing: it does not know device tokens",
            remedy: "correct the source of the tokens; then release the guard, or wait until a"
                + " probe succeeds",
            begin: { $0.tokenPrefix = "bad0" }, end: { $0.recoverTokens() }),
        Incident(
            name: "APNs responds 503",
            alert: delay,
            problem: nil, logged: nil, summary: "retries",
            doctor: "nothing: the connection itself works",
            remedy: "wait; Apple's System Status page may tell more. Pushes are sent again with"
                + " growing pauses",
            begin: { _ in }, end: { _ in },
            scenario: answers(503, "ServiceUnavailable", until: 900), seconds: 900, pace: 20_000),
        Incident(
            name: "APNs is slow",
            alert: (
                "ApnsBridgeResponsesSlow",
                .isSlow("apns_bridge_apns_round_trip_seconds", bound: "2.5")
            ),
            problem: nil, logged: nil, summary: nil,
            doctor: "`apns`, if the connection itself takes long",
            remedy: "compare with other networks and hosts of Apple; more connections help while"
                + " `connection_limit` is not null",
            begin: { _ in }, end: { _ in },
            scenario: """
                answers:
                  - {device_token: "", from: \(GameDay.start)s, until: 150s, latency: 3s}
                """),
        Incident(
            name: "DNS is gone",
            alert: ("ApnsBridgeNoConnection", .equals("apns_bridge_connections", 0)),
            problem: "no connection to APNs", logged: "no connection to APNs at", summary: nil,
            doctor: "`apns`: the name is not found",
            remedy: "repair the resolver, or the network behind it; connections are opened again"
                + " within seconds",
            begin: { $0.loseNames() }, end: { $0.world.network.rules = [] }),
    ]

    /// Kafka refuses result records.
    private static func refusal(
        named name: String, answer: ResultAnswer, doctor: String, remedy: String
    ) -> Incident {
        Incident(
            name: name,
            alert: ("ApnsBridgeResultsRefused", .rises("apns_bridge_results_refused_total")),
            problem: nil,
            logged: "Kafka refused a result record; its offset is not committed until it is"
                + " stored",
            summary: "in_flight", doctor: doctor, remedy: remedy,
            begin: { $0.world.results.rules = [ResultRule { _, _ in answer }] },
            end: { $0.world.results.rules = [] })
    }

    private static let kafka: [Incident] = [
        Incident(
            name: "Kafka is away",
            alert: ("ApnsBridgeKafkaUnreachable", .equals("apns_bridge_kafka_reachable", 0)),
            problem: "Kafka unreachable; 0 of 3 brokers", logged: "Kafka unreachable",
            summary: nil, doctor: "`kafka`: no broker responds",
            remedy: "bring the brokers back; the bridge continues where it stopped",
            begin: { day in
                day.world.member?.outage = KafkaOutage(brokers: 3, detail: "connection refused")
                day.world.topic.outageEnd = .after(.seconds(Int64(GameDay.start + 120)))
            },
            end: { $0.world.member?.outage = nil }),
        Incident(
            name: "Kafka is slow",
            alert: delay,
            problem: nil, logged: nil, summary: "lag",
            doctor: "nothing, unless a request takes longer than 15 s",
            remedy: "look at the brokers' request latency and disks; outcomes wait for"
                + " acknowledgements of all in-sync replicas",
            begin: { $0.world.results.latency = .seconds(400)...(.seconds(400)) },
            end: { $0.world.results.latency = .milliseconds(1)...(.milliseconds(10)) },
            seconds: 900, pace: 5000),
        refusal(
            named: "the right to write outcomes is withdrawn", answer: .failedAtOnce,
            doctor: "`write access`, with librdkafka 2.3 or newer",
            remedy: "grant WRITE on the result topics; refused records are offered again every"
                + " second"),
        refusal(
            named: "the brokers' disks are full", answer: .failed(after: .milliseconds(500)),
            doctor: "`kafka`, once the brokers have stopped",
            remedy: "free space on the brokers; nothing is committed before its outcome is stored"),
        Incident(
            name: "the source topic is deleted and recreated",
            alert: (
                "ApnsBridgePositionReset",
                .rises(
                    "apns_bridge_position_resets_total", unless: "apns_bridge_records_gone_total")
            ),
            problem: nil,
            logged: "partition was recreated or truncated; reading it from its beginning",
            summary: nil, doctor: "`topic`, while it is missing",
            remedy: "nothing: the new topic is read from its beginning. Find out who deleted it:"
                + " what was not read is gone",
            begin: { day in
                for partition in 0..<4 { day.world.replaceLog(of: Int32(partition)) }
            },
            end: { _ in }),
        Incident(
            name: "retention removes events before they are read",
            alert: ("ApnsBridgeRecordsGone", .rises("apns_bridge_records_gone_total")),
            problem: nil, logged: "Kafka removed records before they were read", summary: nil,
            doctor: "nothing",
            remedy: "raise `retention.ms` of the source topic; then find out why the bridge was"
                + " behind",
            begin: { $0.loseUnread() }, end: { _ in }),
    ]

    private static let process: [Incident] = [
        Incident(
            name: "a certificate expires soon",
            alert: (
                "ApnsBridgeCertificateExpires",
                .isNear(
                    "apns_bridge_certificate_expiration_timestamp_seconds", seconds: 14 * 86_400)
            ),
            problem: "the certificate of shop expires in 10 days",
            logged: "certificate expires soon", summary: nil,
            doctor: "`certificate`: a warning, from 30 days before",
            remedy: "put the new one into its file; it is adopted within seconds, without a"
                + " restart",
            begin: { try $0.useCertificate(hours: 10 * 24 + 12) },
            end: { try $0.useCertificate(hours: 365 * 24) }),
        Incident(
            name: "memory reaches its limit",
            alert: (
                "ApnsBridgeMemoryScarce",
                .isShare(
                    "process_resident_memory_bytes", of: "apns_bridge_memory_limit_bytes",
                    above: 0.9)
            ),
            problem: "490 of 512 MiB of memory are used",
            logged: "memory close to its limit", summary: "memory_percent",
            doctor: "`memory`: a warning, if the settings need more than the limit",
            remedy: "raise the limit, or lower `delivery.max_in_flight_bytes` or `workers`. If the"
                + " kernel kills the process, it starts again and what was in flight is sent again",
            begin: { $0.memory.resident = 490 << 20 }, end: { try $0.killForMemory() }),
        Incident(
            name: "a broken connector file is reloaded",
            alert: (
                "ApnsBridgeReloadRefused", .equals("apns_bridge_last_reload_successful", 0)
            ),
            problem: "the last reload was refused",
            logged: "reload refused; continuing with the current connectors", summary: nil,
            doctor: "`connector file`: what is wrong, and where",
            remedy: "correct what the log names, and reload again; what ran before continues",
            begin: { $0.reload(connectorFile + "colour: red\n") },
            end: { $0.reload(connectorFile) }),
    ]

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

    private static let rest: [Incident] = [
        Incident(
            name: "an event cannot be read",
            alert: nil, problem: nil, logged: nil, summary: "dropped_reasons",
            doctor: "nothing; `apns-bridge render` shows what is wrong with an event",
            remedy: "correct the producer; `apns-bridge replay` sends the dead letters again",
            begin: { $0.writesGarbage = true }, end: { $0.writesGarbage = false }),
        Incident(
            name: "a connector is paused and forgotten",
            alert: ("ApnsBridgePausedForLong", .equals("apns_bridge_connector_paused", 1)),
            problem: "paused by an operator", logged: nil, summary: "paused", doctor: "nothing",
            remedy: "`POST /connectors/NAME/resume`",
            begin: { $0.pause(true) }, end: { $0.pause(false) }),
    ]
}
