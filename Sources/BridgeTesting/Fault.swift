public import Delivery
public import EventLoop

/// What happens to one event of a ``SimulatedNetwork``.
public enum Fault: Equatable, Sendable {
    /// It succeeds.
    case pass
    /// It succeeds, delayed by so much; later bytes on the connection wait for it.
    case delay(by: Duration)
    /// This many of the bytes arrive, then the connection is reset.
    case cut(after: Int)
    /// The byte at this position, counted around, arrives changed.
    case corrupt(at: Int)
    /// The connection is refused.
    case refuse
    /// Nothing more happens: no bytes in this direction, no connection, no addresses.
    case stall
    /// The host name is not found.
    case failLookup
}

/// Something in a ``SimulatedNetwork`` that may fail.
public enum NetworkEvent: Equatable, Sendable {
    /// A host is looked up.
    case lookup(host: String)
    /// A connection with this number is opened.
    case connect(to: SocketAddress, connection: Int)
    /// Bytes are sent from the client to its peer.
    case toPeer(connection: Int, bytes: Int)
    /// Bytes are sent from the peer to the client.
    case toClient(connection: Int, bytes: Int)
}

/// Decides what happens to the events that it applies to.
///
/// Rules are tried in order, and the first that returns a fault decides; without one, events pass.
public struct FaultRule {
    let decide: (NetworkEvent, SimulatedClock) -> Fault?

    /// Creates a rule from a function, which returns nil for events that it does not apply to.
    public init(_ decide: @escaping (_ event: NetworkEvent, _ clock: SimulatedClock) -> Fault?) {
        self.decide = decide
    }

    /// Applies `fault` to `count` events selected by `concerns`.
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

    /// Makes everything succeed from a moment on: put it first.
    public static func peace(from time: Instant) -> FaultRule {
        FaultRule { _, clock in clock.now >= time ? .pass : nil }
    }
}
