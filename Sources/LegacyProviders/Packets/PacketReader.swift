internal import EventLoop

/// Splits a provider's bytes into packets.
///
/// It stores at most one unfinished packet, and rejects a length as soon as it is read. After an
/// error nothing more can be read: the start of the next packet is unknown.
public struct PacketReader: Sendable {
    /// An element of the stream.
    public enum Finding: Equatable, Sendable {
        /// A complete push.
        case packet(PushPacket)
        /// Anything else, with the response to send, if any.
        case fault(LegacyStatus, response: [UInt8]?)
    }

    private let limits: PacketLimits
    private var buffer: [UInt8] = []
    /// The start of the next packet.
    private var start = 0
    private var isBroken = false

    /// Creates a reader.
    public init(limits: PacketLimits) { self.limits = limits }

    /// The number of bytes stored of an unfinished packet.
    public var pending: Int { isBroken ? 0 : buffer.count - start }

    /// Receives bytes; call ``next()`` until it returns nil before passing more.
    public mutating func receive(_ bytes: RawSpan) {
        guard !isBroken else { return }
        buffer.removeSubrange(..<start)
        start = 0
        buffer.append(contentsOf: [UInt8](copying: bytes))
    }

    /// The next complete packet, or what is wrong with it.
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

    /// Parses a device token and a payload, each preceded by its length.
    private mutating func push(
        _ command: PushPacket.Command, lengthAt offset: Int, _ identifier: UInt32? = nil,
        _ expiration: UInt32? = nil
    ) -> Finding? {
        guard let tokenLength = half(at: offset) else { return nil }
        if let status = limits.status(ofTokenLength: tokenLength) {
            return fail(status, identifier.map(status.response))
        }
        let token = offset + 2
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

    private func byte(at offset: Int) -> UInt8? {
        start + offset < buffer.count ? buffer[start + offset] : nil
    }

    private func half(at offset: Int) -> Int? {
        let offset = start + offset
        guard offset + 2 <= buffer.count else { return nil }
        return Int(buffer[offset]) << 8 | Int(buffer[offset + 1])
    }

    private func word(at offset: Int) -> UInt32? {
        let offset = start + offset
        guard offset + 4 <= buffer.count else { return nil }
        return UInt32(bigEndian: buffer[offset..<(offset + 4)])
    }

    private func bytes(_ range: Range<Int>) -> [UInt8] {
        [UInt8](buffer[(start + range.lowerBound)..<(start + range.upperBound)])
    }
}

extension UInt32 {
    /// Creates a number from big-endian bytes.
    init(bigEndian bytes: ArraySlice<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
