internal import CLinux
internal import Delivery
internal import Glibc
internal import Synchronization

/// A descriptor, such as standard error, whose reader may be slow or gone: what is added to it
/// waits in a bounded queue, and a thread of its own writes it.
@safe public final class QueuedOutput: Sendable {
    /// How many bytes wait at most.
    public static let limit = 1 << 20
    /// How long what is left may take at the end.
    public static let timeout = Duration.seconds(1)

    // Its functions lock it. Its thread, which may be stuck in write(2), keeps this object.
    private nonisolated(unsafe) let queue: OpaquePointer
    private let size: Int
    /// How many lines did not fit since that was last said.
    private let lost = Mutex(0)
    private let total = Atomic<Int>(0)
    private let describeLoss: @Sendable (_ lines: Int) -> [UInt8]

    /// Starts the thread; `describeLoss` makes the line that says how many lines were lost, once
    /// there is room again. Throws when there is no thread or no memory.
    public init(
        descriptor: Int32, limit: Int = QueuedOutput.limit,
        describeLoss: @escaping @Sendable (_ lines: Int) -> [UInt8]
    ) throws(KernelError) {
        guard let queue = unsafe linux_output_new(descriptor, Int64(limit)) else {
            throw KernelError("malloc", ENOMEM)
        }
        unsafe self.queue = queue
        size = limit
        self.describeLoss = describeLoss
        try LoopThread(name: "log") { self.write() }.detach()
    }

    deinit { unsafe linux_output_free(queue) }

    /// How many lines were lost since the start: because there was no room, or they could not be
    /// written.
    public var lostLines: Int {
        total.load(ordering: .relaxed) + Int(unsafe linux_output_failed(queue))
    }

    /// Adds a line, or counts it as lost where it does not fit. Any thread may call it; it never
    /// waits for the reader.
    public func add(_ line: [UInt8]) {
        lost.withLock { lost in
            guard lost == 0, put(line) else {
                lost += 1
                _ = total.add(1, ordering: .relaxed)
                return
            }
        }
    }

    private func put(_ line: [UInt8]) -> Bool {
        unsafe linux_output_add(queue, line, Int64(line.count)) == 1
    }

    /// The life of the thread: after each write, says what was lost as soon as half of the room is
    /// free again.
    private func write() {
        while unsafe linux_output_write(queue) == 1 {
            guard unsafe linux_output_waiting(queue) <= Int64(size / 2) else { continue }
            sayWhatWasLost()
        }
    }

    private func sayWhatWasLost() {
        lost.withLock { lost in
            if lost > 0, put(describeLoss(lost)) { lost = 0 }
        }
    }

    /// Lets the queue be written before a fault ends the process; one queue of the process can.
    public func precedeCrash() { unsafe linux_output_precede_crash(queue) }

    /// Waits until everything is written, at most for `timeout`; false when the thread is stuck,
    /// and the process must end without it. Nothing is written afterwards.
    public func finish(within timeout: Duration = QueuedOutput.timeout) -> Bool {
        sayWhatWasLost()
        unsafe linux_output_end(queue)
        return drain(within: timeout)
    }

    /// Waits until everything is written, at most for `timeout`; false when it was not.
    @discardableResult
    public func drain(within timeout: Duration = QueuedOutput.timeout) -> Bool {
        unsafe linux_output_drain(queue, Int32(timeout.milliseconds)) == 1
    }
}
