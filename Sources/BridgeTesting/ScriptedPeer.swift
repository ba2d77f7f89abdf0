public import APNsSimulator

/// The other end of a simulated connection, as a test wants it.
public final class ScriptedPeer: SimulatedPeer {
    /// Every byte that has arrived.
    public private(set) var received: [UInt8] = []
    /// True when the client has ended its side or was cut off.
    public private(set) var isAlone = false
    /// Set it to end the connection after what was said.
    public var isEnded = false
    private var output: [UInt8] = []
    private let react: (ScriptedPeer, [UInt8]) -> Void

    /// Calls `react` with the bytes of each arrival.
    public init(_ react: @escaping (_ peer: ScriptedPeer, _ bytes: [UInt8]) -> Void = { _, _ in }) {
        self.react = react
    }

    /// Says something.
    public func say(_ bytes: some Sequence<UInt8>) { output.append(contentsOf: bytes) }

    /// Keeps what has arrived and reacts to it.
    public func receive(_ bytes: [UInt8], at moment: SimulatorMoment) {
        received += bytes
        react(self, bytes)
    }

    /// What was said.
    public func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    /// Takes note of it.
    public func clientHasGone() { isAlone = true }
}
