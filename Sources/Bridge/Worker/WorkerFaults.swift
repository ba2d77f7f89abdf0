internal import APNs
internal import Delivery

/// What has gone wrong around a worker: what its figures show of it, and which warnings it does not
/// repeat.
struct WorkerFaults {
    /// Warnings that are not repeated until a connection to APNs is open again.
    private var warned: Set<String> = []
    /// When it was last logged what Kafka refuses.
    private var refusals: [String: Instant] = [:]
    /// The routes of which APNs ended the last attempt to connect because of the certificate.
    private var rejectedRoutes: Set<Int> = []
    /// Why routes have failed to connect since they last had a new connection.
    private var connectionOutages: [Int: ConnectionOutage] = [:]
    /// When a broker was last found unreachable.
    var lastOutage = Instant.distantPast
    /// How often Kafka has refused a right to read, or the login.
    private(set) var rightsRefused = 0
    /// How often Kafka has reported that a topic to read does not exist.
    private(set) var topicsMissing = 0

    /// True for a warning that was not logged yet, or not lately.
    mutating func isNew(_ warning: String) -> Bool {
        if warned.count == 64 { warned = [] }
        return warned.insert(warning).inserted
    }

    /// How long a refusal of Kafka's is not logged again: as long as it counts as recent.
    private static let refusalPause = Duration.seconds(900)

    /// True for a refusal of Kafka's that was not logged lately, whatever happened with APNs.
    mutating func isNewRefusal(_ refusal: String, at now: Instant) -> Bool {
        if let last = refusals[refusal], now - last < Self.refusalPause { return false }
        if refusals.count == 64 { refusals = [:] }
        refusals[refusal] = now
        return true
    }

    /// A route has a new connection to APNs.
    mutating func connected(_ route: Int) {
        warned = []
        rejectedRoutes.remove(route)
        connectionOutages[route] = nil
    }

    /// A route has failed to connect, or its connection broke.
    mutating func failed(
        _ failure: ConnectionFailure, _ route: Int, isAboutCertificate: Bool, at now: Instant
    ) {
        let earlier = connectionOutages[route]
        connectionOutages[route] = ConnectionOutage(
            since: earlier?.since ?? now, failures: (earlier?.failures ?? 0) + 1,
            cause: failure.cause, detail: failure.message)
        if isAboutCertificate { rejectedRoutes.insert(route) } else { rejectedRoutes.remove(route) }
    }

    /// Kafka has reported a failure to a member of a group.
    mutating func failed(_ failure: KafkaFailure, group: String) {
        if failure.remedy(group: group) != nil { rightsRefused += 1 }
        if failure.isAboutMissingTopic { topicsMissing += 1 }
    }

    /// The connections of an app, which has so many that are ready.
    func connections(of route: Int, ready: Int) -> AppConnections {
        AppConnections(
            ready: ready, isCertificateRejected: rejectedRoutes.contains(route),
            outage: ready == 0 ? connectionOutages[route] : nil)
    }
}
