/// The items of a frame by number, as far as they can be parsed.
struct FrameItems {
    private(set) var identifier: UInt32?
    private var token: ArraySlice<UInt8>?
    private var payload: ArraySlice<UInt8>?
    private var expiration: UInt32?
    private var priority: UInt8?
    /// The items violate the protocol.
    private var isBroken = false

    /// Parses the items of a complete frame. After an invalid item, it still looks for the
    /// identifier, which the response contains.
    init(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while let number = rest.first {
            let head = rest.startIndex
            let length = rest.count < 3 ? 0 : Int(rest[head + 1]) << 8 | Int(rest[head + 2])
            guard rest.count >= 3 + length else {
                isBroken = true
                return
            }
            let data = rest[(head + 3)..<(head + 3 + length)]
            rest = rest[data.endIndex...]
            if !take(number, data) { isBroken = true }
        }
    }

    /// Stores an item; false for one that is unknown, duplicated, or of the wrong length.
    private mutating func take(_ number: UInt8, _ data: ArraySlice<UInt8>) -> Bool {
        switch number {
        case 1 where token == nil: token = data
        case 2 where payload == nil: payload = data
        case 3 where identifier == nil && data.count == 4: identifier = UInt32(bigEndian: data)
        case 4 where expiration == nil && data.count == 4: expiration = UInt32(bigEndian: data)
        case 5 where priority == nil && data.count == 1 && (data.first == 5 || data.first == 10):
            priority = data.first
        default: return false
        }
        return true
    }

    /// What is wrong with the frame; nil when it is a valid push.
    func status(_ limits: PacketLimits) -> LegacyStatus? {
        isBroken
            ? .protocolError
            : limits.status(ofTokenLength: token?.count ?? 0)
                ?? limits.status(ofPayloadLength: payload?.count ?? 0, .frame)
    }

    /// The push, provided that the frame is valid.
    var packet: PushPacket {
        PushPacket(
            command: .frame, identifier: identifier, expiration: expiration, priority: priority,
            deviceToken: [UInt8](token ?? []), payload: [UInt8](payload ?? []))
    }
}
