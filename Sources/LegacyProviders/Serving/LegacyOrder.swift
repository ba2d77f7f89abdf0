/// What a loop is told by other threads.
enum LegacyOrder: Sendable {
    /// Take nothing more, and end.
    case stop
}
