internal import CLinux
internal import Glibc
internal import Synchronization

/// The only way into a loop: other threads post, the loop drains.
public final class Mailbox<Message: Sendable>: Sendable {
    private let queued = Mutex<[Message]>([])
    /// Becomes readable with every message: for ``Kernel/watch(_:token:)``.
    public let descriptor: Int32

    /// An empty mailbox.
    public init() {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
        precondition(descriptor >= 0, "eventfd failed: out of descriptors")
    }

    deinit { _ = close(descriptor) }

    /// Leaves a message and wakes the loop. Any thread may.
    public func post(_ message: Message) {
        queued.withLock { $0.append(message) }
        _ = eventfd_write(descriptor, 1)
    }

    /// Hands over every message that is there, in order. Only the loop may.
    public func drain(_ body: (Message) -> Void) {
        let messages = queued.withLock { queue in
            defer { queue.removeAll(keepingCapacity: true) }
            return queue
        }
        for message in messages { body(message) }
    }
}
