public import APNs
public import Delivery
public import Engine

/// What a worker is told from outside, through its mailbox.
public enum WorkerCommand: Sendable {
    /// Finish what is in flight, commit, leave the group, and end.
    case drain
    /// Believe the answers for which the guard holds lines, and go on.
    case release
    /// Go over to another credential or other trusted roots, for the pool with this number.
    case renew(route: Int, APNsRoute)
    /// Say what has been done so far.
    case report
}

/// What a worker tells the outside.
public enum WorkerEvent: Sendable {
    /// The group has given it these partitions, in addition to what it has.
    case assigned([TopicPartition])
    /// A connection to APNs stands.
    case connected(address: String)
    /// What has been done so far.
    case report(EngineCounters)
}

/// How a worker ended.
public enum WorkerEnd: Equatable, Sendable {
    /// It was told to, and left nothing unfinished that it could finish in time.
    case drained(EngineCounters)
    /// It could not go on: Kafka says why.
    case failed(KafkaFailure, EngineCounters)
}
