public import APNsSimulator
public import Delivery

/// The peer of one simulated connection: bytes in, bytes out, and its own deadlines.
public protocol SimulatedPeer: AnyObject {
    /// Receives bytes.
    func receive(_ bytes: [UInt8], at moment: SimulatorMoment)
    /// Returns the bytes to send, if any.
    func takeOutput() -> [UInt8]
    /// True when nothing follows the output.
    var isEnded: Bool { get }
    /// When to call ``expire(at:)``.
    var nextDeadline: Instant? { get }
    /// Does what is due.
    func expire(at moment: SimulatorMoment)
    /// The client has closed its side, or the connection was cut.
    func clientHasGone()
}

extension SimulatedPeer {
    /// No deadline, by default.
    public var nextDeadline: Instant? { nil }
    /// Does nothing by default.
    public func expire(at moment: SimulatorMoment) {}
    /// Does nothing by default.
    public func clientHasGone() {}
}
