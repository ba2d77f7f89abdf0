internal import HTTP2
internal import Testing

@Suite struct `A peer whose response never ends` {
    /// A link whose request on stream 1 waits for its response.
    private func link() throws -> Link {
        let link = Link()
        link.talk()
        try link.submit(push(1), tag: 1)
        link.talk()
        link.clientEvents = []
        return link
    }

    @Test(arguments: [1, 100, 16_000])
    func `is disconnected if it keeps sending header fields`(_ size: Int) throws {
        let link = try link()
        link.deliver(toClient: Frame.bytes(kind: 1, flags: 0, stream: 1, [0x88]))
        // A literal without indexing, as large as a frame may be.
        let value = [UInt8](repeating: UInt8(ascii: "v"), count: size)
        let length: [UInt8] =
            size < 127
            ? [UInt8(size)]
            : [127, UInt8((size - 127) & 127 | 128), UInt8((size - 127) >> 7)]
        let more = Frame.bytes(
            kind: 9, flags: 0, stream: 1, [0x00, 1, UInt8(ascii: "x")] + length + value)
        var count = 0
        while link.clientError == nil, count < 1_000_000 / more.count {
            link.deliver(toClient: more)
            count += 1
        }
        #expect(link.clientError != nil)
        #expect(link.abandon() == [1: true])
    }

    @Test func `is disconnected if its CONTINUATION frames are empty`() throws {
        let link = try link()
        link.deliver(toClient: Frame.bytes(kind: 1, flags: 0, stream: 1, [0x88]))
        let more = Frame.bytes(kind: 9, flags: 0, stream: 1)
        for _ in 0..<10_000 where link.clientError == nil { link.deliver(toClient: more) }
        #expect(link.clientError != nil)
    }

    @Test func `costs no more memory than the part of the body that is kept`() throws {
        let link = try link()
        link.deliver(toClient: Frame.bytes(kind: 1, flags: 4, stream: 1, [0x88]))
        let data = Frame.bytes(kind: 0, stream: 1, [UInt8](repeating: 7, count: 10_000))
        for _ in 0..<1000 {
            link.deliver(toClient: data)
            _ = link.takeFromClient()
        }
        #expect(link.clientError == nil)
        link.deliver(toClient: Frame.bytes(kind: 0, flags: 1, stream: 1))
        let body = [UInt8](repeating: 7, count: 4096)
        #expect(link.takeEvents() == [.response(tag: 1, HTTP2Response(status: 200, body: body))])
    }
}
