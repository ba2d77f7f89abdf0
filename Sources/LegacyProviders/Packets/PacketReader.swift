internal import EventLoop

/// Cuts a provider's bytes into packets.
///
/// It keeps no more than one unfinished packet, and refuses a length as soon as it has read it.
/// After a fault there is nothing more to read: where the next packet begins is not known.
public struct PacketReader: Sendable {
    /// What stands in the stream.
    public enum Finding: Equatable, Sendable {
        /// A whole push.
        case packet(PushPacket)
        /// Something else; the bytes answer it, or nothing does.
        case fault(LegacyStatus, response: [UInt8]?)
    }

    private let limits: PacketLimits
    private var buffer: [UInt8] = []
    /// Where the packet begins that is read next.
    private var start = 0
    private var isBroken = false

    /// Begins a stream.
    public init(limits: PacketLimits) { self.limits = limits }

    /// How many bytes of an unfinished packet are kept.
    public var pending: Int { isBroken ? 0 : buffer.count - start }

    /// Takes bytes; ask for ``next()`` until there is nothing before giving it more.
    public mutating func receive(_ bytes: RawSpan) {
        guard !isBroken else { return }
        buffer.removeSubrange(..<start)
        start = 0
        buffer.append(contentsOf: [UInt8](copying: bytes))
    }

    /// The next packet that is there as a whole, or what is wrong with what stands there.
    public mutating func next() -> Finding? {
        guard !isBroken, let command = byte(at: 0) else { return nil }
        return switch PushPacket.Command(rawValue: command) {
        case .simple: push(.simple, lengthAt: 1)
        case .enhanced: enhanced()
        case .frame: frame()
        case nil: fail(.protocolError, LegacyStatus.protocolError.response(0))
        }
    }

    private mutating func enhanced() -> Finding? {
        guard let identifier = word(at: 1), let expiration = word(at: 5) else { return nil }
        return push(.enhanced, lengthAt: 9, identifier, expiration)
    }

    /// Reads a device token and a payload, each after its length.
    private mutating func push(
        _ command: PushPacket.Command, lengthAt place: Int, _ identifier: UInt32? = nil,
        _ expiration: UInt32? = nil
    ) -> Finding? {
        guard let tokenLength = half(at: place) else { return nil }
        if let status = limits.status(ofTokenLength: tokenLength) {
            return fail(status, identifier.map(status.response))
        }
        let token = place + 2
        guard let length = half(at: token + tokenLength) else { return nil }
        if let status = limits.status(ofPayloadLength: length, command) {
            return fail(status, identifier.map(status.response))
        }
        let payload = token + tokenLength + 2
        guard start + payload + length <= buffer.count else { return nil }
        let packet = PushPacket(
            command: command, identifier: identifier, expiration: expiration,
            deviceToken: bytes(token..<(token + tokenLength)),
            payload: bytes(payload..<(payload + length)))
        start += payload + length
        return .packet(packet)
    }

    private mutating func frame() -> Finding? {
        guard let length = word(at: 1) else { return nil }
        guard length <= limits.frame else {
            return fail(.protocolError, LegacyStatus.protocolError.response(0))
        }
        let end = start + 5 + Int(length)
        guard end <= buffer.count else { return nil }
        let items = FrameItems(buffer[(start + 5)..<end])
        if let status = items.status(limits) {
            return fail(status, status.response(items.identifier ?? 0))
        }
        start = end
        return .packet(items.packet)
    }

    private mutating func fail(_ status: LegacyStatus, _ response: [UInt8]?) -> Finding {
        isBroken = true
        buffer = []
        start = 0
        return .fault(status, response: response)
    }

    private func byte(at place: Int) -> UInt8? {
        start + place < buffer.count ? buffer[start + place] : nil
    }

    private func half(at place: Int) -> Int? {
        let place = start + place
        guard place + 2 <= buffer.count else { return nil }
        return Int(buffer[place]) << 8 | Int(buffer[place + 1])
    }

    private func word(at place: Int) -> UInt32? {
        let place = start + place
        guard place + 4 <= buffer.count else { return nil }
        return UInt32(bigEndian: buffer[place..<(place + 4)])
    }

    private func bytes(_ range: Range<Int>) -> [UInt8] {
        [UInt8](buffer[(start + range.lowerBound)..<(start + range.upperBound)])
    }
}

extension UInt32 {
    /// A number whose most significant byte comes first.
    init(bigEndian bytes: ArraySlice<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
