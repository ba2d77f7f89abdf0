internal import Configuration
internal import Delivery
internal import Encoding
internal import EventLoop

/// Pushes that were sent and got no response: whether they are resent, and what is reported.
extension Engine {
    /// Resends a push after a back-off if the connector allows it; otherwise its verdict is
    /// unknown.
    mutating func doubt(_ id: PushID, reason: String) {
        let event = activityContent(of: id).event
        pushes.change(id) { $0.noteDoubt(reason, event: event) }
        noteArrival(id)
        counters.add(\.doubts)
        guard mayResend(id), mayTryAgain(id) else { return reportDoubt(id) }
        let doubts = pushes.change(id) { details in
            details.doubts += 1
            return details.doubts
        }
        let delay = waiting.delay(afterAttempts: doubts)
        // Reading the record again would resend all of its pushes, not only the one in doubt.
        let isAlone = pushes[recordOf: id].count == 1
        guard isAlone || mayContinue(id, after: delay) || mayMoveToRetryTopic(id) else {
            return reportDoubt(id)
        }
        guard wait(id, for: delay) else { return }
        counters.add(\.retries)
        figures.countRetry(reason: PushFigures.inDoubt)
        noteRetry(id, after: delay)
    }

    /// True when a push in doubt may be resent: see ``DeliverySettings/InDoubt``.
    mutating func mayResend(_ id: PushID) -> Bool {
        switch settings.inDoubt {
        case .report: return false
        case .resend: return true
        case .collapse:
            switch repetition(of: id) {
            case .harmless: return true
            case .noticed: return false
            case .replacing:
                guard let key = pushes.collapseKey(id) else { return false }
                return sentPushes.isNewest(key, age: age(of: id))
            }
        }
    }
}
