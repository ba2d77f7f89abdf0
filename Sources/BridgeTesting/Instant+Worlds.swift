public import Delivery

/// Moments of simulated worlds.
extension Instant {
    /// The moment so long after the clock's zero; a world starts one second after it.
    public static func after(_ time: Duration) -> Instant { distantPast + time }
}
