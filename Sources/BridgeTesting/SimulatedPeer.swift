public import APNsSimulator

/// The other end of one simulated connection: bytes in, bytes out, and deadlines of its own.
public protocol SimulatedPeer: AnyObject {
    /// Takes bytes that have arrived.
    func receive(_ bytes: [UInt8], at moment: SimulatorMoment)
    /// Hands over the bytes that it wants to send; none when there are none.
    func takeOutput() -> [UInt8]
    /// True when nothing more comes after the output.
    var isEnded: Bool { get }
    /// When ``expire(at:)`` is to be called.
    var nextDeadline: UInt64? { get }
    /// Does what is due.
    func expire(at moment: SimulatorMoment)
    /// The client has ended its side, or the connection was cut.
    func clientHasGone()
}

extension SimulatedPeer {
    /// Waits for nothing, unless said otherwise.
    public var nextDeadline: UInt64? { nil }
    /// Has nothing due, unless said otherwise.
    public func expire(at moment: SimulatorMoment) {}
    /// Takes no note, unless said otherwise.
    public func clientHasGone() {}
}
