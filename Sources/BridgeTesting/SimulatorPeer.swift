public import APNsSimulator
internal import EventLoop
internal import JSON

/// The APNs simulator as the other end of a simulated connection.
public final class SimulatorPeer: SimulatedPeer {
    private var connection: SimulatorConnection
    private var isGone = false

    /// Answers a client that has just come.
    public init(service: SimulatorService, at moment: SimulatorMoment) throws(SimulatorError) {
        connection = try SimulatorConnection(service: service, at: moment)
    }

    /// Decrypts, judges, answers.
    public func receive(_ bytes: [UInt8], at moment: SimulatorMoment) {
        guard !isGone else { return }
        bytes.withRawSpan { connection.receive($0, at: moment) }
    }

    /// What the simulator says.
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

    /// The simulator wants no more of this connection.
    public var isEnded: Bool { isGone || connection.isEnded }

    /// When a delayed answer is due.
    public var nextDeadline: UInt64? { isGone ? nil : connection.nextDeadline }

    /// Sends the answers that are due.
    public func expire(at moment: SimulatorMoment) {
        guard !isGone else { return }
        connection.expire(at: moment)
    }

    /// The client has gone: nothing more is said.
    public func clientHasGone() { isGone = true }
}
