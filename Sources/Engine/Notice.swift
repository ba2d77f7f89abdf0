package import Delivery

/// What the engine reports to the operator. Its message for the log is in the module Bridge.
package enum Notice: Equatable, Sendable {
    /// A push has a verdict.
    case decided(PushNotice, Decision)
    /// A push waits for another attempt; with the last response, if there was one.
    case retried(PushNotice, after: Duration, lastStatus: Int?, lastReason: String?)

    /// Sending was suspended.
    case suspended(Suspension)
    /// Sending to the apps with these names is not suspended any more.
    case resumed(apps: [String])
    /// The mass-invalidation guard has engaged.
    case guardEngaged(GuardAlarm)
    /// The mass-invalidation guard of an app was released, with that many verdicts withheld.
    case guardReleased(app: String, withheld: Int, byOperator: Bool)
    /// APNs gave a response that the table of reasons does not know.
    case undocumented(OddResponse)
    /// APNs rejected a request as malformed.
    case malformed(OddResponse)

    /// A partition was paused because too many of its pushes wait for one app.
    case pausedForApp(String, TopicPartition, WaitingPushes)
    /// A partition was paused because its commit can record no more.
    case pausedByCommitSize(TopicPartition, oldest: Int64, above: Int64, hasRetryTopic: Bool)
    /// A partition was paused because too many of its records are not committed.
    case pausedUncommitted(TopicPartition, Uncommitted)
    /// The broker refused the metadata of a commit; that many characters are used from now on.
    case metadataRefused(characters: Int, left: Int)
    /// The committed offset of a partition does not exist.
    case positionReset(TopicPartition, PositionReset)
    /// A partition is paused: the schema of a record cannot be looked up, or the registry does not
    /// know it; with what the look-up found.
    case awaitsSchema(TopicPartition, String, _ detail: String, isUnknown: Bool)
    /// The registry does not know a schema, whose records are dropped from now on.
    case schemaUnknown(String)
    /// The schemas that records waited for are found again, this one last.
    case schemasFound(String)
    /// A partition was added to a topic, and is read from that offset.
    case partitionAdded(TopicPartition, offset: Int64)

    /// A partition's records are taken one at a time, as its last starts made no progress.
    case takenOneAtATime(TopicPartition, starts: Int)
    /// A partition's records are taken normally again.
    case takenNormally(TopicPartition)
    /// A record was ended because the worker crashed each time it processed it.
    case crashed(TopicPartition, offset: Int64, crashes: Int, Verdict)

    /// Kafka refused a result record for a topic.
    case refused(topic: String, KafkaFailure)
    /// Kafka still refuses result records.
    case stillRefused(Refusals)
    /// Kafka stores result records again.
    case storedAgain(Refusals)
    /// No refused result record is left.
    case noneRefused(Refusals)

    /// The wall clock may be wrong by that many milliseconds.
    case clockDoubted(step: Int64, byBroker: Bool)
    /// The wall clock is trusted again.
    case clockTrusted(byOperator: Bool)
}

extension Notice {
    /// The push that a notice is about.
    package struct PushNotice: Equatable, Sendable {
        /// Its `apns-id`.
        package let id: NotificationID
        /// The partition of its event.
        package let topicPartition: TopicPartition
        /// The offset of its event.
        package let offset: Int64
        /// Its index in the event.
        package let index: Int
        /// The name of its app; empty for none.
        package let app: String
        /// The number of its attempts.
        package let attempts: Int
    }

    /// The verdict of a push.
    package struct Decision: Equatable, Sendable {
        /// The verdict.
        package let verdict: Verdict
        /// The status of the decisive response; 0 for none.
        package let status: Int
        /// The reason; nil for none.
        package let reason: String?
        /// The first and last characters of the device token; nil without one.
        package let deviceToken: String?
        /// The channel of a broadcast; nil for any other push.
        package let channelID: String?
    }

    /// Apps for which sending is suspended, and why.
    package struct Suspension: Equatable, Sendable {
        /// What APNs, or another peer, has said.
        package enum Cause: Equatable, Sendable {
            /// A response.
            case response(status: Int, reason: String)
            /// A GOAWAY.
            case goAway(reason: String)
            /// A response that cannot be from APNs.
            case foreign(status: Int, reason: String)
        }

        /// What the peer has said.
        package let cause: Cause
        /// The names of the apps.
        package let apps: [String]
        /// Their bundle identifiers, each once.
        package let bundleIDs: [String]
        /// Their credential.
        package let credential: String
        /// What the response means.
        package let meaning: String
        /// What to do about it, in a few words.
        package let fix: String
    }

    /// What has engaged the mass-invalidation guard of an app.
    package struct GuardAlarm: Equatable, Sendable {
        /// The name of the app.
        package let app: String
        /// Its bundle identifier.
        package let bundleID: String
        /// The responses that count.
        package let responses: Int
        /// Those about a token that is unregistered or suspect.
        package let bad: Int
        /// The share that is too large.
        package let limit: Double
        /// The time in which the responses are counted.
        package let window: Duration
    }

    /// A response that a correct client does not expect.
    package struct OddResponse: Equatable, Sendable {
        /// Its status.
        package let status: Int
        /// Its reason.
        package let reason: String
        /// What it means.
        package let meaning: String
        /// What was done about it.
        package let reaction: String
    }

    /// Pushes that wait outside the window.
    package struct WaitingPushes: Equatable, Sendable {
        /// The names of all apps whose queues do not move.
        package let stalledApps: [String]
        /// The number of waiting records.
        package let records: Int
        /// Their size.
        package let bytes: Int
    }

    /// Records that are done and not committed.
    package struct Uncommitted: Equatable, Sendable {
        /// Their number.
        package let count: Int
        /// True if the broker keeps the metadata of commits.
        package let hasMetadata: Bool
        /// True if pushes may wait in a topic.
        package let hasRetryTopic: Bool
    }

    /// Result records of a topic that Kafka has refused.
    package struct Refusals: Equatable, Sendable {
        /// The topic.
        package let topic: String
        /// The error code.
        package let code: String
        /// Their number: since the last notice, or in all at the end.
        package let count: Int
        /// For how long Kafka has refused them.
        package let duration: Duration
    }
}
