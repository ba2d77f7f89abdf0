internal import HTTP2
internal import Testing

@Suite struct `The representation of a request's fields` {
    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    private static let settings = Frame.bytes(kind: 4)

    /// What a server reports about requests with these header blocks.
    private func representations(_ frames: [UInt8]) -> [[HeaderRepresentation]] {
        let link = Link()
        link.deliver(toServer: Self.preface + Self.settings + frames)
        return link.requests.map { Array($0.request.representations) }
    }

    private func names(_ request: HTTP2ServerRequest) -> [String] {
        zip(request.fields, request.representations).map { field, representation in
            "\(String(decoding: field.name, as: UTF8.self)) \(representation.kind)"
        }
    }

    @Test func `is known for each field, request by request`() throws {
        let link = Link()
        link.talk()
        try link.submit(push(1), tag: 1)
        try link.submit(push(2), tag: 2)
        link.talk()
        #expect(
            names(link.requests[0].request) == [
                ":method indexed", ":scheme indexed", ":path withoutIndexing",
                ":authority incrementalIndexing", "authorization incrementalIndexing",
                "apns-id incrementalIndexing", "apns-push-type incrementalIndexing",
                "apns-expiration incrementalIndexing", "apns-priority incrementalIndexing",
                "apns-topic incrementalIndexing", "apns-collapse-id incrementalIndexing",
            ])
        #expect(names(link.requests[1].request)[5] == "apns-id neverIndexed")
        #expect(names(link.requests[1].request)[6] == "apns-push-type indexed")
        #expect(link.requests[1].request.representations[5].isNameIndexed)
    }

    @Test func `recognizes a literal name and Huffman coding`() {
        // :method POST, :scheme https, :path /a without indexing and without Huffman's code,
        // a new name with a value in Huffman's code that is never indexed.
        let block: [UInt8] =
            [0x83, 0x87, 0x04, 0x02, 0x2F, 0x61, 0x41, 0x01, 0x78]
            + [0x10, 0x01, 0x61, 0x83, 0xF1, 0xE3, 0xC7]
        let found = representations(Frame.bytes(kind: 1, flags: 5, stream: 1, block))
        #expect(
            found == [
                [
                    HeaderRepresentation(.indexed), HeaderRepresentation(.indexed),
                    HeaderRepresentation(.withoutIndexing),
                    HeaderRepresentation(.incrementalIndexing),
                    HeaderRepresentation(.neverIndexed, isNameIndexed: false, isValueHuffman: true),
                ]
            ])
    }

    @Test func `is known if the block comes in pieces, padded and with a priority`() {
        let block: [UInt8] = [0x83, 0x87, 0x04, 0x02, 0x2F, 0x61, 0x41, 0x01, 0x78]
        let head = [2, 0, 0, 0, 0, 7] + block[..<4] + [0, 0]
        let frames =
            Frame.bytes(kind: 1, flags: 0x29, stream: 1, Array(head))
            + Frame.bytes(kind: 9, flags: 0, stream: 1, Array(block[4..<6]))
            + Frame.bytes(kind: 9, flags: 4, stream: 1, Array(block[6...]))
        let whole = representations(frames)
        #expect(whole.map(\.count) == [4])
        let link = Link()
        // Not byte by byte: nghttp2 then counts one CONTINUATION many times, and sees a flood.
        var rest = (Self.preface + Self.settings + frames)[...]
        while !rest.isEmpty {
            link.deliver(toServer: Array(rest.prefix(5)))
            rest = rest.dropFirst(5)
        }
        #expect(link.serverError == nil)
        #expect(link.requests.map { Array($0.request.representations) } == whole)
    }

    @Test func `is not guessed if trailers follow`() {
        let block: [UInt8] = [0x83, 0x87, 0x04, 0x02, 0x2F, 0x61, 0x41, 0x01, 0x78]
        let frames =
            Frame.bytes(kind: 1, flags: 4, stream: 1, block)
            + Frame.bytes(kind: 1, flags: 5, stream: 1, [0x00, 0x01, 0x61, 0x01, 0x62])
        #expect(representations(frames) == [[]])
    }

    @Test func `counts more fields than it keeps`() {
        var found = HeaderRepresentations()
        for _ in 0..<40 { found.append(HeaderRepresentation(.withoutIndexing)) }
        #expect(found.fieldCount == 40)
        #expect(found.count == HeaderRepresentations.capacity)
    }

    @Test func `survives encoding in one byte`() {
        for kind in HeaderRepresentation.Kind.allCases {
            let one = HeaderRepresentation(kind, isNameIndexed: false, isNameHuffman: true)
            #expect(HeaderRepresentation(rawValue: one.rawValue) == one)
            #expect(one.kind == kind && one.isNameHuffman && !one.isValueHuffman)
        }
    }
}
