internal import EventLoop

/// What a service does on its one thread, once everything is in place.
protocol ServiceLoop: ~Copyable {
    /// Begins to listen, and answers on which port.
    mutating func listen(on address: SocketAddress) throws(KernelError) -> UInt16
    /// Works until it is told to stop, or until it cannot go on.
    mutating func run() -> LegacyService.Ending
}
