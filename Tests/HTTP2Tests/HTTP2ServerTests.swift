internal import HTTP2
internal import Testing

@Suite struct `An HTTP/2 server` {
    @Test func `closes a connection whose client speaks HTTP/1`() {
        let link = Link()
        link.deliver(toServer: Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        #expect(link.serverError?.code == .protocolViolation)
    }

    @Test func `closes a connection whose client opens more streams than it may`() throws {
        let link = Link(HTTP2ServerSettings(streamLimit: 1))
        link.talk()
        try link.submit(push(1), tag: 1)
        link.talk()
        // The second stream by hand: the client itself would not do it.
        let block: [UInt8] = [0x83, 0x87, 0x84, 0x41, 1, 65]
        link.deliver(toServer: Frame.bytes(kind: 1, flags: 5, stream: 3, block))
        #expect(link.serverError?.code == .protocolViolation)
    }

    @Test func `shows fields in order, repetitions included`() throws {
        let link = Link()
        link.talk()
        let twice = [UInt8(0), 7] + Array("apns-id".utf8) + [1, 65]
        let block: [UInt8] = [0x83, 0x87, 0x84, 0x41, 1, 65] + twice + twice
        link.deliver(toServer: Frame.bytes(kind: 1, flags: 5, stream: 1, block))
        let fields = try #require(link.requests.first).request.fields
        #expect(fields.suffix(2).map(\.name) == [Array("apns-id".utf8), Array("apns-id".utf8)])
        #expect(fields.suffix(2).map(\.value) == [[65], [65]])
    }

    @Test func `resets a stream with endless fields`() throws {
        let link = Link()
        link.talk()
        let value = [UInt8](repeating: 65, count: 120)
        let field: [UInt8] = [0, 1, 98, 120] + value
        let block: [UInt8] =
            [0x83, 0x87, 0x84, 0x41, 1, 65]
            + (0..<100).flatMap { _ in field }
        link.deliver(toServer: Frame.bytes(kind: 1, flags: 1, stream: 1, block))
        for number in 0..<6 {
            let more = (0..<100).flatMap { _ in field }
            link.deliver(
                toServer: Frame.bytes(kind: 9, flags: number == 5 ? 4 : 0, stream: 1, more))
        }
        #expect(link.requests.isEmpty)
    }

    @Test func `keeps a body up to its limit`() throws {
        var settings = HTTP2ServerSettings()
        settings.bodyLimit = 1000
        let link = Link(settings)
        link.talk()
        try link.submit(push(1, body: 1000), tag: 1)
        try link.submit(push(2, body: 1001), tag: 2)
        link.talk()
        #expect(link.requests.map(\.request.bodyWasTooLong) == [false, true])
        #expect(link.requests.map(\.request.body.count) == [1000, 1000])
    }

    @Test func `responds to a stream once`() throws {
        let link = Link()
        link.talk()
        try link.submit(push(1), tag: 1)
        link.talk()
        try link.respond(1)
        let again = #expect(throws: HTTP2Error.self) { try link.respond(1) }
        #expect(again?.code == .noSuchStream)
        link.talk()
        let late = #expect(throws: HTTP2Error.self) { try link.respond(1) }
        #expect(late?.code == .noSuchStream)
        #expect(throws: HTTP2Error.self) { try link.respond(99) }
    }

    @Test func `responds with a long body`() throws {
        let link = Link()
        link.talk()
        try link.submit(push(1), tag: 1)
        link.talk()
        try link.respond(1, 400, body: String(repeating: "y", count: 200_000))
        link.talk()
        #expect(link.serverOpen == 0)
        #expect(link.open == 0)
    }

    @Test func `restores the window at about half, as Apple's servers do`() throws {
        let link = Link()
        link.talk()
        for tag in 0..<7 { try link.submit(push(tag, body: 4096), tag: tag) }
        link.talk()
        #expect(link.window == 65_535 - 7 * 4096)
        try link.submit(push(8, body: 4096), tag: 8)
        link.talk()
        #expect(link.window == 65_535)
    }
}
