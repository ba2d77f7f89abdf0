internal import CRDKafka

/// Whether the group is rebalancing, as the library's log tells it.
///
/// Until version 2.10 the library loses every partition of a member that commits while it joins
/// again: the commit waits behind the request to join, arrives under a generation that is over,
/// and is refused (confluentinc/librdkafka issue 4059). No call says that a member is joining;
/// only the debug log of the group does, at the moment when it happens.
struct GroupPhase {
    /// The facility of the log lines that tell of it.
    static let facility = "CGRPJOINSTATE"

    /// True for the versions that need it.
    static var isNeeded: Bool { rd_kafka_version() < 0x020A_00FF }

    /// True while a commit would wait behind a request to join.
    private(set) var isJoining = false
    /// True while the library waits for a response about the assignment, or changes it.
    private(set) var isChanging = false

    /// Takes note of a line such as `Group "g" changed join state steady -> wait-join (…)`.
    mutating func note(_ line: KafkaLog) {
        guard line.facility == Self.facility else { return }
        let words = line.message.split(separator: " ")
        guard let arrow = words.lastIndex(of: "->"), arrow + 1 < words.count else { return }
        isChanging = words[arrow + 1] != "steady"
        isJoining = ["init", "wait-join", "wait-metadata", "wait-sync"].contains(words[arrow + 1])
    }
}
