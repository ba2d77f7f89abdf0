/// What the peer calls a breach of HTTP/2.
extension WorkerCore {
    /// The peer did not take the request as one, and processed nothing, as far as its word goes: it
    /// is sent once more, perhaps on another connection, and after that it is in doubt.
    mutating func unacceptable(_ place: Int, reason: String) {
        guard notifications[place].stage == .sent else { return }
        guard !notifications[place].wasRetriedOnce else { return inDoubt(place, reason: reason) }
        notifications[place].wasRetriedOnce = true
        notSent(place)
    }
}
