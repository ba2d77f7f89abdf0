/// What a worker expects of every record source and result sink, whatever Kafka is behind it.
public enum KafkaPromise: String, CaseIterable, Sendable, CustomStringConvertible {
    /// Every record is handed over, as it was written.
    case everyRecord = "hands over every record of a partition once, in order, as it was written"
    /// What was not committed is read again.
    case restart = "continues after a restart at the last commit, with its metadata"
    /// A paused partition rests, and the others do not.
    case pause = "hands over nothing of a paused partition, and all of it once it is resumed"
    /// A rebalance loses and repeats nothing.
    case rebalance = "moves partitions to a new member with their last commit"
    /// The partitions of a member that leaves are read by the others.
    case leaving = "moves the partitions of a member that leaves to the others"
    /// An offset that the log does not have is replaced by its beginning.
    case lostPosition = "reads a log from its beginning that ends before the last commit"
    /// A recreated topic is noticed by its readers.
    case recreated = "reads a topic from its beginning that is recreated meanwhile"
    /// A result is acknowledged when it is stored, as it was published.
    case everyResult = "acknowledges every result once, when it is stored as it was published"
    /// Results with the same key stay in order.
    case resultOrder = "keeps the results of a key in order, and stores others where asked to"
    /// A result that is too large is rejected.
    case largeResult = "rejects a result that is too large, and stores the others"

    /// The promise as a sentence whose subject is Kafka.
    public var description: String { rawValue }

    /// Checks the promise; empty if it is kept.
    public func violations(on kafka: any KafkaUnderTest) throws -> [String] {
        let trial = ConformanceTrial(kafka)
        switch self {
        case .everyRecord: try trial.everyRecord()
        case .restart: try trial.restart()
        case .pause: try trial.pause()
        case .rebalance: try trial.rebalance()
        case .leaving: try trial.leaving()
        case .lostPosition: try trial.lostPosition()
        case .recreated: try trial.recreated()
        case .everyResult: try trial.everyResult()
        case .resultOrder: try trial.resultOrder()
        case .largeResult: try trial.largeResult()
        }
        return trial.violations
    }
}
