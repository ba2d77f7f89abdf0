import BridgeTesting
import Delivery
import Kafka

@testable import Bridge

/// What goes wrong with Kafka.
extension Incident {
    static let kafka: [Incident] = [
        Incident(
            name: "Kafka is unavailable",
            alerts: ["ApnsBridgeKafkaUnreachable"],
            problem: "Kafka unreachable; 0 of 3 brokers", logged: "Kafka unreachable",
            doctor: .finds(.failed, check: "kafka", detail: "no connection to Kafka") {
                $0.loseKafka()
            },
            remedy: "bring the brokers back; the bridge continues where it stopped",
            begin: { day in
                day.world.member?.outage = KafkaOutage(brokers: 3, detail: "connection refused")
                day.world.topic.outageEnd = .after(.seconds(Int64(GameDay.start + 120)))
            },
            end: { $0.world.member?.outage = nil }),
        Incident(
            name: "the token of the login to Kafka cannot be renewed",
            alerts: ["ApnsBridgeLoginTokenNotRenewed"],
            problem: "the Kafka login token cannot be renewed",
            logged: "Kafka login token not renewed; continuing with the current token",
            doctor: .unplayed(
                "`kafka login` fails, with what the source of tokens does",
                because: "the embedded Kafka has no logins; a test with a real broker checks it"),
            remedy: "bring back the source of tokens, or correct `kafka_login` and reload: a secret"
                + " that was rotated, an endpoint that is unavailable. It is asked again at least"
                + " twice a minute. Once the current token expires, no broker can be reached, and"
                + " `ApnsBridgeKafkaUnreachable` fires, too; nothing is lost",
            // The next token is asked for after 37 to 40 minutes, and the first expires after 50.
            // As nothing happens between events, each of these seconds takes more.
            begin: { $0.world.login?.serve(.responds(401, #"{"error":"invalid_client"}"#)) },
            end: { $0.world.login?.serve(.issues(3000)) }, seconds: 2025, recovery: 40,
            loginLife: 3000, pace: 2000),
        Incident(
            name: "the group assigns no partitions",
            alerts: ["ApnsBridgeNotAssigned"],
            problem: "the group has assigned no partitions",
            logged: "the group has assigned no partitions",
            doctor: .finds(
                .failed, check: "group", detail: "read what group apns-orders has committed:",
                note: "if its coordinator is unavailable",
                standIn: "a cluster without a coordinator"
            ) {
                $0.loseCoordinator()
            },
            remedy: "bring back the broker that coordinates the group. Otherwise look who else is a"
                + " member of it (`kafka-consumer-groups.sh --describe --members`): a program with"
                + " another assignment strategy keeps the bridge out",
            begin: { $0.world.member?.lose([0, 1, 2, 3]) },
            end: { $0.world.member?.assign([0, 1, 2, 3]) }, seconds: 150),
        Incident(
            name: "Kafka is slow",
            alerts: ["ApnsBridgeEventsLate"],
            problem: "events older than five minutes are unfinished",
            logged: "events older than five minutes are unfinished", summary: "lag",
            doctor: .finds(
                .failed, check: "kafka", detail: "no connection to Kafka",
                note: "if a request takes longer than 15 s",
                standIn: "responses after 60 s and a limit of 500 ms"
            ) {
                $0.cluster.setRoundTrip(1, milliseconds: 60_000)
                $0.kafkaTimeout = .milliseconds(500)
            },
            remedy: "look at the brokers' request latency and disks; outcomes wait for"
                + " acknowledgements of all in-sync replicas",
            begin: { $0.world.results.latency = .seconds(400)...(.seconds(400)) },
            end: { $0.world.results.latency = .milliseconds(1)...(.milliseconds(10)) },
            seconds: 900, pace: 5000),
        Incident(
            name: "the right to read the source topic is withdrawn",
            alerts: ["ApnsBridgeRightRefused"],
            problem: "Kafka denied a permission or the login",
            logged: "Kafka denied a permission or the login",
            doctor: .unplayed(
                "`read access` fails", because: "it takes a broker with ACLs"),
            remedy: "grant READ on the source topics and on the group; reading resumes by itself."
                + " The alert ends 15 minutes after the last refusal, also while the right is"
                + " missing",
            begin: reading(
                fails: "TOPIC_AUTHORIZATION_FAILED", "shop.orders: not authorized"),
            recovery: recovery(.rightRefused)),
        refusal(
            named: "the right to write outcomes is withdrawn", response: .failedAtOnce,
            code: "TOPIC_AUTHORIZATION_FAILED",
            doctor: .unplayed(
                "`write access` fails: `Kafka does not allow WRITE`, with librdkafka 2.3 or newer",
                because: "the embedded Kafka has no ACLs; a test with a real broker checks it"),
            remedy: "grant WRITE on the result topics; refused records are offered again every"
                + " second"),
        refusal(
            named: "the brokers' disks are full", response: .failed(after: .milliseconds(500)),
            code: "KAFKA_STORAGE_ERROR",
            doctor: .finds(
                .failed, check: "kafka", detail: "no connection to Kafka",
                note: "once the brokers have stopped", standIn: "a broker that is down"
            ) {
                $0.loseKafka()
            },
            remedy: "free space on the brokers; nothing is committed before its outcome is stored"),
        Incident(
            name: "the source topic is deleted",
            alerts: ["ApnsBridgeTopicMissing"],
            problem: "Kafka reported that a topic to read does not exist",
            logged: "UNKNOWN_TOPIC_OR_PART",
            doctor: .finds(
                .failed, check: "topic shop.orders", detail: "Kafka has no topic 'shop.orders'"
            ) {
                $0.cluster.failTopic("shop.orders", code: 3)
            },
            remedy: "create it again, or correct `source.topics`; reading resumes by itself within"
                + " minutes. What was not read is gone. The alert ends 15 minutes after the last"
                + " report",
            begin: reading(fails: "UNKNOWN_TOPIC_OR_PART", "shop.orders [0]: unknown topic"),
            recovery: recovery(.topicMissing)),
        Incident(
            name: "the source topic is deleted and recreated",
            alerts: ["ApnsBridgePositionReset"],
            problem: "partition was recreated or truncated",
            logged: "partition was recreated or truncated",
            doctor: .finds(
                .failed, check: "topic shop.orders", detail: "Kafka has no topic 'shop.orders'",
                note: "while it is missing"
            ) {
                $0.cluster.failTopic("shop.orders", code: 3)
            },
            remedy: "nothing: the new topic is read from its first newer record, and `reading_from`"
                + " in the log says where that is. Find out who deleted it: what was not read is"
                + " gone",
            begin: { day in
                for partition in 0..<4 { day.world.replaceLog(of: Int32(partition)) }
            }, recovery: recovery(.positionReset)),
        Incident(
            name: "Kafka refuses offsets",
            alerts: ["ApnsBridgeCommitFailures"],
            logged: "offsets not committed",
            doctor: .unplayed("nothing", because: "it commits nothing"),
            remedy: "look at the broker that coordinates the group; the log has the error."
                + " Events are delivered meanwhile, and what is not committed is sent again after a"
                + " crash, or when the partitions move",
            begin: { $0.world.member?.habits.failingCommits = 100 },
            end: { $0.world.member?.habits.failingCommits = 0 }, seconds: 960, pace: 5000),
        Incident(
            name: "retention removes events before they are read",
            alerts: ["ApnsBridgeRecordsGone"],
            problem: "Kafka removed records before they were read",
            logged: "Kafka removed records before they were read",
            doctor: .unplayed("nothing", because: "it does not compare offsets with the log"),
            remedy: "raise `retention.ms` of the source topic; then find out why the bridge was"
                + " behind",
            begin: { $0.loseUnread() }, recovery: recovery(.recordsGone)),
        Incident(
            name: "retention removes events while the bridge is stopped",
            alerts: ["ApnsBridgeRecordsGone"],
            problem: "Kafka removed records before they were read",
            logged: "Kafka removed records before they were read",
            doctor: .unplayed("nothing", because: "it does not compare offsets with the log"),
            remedy: "raise `retention.ms` of the source topic above the longest stop that you"
                + " allow; then find out why nothing ran",
            begin: { try $0.replacePod() }, recovery: recovery(.recordsGone)),
    ]

    /// The time in seconds for which a fault remains a problem after it last occurred.
    static func recovery(_ fault: RecentFaults.Fault) -> Int {
        Int(fault.memory.components.seconds)
    }

    /// Kafka reports a failure, and no record can be read for two minutes.
    private static func reading(
        fails code: String, _ detail: String
    ) -> @Sendable (GameDay) throws -> Void {
        { day in
            day.world.member?.fail(KafkaFailure(code: code, detail: detail))
            day.world.topic.outageEnd = .after(.seconds(Int64(GameDay.start + 120)))
        }
    }

    /// Kafka refuses result records.
    private static func refusal(
        named name: String, response: PublishResponse, code: String, doctor: DoctorView,
        remedy: String
    ) -> Incident {
        Incident(
            name: name, alerts: ["ApnsBridgeResultsRefused"],
            problem: "Kafka refused a result record; its offset is not committed until it is"
                + " stored",
            logged: "Kafka refused a result record; its offset is not committed until it is"
                + " stored",
            summary: "in_flight", doctor: doctor, remedy: remedy,
            begin: { day in
                day.world.results.failure = KafkaFailure(code: code, detail: "no")
                day.world.results.rules = [ResultRule { _, _ in response }]
            },
            end: { $0.world.results.rules = [] }, seconds: 420,
            recovery: recovery(.resultRefused))
    }
}
