public import EventLoop

extension APNsPool {
    /// Takes no more requests; each connection says goodbye and ends when its last answer is here.
    public mutating func drain() {
        isDraining = true
        for index in keepers.indices { keepers[index].drain() }
    }

    /// True when the pool was drained and every request has ended.
    public var isDrained: Bool { isDraining && openRequests == 0 }

    /// Says goodbye on every connection and closes it; what has no answer by now is reported as not
    /// sent or in doubt.
    public mutating func close<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        drain()
        for index in keepers.indices { keepers[index].close(&kernel, &events) }
    }
}
