internal import Synchronization

/// The only way to communicate with a loop: other threads post, the loop drains.
public final class Mailbox<Message: Sendable>: Sendable {
    private let queued = Mutex<[Message]>([])
    /// Becomes readable with every message; pass it to ``Kernel/watch(_:token:)``, which throws if
    /// the system had no descriptor left: then this is the negated error number.
    public let descriptor: Int32

    /// Creates an empty mailbox.
    public init() { descriptor = WakeupDescriptor.open() }

    deinit { WakeupDescriptor.close(descriptor) }

    /// Adds a message and wakes the loop. Any thread may call it.
    public func post(_ message: Message) {
        queued.withLock { $0.append(message) }
        WakeupDescriptor.signal(descriptor)
    }

    /// Hands over every pending message, in order. Only the loop may call it.
    public func drain(_ body: (Message) -> Void) {
        let messages = queued.withLock { queue in
            defer { queue = [] }
            return queue
        }
        for message in messages { body(message) }
    }
}
