internal import Encoding
internal import Testing

@testable internal import HTTP2

@Suite struct `A plain response` {
    private static let identifier = "123e4567-e89b-42d3-a456-426614171001"
    private static let number = UInt128(0x123E_4567_E89B_42D3) << 64 | 0xA456_4266_1417_1001

    @Test(arguments: [false, true])
    func `is read whether its identifier is in Huffman's code or not`(isHuffman: Bool) throws {
        let twins = try Twins(requests: 1)
        let value = isHuffman ? Huffman.text(Self.identifier) : Huffman.plain(Self.identifier)
        let names = [Huffman.text("apns-id"), Huffman.plain("apns-id")]
        for name in names {
            for prefix: UInt8 in [0x00, 0x10] {
                var reader = PlainResponseReader()
                let block = [0x88, prefix] + name + value
                let found = unsafe block.withUnsafeBytes {
                    unsafe reader.read($0, length: block.count)
                }
                #expect(found?.identifier == Self.number)
                #expect(found?.nameIndex == 0)
            }
        }
        twins.deliver(Frame.bytes(kind: 1, flags: 5, stream: 1, [0x88, 0x10] + names[0] + value))
        #expect(twins.quick.events == [.response(tag: 0, Self.response)])
        #expect(twins.quick.client.openStreams == 0)
        twins.compare("one response")
    }

    @Test func `has any identifier, in upper or lower case`() {
        var random = SeededGenerator(seed: 7)
        var reader = PlainResponseReader()
        for round in 0..<2000 {
            let high = random.next()
            let number = UInt128(high) << 64 | UInt128(random.next())
            var text = Huffman.identifier(number)
            if round % 3 == 0 { text = text.uppercased() }
            let block = [0x88, 0x10] + Huffman.text("apns-id") + Huffman.text(text)
            let more = [UInt8](repeating: 0xFF, count: round % 40)
            let found = unsafe (block + more).withUnsafeBytes {
                unsafe reader.read($0, length: block.count)
            }
            #expect(found?.identifier == number)
        }
    }

    @Test(arguments: [
        "123e4567-e89b-42d3-a456-42661417100", "123e4567-e89b-42d3-a456-4266141710011",
        "123e4567-e89b-42d3-a456-42661417100g", "123e4567+e89b-42d3-a456-426614171001",
        "123e4567-e89b-42d3-a456426614171001--", "", "id",
    ])
    func `has an identifier that is a UUID`(text: String) {
        var reader = PlainResponseReader()
        for value in [Huffman.text(text), Huffman.plain(text)] {
            let block = [0x88, 0x10] + Huffman.text("apns-id") + value
            let found = unsafe block.withUnsafeBytes { unsafe reader.read($0, length: block.count) }
            #expect(found == nil)
        }
    }

    @Test func `has an identifier whose padding is as RFC 7541 demands`() {
        var reader = PlainResponseReader()
        var value = Huffman.text(Self.identifier)
        value[value.count - 1] &= 0xFE
        let longer = [value[0] + 1] + Huffman.text(Self.identifier).dropFirst() + [0xFF]
        for value in [value, longer] {
            let block = [0x88, 0x10] + Huffman.text("apns-id") + value
            let found = unsafe block.withUnsafeBytes { unsafe reader.read($0, length: block.count) }
            #expect(found == nil)
        }
    }

    @Test func `may name its field by an index once nghttp2 has read one like it`() throws {
        let twins = try Twins(requests: 6)
        // The first enters the table, the next are named by it, and the last come after a change.
        let name = Huffman.text("apns-id")
        let value = Huffman.text(Self.identifier)
        let other = Huffman.text("other") + Huffman.text(Self.identifier)
        let blocks = [
            [0x88, 0x40] + name + value, [0x88, 0x1F, 0x2F] + value, [0x88, 0x0F, 0x2F] + value,
            [0x88, 0x40] + other, [0x88, 0x1F, 0x2F] + value, [0x88, 0x1F, 0x30] + value,
        ]
        for (index, block) in blocks.enumerated() {
            twins.deliver(Frame.bytes(kind: 1, flags: 5, stream: UInt32(2 * index + 1), block))
            twins.compare("block \(index)")
        }
        let without = HTTP2Response(status: 200)
        #expect(
            twins.quick.events.compactMap(\.reply)
                == [Self.response, Self.response, Self.response, without, without, Self.response])
    }

    @Test func `counts only if the connection was intact before it`() throws {
        let twins = try Twins(requests: 2)
        let block = [0x88, 0x10] + Huffman.text("apns-id") + Huffman.text(Self.identifier)
        twins.deliver(
            Frame.bytes(kind: 0, stream: 0, [1])
                + Frame.bytes(kind: 1, flags: 5, stream: 1, block))
        twins.compare("a violation before it")
        #expect(twins.quick.events.compactMap(\.reply).isEmpty)
        #expect(twins.quick.error?.code == .protocolViolation)
    }

    @Test func `is read as nghttp2 reads it, whatever the bytes and the pieces`() throws {
        for seed in 0..<4000 {
            var random = SeededGenerator(seed: UInt64(seed))
            let twins = try Twins(requests: 8)
            var bytes: [UInt8] = []
            for _ in 0..<12 { bytes += Weather.frames(&random) }
            if seed % 2 == 0 { bytes = random.damage(bytes) }
            while !bytes.isEmpty {
                let count = min(bytes.count, Int(random.next() % 200) + 1)
                twins.deliver(Array(bytes[..<count]))
                bytes.removeFirst(count)
            }
            twins.compare("seed \(seed)")
        }
    }

    private static let response = HTTP2Response(status: 200, identifier: number)
}

extension HTTP2ClientEvent {
    fileprivate var reply: HTTP2Response? {
        guard case .response(_, let response) = self else { return nil }
        return response
    }
}
