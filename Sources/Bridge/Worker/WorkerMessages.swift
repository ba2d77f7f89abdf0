public import APNs
public import Delivery
public import Engine
public import Mapping

/// A message to a worker, sent through its mailbox.
public enum WorkerMessage: Sendable {
    /// Finish what is in flight, commit, leave the group, and end.
    case drain
    /// Release the mass-invalidation guard of the app with this name, or of all: an operator
    /// confirms the responses. The worker adds the guards that it releases to a count, if any.
    case release(app: String?, ReleaseCount? = nil)
    /// Trust the wall clock: an operator confirms that it is right.
    case releaseClock
    /// Stop taking records and sending pushes, or resume.
    case pause(Bool)
    /// Switch the pool with this number to another credential or other trusted roots. The worker
    /// settles the result, if any.
    case renew(route: Int, APNsRoute, RenewalResult? = nil)
    /// What a look-up of a schema has found out.
    case schema(SchemaID, SchemaResult)
    /// Look at what the other workers of the process do.
    case look
    /// Report the totals, and publish the figures.
    case report
}

/// What a worker reports.
public enum WorkerEvent: Sendable {
    /// The group has assigned these partitions, in addition to those it already has.
    case assigned([TopicPartition])
    /// A connection to APNs is open.
    case connected(address: String)
    /// The totals since the start.
    case report(EngineCounters)
}

/// The way a worker ended.
public enum WorkerEnd: Equatable, Sendable {
    /// It was drained, and finished everything that it could in time.
    case drained(EngineCounters)
    /// It could not continue because of a Kafka failure.
    case failed(KafkaFailure, EngineCounters)

    /// True if it failed.
    var hasFailed: Bool {
        if case .failed = self { true } else { false }
    }
}
