public import APNsSimulator
public import Delivery
internal import EventLoop
internal import JSON

/// The APNs simulator as the peer of a simulated connection.
public final class SimulatorPeer: SimulatedPeer {
    private var connection: SimulatorConnection
    private var isGone = false

    /// Accepts a new client.
    public init(service: SimulatorService, at moment: SimulatorMoment) throws(SimulatorError) {
        connection = try SimulatorConnection(service: service, at: moment)
    }

    /// Decrypts requests, judges them and responds.
    public func receive(_ bytes: [UInt8], at moment: SimulatorMoment) {
        guard !isGone else { return }
        bytes.withRawSpan { connection.receive($0, at: moment) }
    }

    /// The simulator's output.
    public func takeOutput() -> [UInt8] {
        var output: [UInt8] = []
        while !isGone, connection.hasOutput {
            connection.withOutput { bytes in
                output.appendBytes(bytes)
                return bytes.byteCount
            }
        }
        return output
    }

    /// The simulator has closed this connection.
    public var isEnded: Bool { isGone || connection.isEnded }

    /// When a delayed response is due.
    public var nextDeadline: Instant? { isGone ? nil : connection.nextDeadline }

    /// Sends the responses that are due.
    public func expire(at moment: SimulatorMoment) {
        guard !isGone else { return }
        connection.expire(at: moment)
    }

    /// The client is gone: nothing more is sent.
    public func clientHasGone() { isGone = true }
}
