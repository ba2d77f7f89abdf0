import Delivery
import EventLoop
import Kafka
import Synchronization
import Testing

@testable import LegacyProviders

@Suite struct `A reader of feedback` {
    @Test func `fails for its provider when the system has no thread for it`() {
        let failures = Mutex<[KafkaFailure]>([])
        LoopThread.$isLimitReached.withValue(true) {
            _ = FeedbackFetch(
                properties: KafkaProperties([]), group: "g", topic: "t",
                app: EventWriter.App(
                    name: "shop", bundleID: "com.example.shop", environment: "production"),
                seal: nil
            ) { event in
                if case .failed(let failure) = event { failures.withLock { $0.append(failure) } }
            }
        }
        #expect(failures.withLock { $0.map(\.operation) } == ["read the feedback"])
    }
}
