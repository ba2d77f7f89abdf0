import LegacyProviders
import Testing

@Suite struct `A reader of packets` {
    var reader = PacketReader(limits: PacketLimits())

    private static let all: [[UInt8]] = [
        Packets.simple(), Packets.enhanced(7, expiry: 9), Packets.whole(8),
    ]

    @Test mutating func `reads the three commands one after the other`() {
        let found = reader.read(Array(Self.all.joined()))
        #expect(
            found == [
                .packet(
                    PushPacket(
                        command: .simple, deviceToken: Packets.token, payload: Packets.payload)),
                .packet(
                    PushPacket(
                        command: .enhanced, identifier: 7, expiration: 9,
                        deviceToken: Packets.token, payload: Packets.payload)),
                .packet(
                    PushPacket(
                        command: .frame, identifier: 8, expiration: 7, priority: 10,
                        deviceToken: Packets.token, payload: Packets.payload)),
            ])
        #expect(reader.pending == 0)
    }

    @Test mutating func `finds the same however the bytes are cut`() {
        let stream = Array(Self.all.joined()) + [9]
        let expected = reader.read(stream)
        for size in 1...40 {
            var other = PacketReader(limits: PacketLimits())
            var found: [PacketReader.Finding] = []
            for start in stride(from: 0, to: stream.count, by: size) {
                found += other.read(Array(stream[start..<min(start + size, stream.count)]))
            }
            #expect(found == expected, "in pieces of \(size)")
        }
    }

    @Test mutating func `reads the items of a frame in any order`() {
        let found = reader.read(
            Packets.frame(
                Packets.item(5, [5]), Packets.item(3, Packets.word(1)),
                Packets.item(2, Packets.payload), Packets.item(1, Packets.token)))
        #expect(
            found == [
                .packet(
                    PushPacket(
                        command: .frame, identifier: 1, priority: 5, deviceToken: Packets.token,
                        payload: Packets.payload))
            ])
    }

    /// What is wrong, the packet, the status, and whether it is answered with which identifier.
    static let faults: [(String, [UInt8], LegacyStatus, UInt32?)] = [
        ("command 3", [3], .protocolError, 0),
        ("an HTTP request", Array("GET / HTTP/1.1\r\n".utf8), .protocolError, 0),
        ("0: no token", [0, 0, 0], .missingDeviceToken, nil),
        ("0: a long token", [0, 0, 101], .invalidTokenSize, nil),
        ("0: no payload", Packets.simple([]), .missingPayload, nil),
        ("0: a payload above 256", [0, 0, 1, 9, 1, 1], .invalidPayloadSize, nil),
        ("1: no token", Packets.enhanced(5, token: []), .missingDeviceToken, 5),
        ("1: a long token", [1, 0, 0, 0, 6, 0, 0, 0, 0, 255, 255], .invalidTokenSize, 6),
        ("1: no payload", Packets.enhanced(7, []), .missingPayload, 7),
        (
            "1: a payload above 256",
            Array(Packets.enhanced(8, [UInt8](repeating: 32, count: 257)).prefix(45)),
            .invalidPayloadSize, 8
        ),
        ("2: a frame above 64 KiB", [2, 0, 1, 0, 1], .protocolError, 0),
        ("2: an empty frame", Packets.frame(), .missingDeviceToken, 0),
        (
            "2: no token",
            Packets.frame(Packets.item(2, Packets.payload), Packets.item(3, Packets.word(9))),
            .missingDeviceToken, 9
        ),
        (
            "2: a long token",
            Packets.frame(
                Packets.item(1, [UInt8](repeating: 1, count: 101)),
                Packets.item(3, Packets.word(10))), .invalidTokenSize, 10
        ),
        (
            "2: no payload",
            Packets.frame(Packets.item(1, Packets.token), Packets.item(3, Packets.word(11))),
            .missingPayload, 11
        ),
        (
            "2: a payload above 2048", Packets.whole(12, [UInt8](repeating: 32, count: 2049)),
            .invalidPayloadSize, 12
        ),
        (
            "2: an unknown item",
            Packets.frame(Packets.item(6, []), Packets.item(3, Packets.word(13))),
            .protocolError, 13
        ),
        (
            "2: an item twice",
            Packets.frame(Packets.item(3, Packets.word(14)), Packets.item(3, Packets.word(15))),
            .protocolError, 14
        ),
        ("2: a short identifier", Packets.frame(Packets.item(3, [1, 2])), .protocolError, 0),
        (
            "2: a long expiration",
            Packets.frame(Packets.item(4, [1, 2, 3, 4, 5]), Packets.item(3, Packets.word(16))),
            .protocolError, 16
        ),
        ("2: priority 7", Packets.whole(17, priority: 7), .protocolError, 17),
        ("2: an item beyond the frame", Packets.frame([1, 0, 9, 1]), .protocolError, 0),
        ("2: an item cut short", Packets.frame([1, 0]), .protocolError, 0),
    ]

    @Test(arguments: faults)
    func `names what is wrong with a packet`(
        what: String, bytes: [UInt8], status: LegacyStatus, identifier: UInt32?
    ) {
        var reader = PacketReader(limits: PacketLimits())
        let response = identifier.map { [8, status.rawValue] + Packets.word($0) }
        #expect(reader.read(bytes) == [.fault(status, response: response)], "\(what)")
    }

    @Test mutating func `reads nothing after a fault`() {
        #expect(reader.read([9] + Packets.simple()).count == 1)
        #expect(reader.read(Packets.simple()) == [])
        #expect(reader.pending == 0)
    }

    @Test mutating func `refuses a length before what it announces has come`() {
        #expect(reader.read([2, 0xFF, 0xFF, 0xFF]) == [])
        #expect(reader.read([0xFF]).count == 1)
    }

    @Test func `lets payloads through that are as long as the settings allow`() {
        var reader = PacketReader(limits: PacketLimits(payload: 4096, framePayload: 4096))
        let long = [UInt8](repeating: 32, count: 4096)
        #expect(reader.read(Packets.simple(long) + Packets.whole(1, long)).count == 2)
        #expect(reader.pending == 0)
    }

    @Test mutating func `never keeps more than one frame, whatever comes`() {
        var random: UInt64 = 88_172_645_463_325_252
        for round in 0..<2000 {
            var reader = PacketReader(limits: PacketLimits())
            for _ in 0..<8 {
                var bytes = Self.all[round % 3]
                for _ in 0..<(round % 5) {
                    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    bytes[Int(random >> 33) % bytes.count] = UInt8(truncatingIfNeeded: random >> 24)
                }
                _ = reader.read(bytes)
                #expect(reader.pending <= 65_541)
            }
        }
    }
}
