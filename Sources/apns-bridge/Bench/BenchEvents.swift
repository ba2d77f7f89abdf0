internal import Delivery

/// The events of a measurement: one event, with another made-up device token in each, or with the
/// next of the simulator's channels.
struct BenchEvents: Equatable, Sendable {
    /// What stands before, between and after the identifiers.
    private var pieces: [[UInt8]]
    /// What stands between two pieces.
    private var kinds: [Destination.Kind] = []
    /// The channels of broadcasts; all IDs have the same length.
    private let channels: [[UInt8]]
    /// The number of bytes of each event.
    let size: Int

    private static let tokenLength = 64
    /// The simulator accepts every push to such a device.
    private static let prefix = "ab"

    /// Finds the device tokens of an event, whatever the case of their digits, and its channel IDs;
    /// without `channels`, these remain as they are.
    init(_ event: [UInt8], destinations: [Destination], channels: [[UInt8]] = []) {
        pieces = [[]]
        self.channels = channels
        let lowered = event.map(Self.lowered)
        let replaced = destinations.filter {
            !$0.identifier.isEmpty && ($0.kind == .device || !channels.isEmpty)
        }
        var offset = 0
        while offset < event.count {
            let found = replaced.first { destination in
                destination.kind == .device
                    ? lowered[offset...].starts(with: destination.identifier.map(Self.lowered))
                    : event[offset...].starts(with: destination.identifier)
            }
            if let found {
                pieces.append([])
                kinds.append(found.kind)
                offset += found.identifier.count
            } else {
                pieces[pieces.count - 1].append(event[offset])
                offset += 1
            }
        }
        let lengths = kinds.map { $0 == .device ? Self.tokenLength : channels[0].count }
        size = (pieces.map(\.count) + lengths).reduce(0, +)
    }

    /// How many device tokens and channel IDs of each event differ from event to event.
    var replaced: Int { kinds.count }

    /// The event with a number, counted from 0.
    func event(_ number: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        for (index, piece) in pieces.enumerated() {
            bytes += piece
            guard index < kinds.count else { break }
            let next = number * kinds.count + index
            switch kinds[index] {
            case .device: bytes += SampleToken.text(next, prefix: Self.prefix).utf8
            case .channel: bytes += channels[next % channels.count]
            }
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
            """.utf8), destinations: [.device("c0ffee")])
}

extension Destination {
    /// A device with this token.
    static func device(_ token: String) -> Destination {
        var destination = Destination()
        destination.identifier = Array(token.utf8)
        return destination
    }
}
