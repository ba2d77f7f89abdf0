internal import Configuration
internal import Delivery
internal import EventLoop

/// A rate that the workers of a group share as they share the partitions of the source topics.
extension Engine {
    /// Until Kafka has said how many partitions there are, a worker has as little as any may have.
    private static var presumedPartitions: Int { 1000 }

    /// Gives each app this worker's share of its rate; one without partitions has that of one.
    ///
    /// Topics that the connector writes and reads itself do not count: a worker that has only
    /// retries would otherwise take a part of the rate from those that have events.
    mutating func shareRate() {
        guard settings.rate.owner == .group, let rate = settings.rate.perApp else { return }
        var total = 0
        for topic in settings.sourceTopics {
            total += outbox.partitionCount(of: topic) ?? Self.presumedPartitions
        }
        let share = max(1, intake.ownedEventPartitions)
        let limit = RateLimit(rate, share: share, of: max(total, share))
        sending.change(rate: limit, now: now)
    }
}
