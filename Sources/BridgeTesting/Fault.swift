public import EventLoop

/// What happens to one event of a ``SimulatedNetwork``.
public enum Fault: Equatable, Sendable {
    /// It goes well.
    case pass
    /// It goes well, so many nanoseconds later; what follows on the connection waits for it.
    case delay(by: UInt64)
    /// So many of the bytes arrive, then the connection is reset.
    case cut(after: Int)
    /// The connection is refused.
    case refuse
    /// Nothing happens any more: no bytes of this direction, no connection, no addresses.
    case stall
    /// The name is not found.
    case failLookup
}

/// Something that happens in a ``SimulatedNetwork`` and may go wrong.
public enum NetworkEvent: Equatable, Sendable {
    /// A host is looked up.
    case lookup(host: String)
    /// A connection is opened, the one with that number.
    case connect(to: SocketAddress, connection: Int)
    /// Bytes go from the client to its peer.
    case toPeer(connection: Int, bytes: Int)
    /// Bytes go from the peer to the client.
    case toClient(connection: Int, bytes: Int)
}

/// Decides about the events that concern it.
///
/// Rules are asked in order, and the first that has an answer decides; without one, events pass.
public struct FaultRule {
    let decide: (NetworkEvent, SimulatedClock) -> Fault?

    /// Decides by a function, which answers nil to events that do not concern it.
    public init(_ decide: @escaping (_ event: NetworkEvent, _ clock: SimulatedClock) -> Fault?) {
        self.decide = decide
    }

    /// Lets `fault` happen `count` times to the events that `concerns` picks.
    public static func times(
        _ count: Int, _ fault: Fault, when concerns: @escaping (NetworkEvent) -> Bool
    ) -> FaultRule {
        var left = count
        return FaultRule { event, _ in
            guard left > 0, concerns(event) else { return nil }
            left -= 1
            return fault
        }
    }

    /// Makes everything go well from a moment on: put it first.
    public static func peace(from time: UInt64) -> FaultRule {
        FaultRule { _, clock in clock.now >= time ? .pass : nil }
    }
}
