internal import APNs
internal import Configuration
internal import EventLoop
internal import Kafka

/// A connector of the set, and what runs for it.
struct Member {
    /// The stages of a connector's life.
    enum State: Equatable {
        /// Its Kafka and its APNs are checked, several times if they are unavailable.
        case starting
        /// Its workers run, or are restarted.
        case running
        /// It could not be started, and is checked again once a minute.
        case failed(StartFailure)
    }

    var connector: Connector
    /// Distinguishes it from an earlier or later member of the same name.
    let number: Int
    var state = State.starting
    /// An operator has paused it.
    var isPaused = false
    /// What it would send that waits until an operator confirms it; nil when it does not wait.
    var awaits: GroupBacklog?
    /// An operator has confirmed that it begins although its group is new.
    var mayBegin = false
    /// It has to end: it was removed or changed.
    var isStopping = false
    /// Its routes to APNs, with the credentials that its workers start with: APNs has not rejected
    /// them since they were last proven.
    var routes: [APNsRoute] = []
    /// The credentials that were offered to its workers and that APNs had not judged when that was
    /// last looked at, by the number of their route.
    var offers: [Int: (route: APNsRoute, result: RenewalResult)] = [:]
    /// Where its workers publish their figures.
    var boards: [FigureBoard]
    var mailboxes: [Mailbox<WorkerMessage>] = []
    let pauses: RestartPauses
    /// Nothing runs for it any more.
    var hasEnded = false
    /// Waits for its end.
    var onEnd: [CheckedContinuation<Void, Never>] = []

    var hasFailed: Bool { failure != nil }

    /// Why it could not be started.
    var failure: StartFailure? {
        if case .failed(let failure) = state { failure } else { nil }
    }

    /// The message that offers a route to a worker.
    mutating func offer(_ route: APNsRoute, number: Int) -> WorkerMessage {
        settleOffers()
        let result = RenewalResult()
        offers[number] = (route, result)
        return .renew(route: number, route, result)
    }

    /// What a worker that starts now is offered in addition to ``routes``.
    mutating func openOffers() -> [WorkerMessage] {
        settleOffers()
        // One that a worker refused is kept: another worker may accept it yet.
        return offers.sorted { $0.key < $1.key }.filter { $0.value.result.verdict == nil }
            .map { .renew(route: $0.key, $0.value.route, $0.value.result) }
    }

    private mutating func settleOffers() {
        for (number, offer) in offers where offer.result.verdict == .accepted {
            routes[number] = offer.route
            offers[number] = nil
        }
    }

    /// Boards for a connector's workers: those of an earlier member go on, so that its totals do.
    static func boards(for connector: Connector, after earlier: [FigureBoard]) -> [FigureBoard] {
        let boards = (0..<connector.workers).map { number in
            earlier.indices.contains(number) ? earlier[number] : FigureBoard()
        }
        for surplus in earlier.dropFirst(connector.workers) { boards[0].adopt(surplus) }
        return boards
    }
}

/// What was found out about a connector that can be started.
struct PreparedConnector: Sendable {
    var cluster: KafkaCheck.Findings
    var routes: [APNsRoute]
    /// The credentials and trusted roots of the routes, as ``CredentialFiles`` compares them.
    var identities: [String]
}
