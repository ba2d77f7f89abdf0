/// The events of a measurement: one event, with another made-up device token in each.
struct BenchEvents: Equatable, Sendable {
    /// What stands before, between and after the device tokens.
    private var pieces: [[UInt8]]
    /// The number of bytes of each event.
    let size: Int

    private static let tokenLength = 64
    /// The simulator accepts every push to such a device.
    private static let prefix = "ab"

    /// Finds the device tokens of a notification in its event, whatever the case of their digits.
    init(_ event: [UInt8], deviceTokens: [[UInt8]]) {
        pieces = [[]]
        let lowered = event.map(Self.lowered)
        let tokens = deviceTokens.filter { !$0.isEmpty }.map { $0.map(Self.lowered) }
        var offset = 0
        while offset < event.count {
            let found = tokens.first { lowered[offset...].starts(with: $0) }
            if let found {
                pieces.append([])
                offset += found.count
            } else {
                pieces[pieces.count - 1].append(event[offset])
                offset += 1
            }
        }
        size = pieces.reduce(0) { $0 + $1.count } + (pieces.count - 1) * Self.tokenLength
    }

    /// How many device tokens each event has; 0 when they do not come from the event.
    var deviceTokens: Int { pieces.count - 1 }

    /// The event with a number, counted from 0.
    func event(_ number: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        for (index, piece) in pieces.enumerated() {
            bytes += piece
            guard index < deviceTokens else { break }
            bytes += SampleToken.text(
                number * deviceTokens + index, prefix: Self.prefix
            ).utf8
        }
        return bytes
    }

    /// The key of its record.
    func key(_ number: Int) -> [UInt8] { [UInt8]("device-\(number)".utf8) }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}

extension BenchEvents {
    /// The event of the built-in connector, 450 bytes long.
    static let builtIn = BenchEvents(
        [UInt8](
            """
            {"device_token":"c0ffee","collapse_id":"order-1000001","push_type":"alert","payload":\
            {"aps":{"alert":{"title":"Order 1000001 has been shipped","body":"Hi Ada, your parcel \
            is on its way and arrives tomorrow between 10 and 12. Follow it in the app, where you \
            can also choose another day or a neighbour."},"badge":3,"sound":"default"},\
            "order_id":"1000001","shipment":"express","carrier":"Post"}}
            """.utf8), deviceTokens: [[UInt8]("c0ffee".utf8)])
}
