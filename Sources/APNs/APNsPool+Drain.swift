public import EventLoop

extension APNsPool {
    /// Accepts no more requests; each connection sends GOAWAY and closes after its last response.
    public mutating func drain() {
        isDraining = true
        quietUntil = nil
        for index in keepers.indices { keepers[index].drain() }
    }

    /// True when the pool was drained and every request has finished.
    public var isDrained: Bool { isDraining && openRequests == 0 }

    /// Sends GOAWAY on every connection and closes it; requests without a response are reported as
    /// not sent or in doubt.
    public mutating func close<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        drain()
        for index in keepers.indices { keepers[index].close(&kernel, &events) }
    }
}
