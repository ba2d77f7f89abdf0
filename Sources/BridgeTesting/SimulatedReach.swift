/// Whether clients reach the Kafka of a simulated world, for as long as nobody can foresee: what
/// finishes meanwhile does so when they reach it again, in the same order.
public final class SimulatedReach {
    private struct Waiting {
        var isVoid: () -> Bool
        var action: () -> Void
    }

    /// True while Kafka is out of reach.
    public private(set) var isLost = false
    private var waiting: [Waiting] = []

    /// Creates a Kafka within reach.
    public init() {}

    /// Kafka goes out of reach.
    public func lose() { isLost = true }

    /// Kafka is within reach again.
    public func regain() {
        guard isLost else { return }
        isLost = false
        let waiting = waiting
        self.waiting = []
        for one in waiting where !one.isVoid() { one.action() }
    }

    /// Runs an action now, or once Kafka is within reach, unless it is void by then.
    func run(unless isVoid: @escaping () -> Bool = { false }, _ action: @escaping () -> Void) {
        if isLost {
            waiting.append(Waiting(isVoid: isVoid, action: action))
        } else {
            action()
        }
    }

    /// Discards what waits, together with its world.
    func end() { waiting = [] }
}
