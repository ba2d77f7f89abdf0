internal import CLinux
internal import Glibc
internal import Synchronization

/// The only way to communicate with a loop: other threads post, the loop drains.
public final class Mailbox<Message: Sendable>: Sendable {
    private let queued = Mutex<[Message]>([])
    /// Becomes readable with every message; pass it to ``Kernel/watch(_:token:)``.
    public let descriptor: Int32

    /// Creates an empty mailbox.
    public init() {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
        precondition(descriptor >= 0, "eventfd failed: out of descriptors")
    }

    deinit { _ = close(descriptor) }

    /// Adds a message and wakes the loop. Any thread may call it.
    public func post(_ message: Message) {
        queued.withLock { $0.append(message) }
        _ = eventfd_write(descriptor, 1)
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
