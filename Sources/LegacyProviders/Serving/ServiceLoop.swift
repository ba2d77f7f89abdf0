internal import EventLoop

/// The single thread of a service, after setup.
protocol ServiceLoop: ~Copyable {
    /// Starts listening, and returns the port.
    mutating func listen(on address: SocketAddress) throws(KernelError) -> UInt16
    /// Runs until it is told to stop, or until it cannot continue.
    mutating func run() -> LegacyService.Ending
}
