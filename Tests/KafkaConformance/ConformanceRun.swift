package import BridgeTesting
internal import Foundation
internal import Synchronization

/// Checks of several promises at the same time, because most of them wait for a group to join.
package struct ConformanceRun: Sendable {
    private let violations: [KafkaPromise: [String]]

    /// Checks promises, each on a Kafka of its own connections and topics.
    package init(
        of promises: [KafkaPromise], _ makeKafka: @escaping @Sendable () -> LibraryKafka
    ) {
        let found = Mutex<[KafkaPromise: [String]]>([:])
        let isDone = DispatchSemaphore(value: 0)
        for promise in promises {
            Thread.detachNewThread {
                let reasons: [String]
                do {
                    reasons = try promise.violations(on: makeKafka())
                } catch {
                    reasons = ["\(error)"]
                }
                found.withLock { $0[promise] = reasons }
                isDone.signal()
            }
        }
        for _ in promises { isDone.wait() }
        violations = found.withLock { $0 }
    }

    /// What was found about a promise; nil if it was not checked.
    package subscript(_ promise: KafkaPromise) -> [String]? { violations[promise] }
}
