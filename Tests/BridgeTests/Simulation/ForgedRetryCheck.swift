import BridgeTesting
import Configuration
import Delivery
import Engine

/// Checks that what somebody else wrote to the retry topic is never sent: each such record has
/// outcomes that say that it is damaged, and a dead letter.
struct ForgedRetryCheck {
    /// The prefix of the device tokens that these records name, which no other event does.
    static let tokenPrefix = "f0f0"

    private struct Position: Hashable {
        var partition: Int32
        var offset: Int64
    }

    /// The records, by their partition in the world.
    private var forged: Set<Position> = []
    private var reported: Set<Position> = []
    private var letters: Set<Position> = []
    /// True once a log of the retry topic was replaced: outcomes may be about records that have
    /// gone.
    private var hasExpired = false

    /// Somebody has written a record.
    mutating func note(written partition: Int32, _ offset: Int64) {
        forged.insert(Position(partition: partition, offset: offset))
    }

    /// The log of a partition is replaced.
    mutating func forget(_ partition: Int32) {
        hasExpired = true
        forged = forged.filter { $0.partition != partition }
        reported = reported.filter { $0.partition != partition }
        letters = letters.filter { $0.partition != partition }
    }

    /// True for an outcome of a record of the retry topic that names no event, which is noted.
    /// `partition` is the one in the world.
    mutating func note(
        outcome: String, _ partition: Int32, _ offset: Int64, fail: (String) -> Void
    ) {
        let position = Position(partition: partition, offset: offset)
        reported.insert(position)
        let isDamaged = outcome.components(after: #""reason":"damaged_retry""#) != nil
        let wasSent = outcome.components(after: #""sent_at":""#) != nil
        let isKnown = forged.contains(position) || hasExpired
        if !isDamaged && !CrashCheck.isEnd(outcome) || wasSent || !isKnown {
            fail("a retry record that nobody forged is damaged, or was sent: \(outcome)")
        }
    }

    /// Notes a dead letter of such a record.
    mutating func note(letter partition: Int32, _ offset: Int64) {
        letters.insert(Position(partition: partition, offset: offset))
    }

    /// True when a record is forged.
    func isForged(_ partition: Int32, _ offset: Int64) -> Bool {
        forged.contains(Position(partition: partition, offset: offset))
    }

    /// True when a forged record has its outcome and its dead letter.
    func isDone(_ partition: Int32, _ offset: Int64) -> Bool {
        let position = Position(partition: partition, offset: offset)
        return reported.contains(position) && letters.contains(position)
    }

    /// The forged records that no one has reported.
    var unreported: [String] {
        forged.filter { !reported.contains($0) || !letters.contains($0) }
            .map { "\($0.offset) of partition \($0.partition) was forged and has no outcome" }
            .sorted()
    }
}

extension Oracle {
    /// True for an outcome that names a record of the retry topic, not an event.
    func noteForged(_ outcome: String, _ position: Position) -> Bool {
        guard settings.results.retry != nil,
            let source = outcome.components(after: #""source":{"topic":""#),
            String(source.quoted) == settings.results.retry
        else { return false }
        forgedRetries.note(
            outcome: outcome, position.partition + Int32(topic.firstCount), position.offset
        ) { fail($0) }
        return true
    }

    /// The same for a dead letter.
    func noteForged(_ headers: [ResultRecord.Header], _ position: Position) -> Bool {
        guard let retry = settings.results.retry,
            Self.header("apns-bridge-topic", headers) == retry
        else { return false }
        forgedRetries.note(
            letter: position.partition + Int32(topic.firstCount), position.offset)
        return true
    }
}
