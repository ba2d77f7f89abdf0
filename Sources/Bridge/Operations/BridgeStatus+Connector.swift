internal import Configuration
internal import Kafka
internal import KafkaLogin

extension BridgeStatus {
    /// A connector of the set.
    struct Connector: Sendable {
        /// The stages of its life.
        enum State: String, CaseIterable, Sendable {
            /// Its Kafka and its APNs are checked, several times if they are unavailable.
            case starting
            /// Its group is new, and it waits until an operator confirms that it begins.
            case waiting
            /// Its workers run, or are restarted.
            case running
            /// It was removed or changed, or the process stops: its workers finish what is in
            /// flight, and end.
            case stopping
            /// It could not be started, and is tried again once a minute.
            case failed
        }

        let name: String
        var state = State.running
        /// An operator has paused it.
        var isPaused = false
        /// What it would send that waits until an operator confirms it.
        var awaits: GroupBacklog?
        /// Why it could not be started; nil if it could.
        var problem: Diagnostic?
        var workers: [Worker] = []
        /// What became of the tokens it logs in to Kafka with; nil without `kafka_login`.
        var login: (@Sendable () -> LoginFigures)?
    }
}

extension BridgeStatus.Connector {
    init(_ unusable: UnusableConnector) {
        name = unusable.name
        state = .failed
        problem = unusable.diagnostics.first
    }

    init(_ member: Member) {
        let connector = member.connector
        name = connector.name
        isPaused = member.isPaused
        awaits = member.awaits
        switch member.state {
        case .starting: state = member.awaits == nil ? .starting : .waiting
        case .running: state = member.isStopping ? .stopping : .running
        case .failed(let failure):
            state = .failed
            problem = failure.diagnostics.first
        }
        if let settings = connector.kafkaLogin { login = { LoginSource.figures(of: settings) } }
        let properties = KafkaProperties(connector.kafka)
        workers = member.boards.enumerated().map { number, board in
            BridgeStatus.Worker(
                connector: connector.name, number: number, apps: connector.apns.apps.map(\.name),
                board: board, kafka: properties.addresses,
                reportsEmptyAssignments: properties.usesClassicGroups)
        }
    }
}
