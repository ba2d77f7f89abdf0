internal import Configuration
internal import Delivery
internal import EventLoop
internal import Kafka

/// Reads the feedback that an app has not fetched yet, for one provider, on a separate thread
/// because librdkafka blocks.
struct FeedbackFetch: Sendable {
    /// A message to the thread.
    enum Order: Sendable { case more, commit, abandon }

    /// A message from the thread.
    enum Event: Sendable {
        case batch([UInt8], isLast: Bool, malformed: Int, unsealed: Int)
        case failed(KafkaFailure)
        /// The provider has received everything, but the commit failed.
        case uncommitted(KafkaFailure)
        case ended(isCommitted: Bool)
    }

    /// The number of records in a batch.
    private static let batch = 1000

    let orders = Mailbox<Order>()

    /// Starts reading. `report` receives the news, of which ``Event/failed(_:)``,
    /// ``Event/uncommitted(_:)`` or ``Event/ended(_:)`` is the last.
    init(
        properties: KafkaProperties, group: String, topic: String, app: EventWriter.App,
        seal: SealKeys?,
        report: @escaping @Sendable (Event) -> Void
    ) {
        do throws(KernelError) {
            try LoopThread(name: "feedback-fetch") { [orders] in
                do throws(KafkaFailure) {
                    var reader = try GroupReader(
                        properties: properties, group: group, topic: topic)
                    try reader.begin()
                    try Self.run(&reader, orders, app, seal, report)
                } catch {
                    report(.failed(error))
                }
            }.detach()
        } catch {
            report(
                .failed(
                    KafkaFailure(
                        code: "ERRNO_\(error.code)", operation: "read the feedback",
                        detail: error.description)))
        }
    }

    private static func run(
        _ reader: inout GroupReader, _ orders: Mailbox<Order>, _ app: EventWriter.App,
        _ seal: SealKeys?, _ report: (Event) -> Void
    ) throws(KafkaFailure) {
        var kernel = try kernel(for: orders)
        var records = FeedbackReader()
        var hasMore = true
        var order: Order? = .more
        while true {
            switch order ?? wait(for: orders, &kernel) {
            case .more:
                guard hasMore else { break }
                var bytes: [UInt8] = []
                var (malformed, unsealed) = (0, 0)
                hasMore = try reader.read(atMost: batch) { record in
                    switch records.finding(in: record, for: app, sealedBy: seal) {
                    case .tuple(let tuple): bytes += tuple.bytes
                    case .malformed: malformed += 1
                    case .unsealed: unsealed += 1
                    case .none: break
                    }
                }
                report(
                    .batch(
                        bytes, isLast: !hasMore, malformed: malformed, unsealed: unsealed))
            case .commit:
                do throws(KafkaFailure) {
                    try reader.commit()
                } catch {
                    return report(.uncommitted(error))
                }
                return report(.ended(isCommitted: true))
            case .abandon: return report(.ended(isCommitted: false))
            }
            order = nil
        }
    }

    private static func kernel(for orders: Mailbox<Order>) throws(KafkaFailure) -> LinuxKernel {
        do throws(KernelError) {
            var kernel = try LinuxKernel(capacity: 4)
            try kernel.watch(orders.descriptor, token: 1)
            return kernel
        } catch {
            throw KafkaFailure(
                code: "ERRNO_\(error.code)", operation: "read the feedback",
                detail: error.description)
        }
    }

    /// Waits for the next order; an order to end replaces any before it.
    private static func wait(
        for orders: Mailbox<Order>, _ kernel: inout LinuxKernel
    ) -> Order {
        var order: Order?
        while order == nil {
            kernel.wait(until: nil) { _ in orders.drain { order = $0 } }
        }
        return order ?? .abandon
    }
}
