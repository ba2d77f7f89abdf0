internal import CRDKafka

/// Whether the group is rebalancing, according to the library's log.
///
/// Before version 2.10 a member that commits while it rejoins loses all its partitions: the commit
/// waits behind the JoinGroup request, arrives with an outdated generation, and is rejected
/// (confluentinc/librdkafka issue 4059). No API reports that a member is rejoining; only the debug
/// log of the group does, when it happens.
///
/// Before version 2.1 a member aborts the process when it is destroyed after the response to its
/// JoinGroup request and before its first assignment: `rd_kafka_sticky_assignor_state_destroy`
/// asserts a state that it does not have.
struct GroupPhase {
    /// The facility of the lines that name a new state.
    static let facility = "CGRPJOINSTATE"

    /// True for the versions that need this workaround.
    static var isNeeded: Bool {
        !KafkaLibrary.commitsWhileRebalancing(version: rd_kafka_version())
    }

    /// How long to wait for the log to say that a member rejoins, in milliseconds.
    private static let timeout = 1000

    /// True while the library sends a JoinGroup request or waits for its response.
    private var isJoining = false
    /// Until when the member is expected to rejoin, in milliseconds.
    private var joinExpectedUntil: Int?
    /// True from the response to the first JoinGroup request to the first assignment: the library
    /// expects a state of the assignor, which it does not have.
    var isUndestroyable: Bool { hasAssignor && !wasAssigned }
    private var hasAssignor = false
    private var wasAssigned = false
    /// True while the library waits for a response to an assignment change, or applies one.
    private(set) var isChanging = false

    /// Evaluates a line such as `Group "g" changed join state steady -> wait-join (…)`.
    mutating func note(_ line: KafkaLog) {
        if line.facility == "JOIN", line.message.contains("no matching topics") {
            waitForTopic()
        }
        guard line.facility == Self.facility else { return }
        let parts = line.message.split(separator: " ")
        guard let arrow = parts.lastIndex(of: "->"), arrow > 0, arrow + 1 < parts.count else {
            return
        }
        let state = parts[arrow + 1]
        isChanging = state != "steady"
        if ["wait-assign-call", "steady"].contains(state) { wasAssigned = true }
        // A member that subscribes to a pattern also waits for metadata before its first request.
        let hasResponse = parts[arrow - 1] == "wait-join" && state == "wait-metadata"
        if hasResponse || state == "wait-sync" { hasAssignor = true }
        isJoining = ["init", "wait-join", "wait-metadata", "wait-sync"].contains(state)
        if isJoining { joinExpectedUntil = nil }
    }

    /// No topic matches the patterns: the library stays in its initial state and sends no request
    /// until one does.
    private mutating func waitForTopic() {
        isJoining = false
        isChanging = false
        joinExpectedUntil = nil
    }

    /// The library was notified that the last revoked partition is given up: it rejoins, and says
    /// so in its log a moment later.
    mutating func willRejoin(at now: Int) {
        if Self.isNeeded { joinExpectedUntil = now + Self.timeout }
    }

    /// True while a commit would wait behind a JoinGroup request; `now` is in milliseconds.
    func isJoining(at now: Int) -> Bool {
        isJoining || joinExpectedUntil.map { now < $0 } ?? false
    }
}
