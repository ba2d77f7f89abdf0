public import APNsSimulator

/// The peer of a simulated connection, scripted by a test.
public final class ScriptedPeer: SimulatedPeer {
    /// Every byte that has arrived.
    public private(set) var received: [UInt8] = []
    /// True when the client has closed its side or was cut off.
    public private(set) var isAlone = false
    /// Set it to close the connection after the output.
    public var isEnded = false
    private var output: [UInt8] = []
    private let react: (ScriptedPeer, [UInt8]) -> Void

    /// Calls `react` with the bytes of each arrival.
    public init(_ react: @escaping (_ peer: ScriptedPeer, _ bytes: [UInt8]) -> Void = { _, _ in }) {
        self.react = react
    }

    /// Sends bytes.
    public func say(_ bytes: some Sequence<UInt8>) { output.append(contentsOf: bytes) }

    /// Records received bytes and reacts to them.
    public func receive(_ bytes: [UInt8], at moment: SimulatorMoment) {
        received += bytes
        react(self, bytes)
    }

    /// The bytes to send.
    public func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    /// Records it.
    public func clientHasGone() { isAlone = true }
}
