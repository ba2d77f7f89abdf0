internal import HTTP2
internal import Testing

@Suite struct `An HTTP/2 client` {
    @Test func `reports requests above the last stream of a GOAWAY as not processed`() throws {
        let link = try threeRequests()
        link.server.goAway(lastStream: 3, debug: Array(#"{"reason":"Shutdown"}"#.utf8))
        try link.respond(1)
        try link.respond(3)
        link.talk()
        let debug = Array(#"{"reason":"Shutdown"}"#.utf8)
        #expect(
            link.takeEvents() == [
                .goAway(lastStream: 3, code: 0, debug: debug),
                .failed(tag: 13, .notProcessed),
                .response(tag: 11, HTTP2Response(status: 200)),
                .response(tag: 12, HTTP2Response(status: 200)),
            ])
        #expect(!link.canSubmit(0))
        #expect(!link.acceptsRequests)
        #expect(link.clientError == nil)
    }

    @Test func `learns that no request was processed that came after a GOAWAY`() throws {
        let link = try threeRequests()
        try link.submit(push(4), tag: 14)
        let onItsWay = link.takeFromClient()
        let before = link.requests.count
        link.server.goAway()
        link.deliver(toServer: onItsWay)
        #expect(link.requests.count == before)
        link.talk()
        #expect(link.takeEvents().contains(.failed(tag: 14, .notProcessed)))
        #expect(link.open == before)
    }

    @Test func `waits for the second of two GOAWAYs`() throws {
        let link = try threeRequests()
        link.server.goAway(lastStream: Int32.max)
        link.talk()
        #expect(link.takeEvents() == [.goAway(lastStream: Int32.max, code: 0, debug: [])])
        #expect(link.open == 3)
        #expect(!link.canSubmit(0))
        link.server.goAway(lastStream: 1)
        link.talk()
        #expect(link.takeEvents().dropFirst().contains(.failed(tag: 13, .notProcessed)))
        #expect(link.open == 1)
    }

    @Test func `receives the reason of a second GOAWAY even if no request is open`() {
        let link = Link()
        link.talk()
        link.clientEvents = []
        let debug = Array(#"{"reason":"BadCertificate"}"#.utf8)
        link.server.goAway(lastStream: Int32.max)
        link.server.goAway(lastStream: 0, debug: debug)
        link.talk()
        #expect(
            link.takeEvents() == [
                .goAway(lastStream: Int32.max, code: 0, debug: []),
                .goAway(lastStream: 0, code: 0, debug: debug),
            ])
    }

    @Test func `reports a refused stream as not processed`() throws {
        let link = try threeRequests()
        link.server.reset(stream: 3, code: 7)
        link.talk()
        #expect(link.takeEvents() == [.failed(tag: 12, .notProcessed)])
        #expect(link.open == 2)
    }

    @Test func `reports a reset stream with its code`() throws {
        let link = try threeRequests()
        link.server.reset(stream: 1, code: 5)
        link.talk()
        #expect(link.takeEvents() == [.failed(tag: 11, .reset(code: 5))])
    }

    @Test(arguments: [UInt32(1), 13])
    func `reports a request that the peer called a protocol error`(_ code: UInt32) throws {
        let link = try threeRequests()
        link.server.reset(stream: 1, code: code)
        link.talk()
        #expect(link.takeEvents() == [.failed(tag: 11, .unacceptable(code: code))])
        #expect(link.open == 2)
    }

    @Test func `reports a stream that is refused after its response began as reset`() throws {
        let link = try threeRequests()
        let status = Frame.bytes(kind: 1, flags: 4, stream: 1, [0x88])
        link.deliver(toClient: status + Frame.bytes(kind: 3, stream: 1, [0, 0, 0, 7]))
        #expect(link.takeEvents() == [.failed(tag: 11, .reset(code: 7))])
    }

    @Test func `fails a stream whose response breaks the rules, and only that`() throws {
        let link = try threeRequests()
        // A field with an upper-case name.
        let block: [UInt8] = [0x88, 0x00, 0x01, UInt8(ascii: "A"), 0x01, UInt8(ascii: "b")]
        link.deliver(toClient: Frame.bytes(kind: 1, flags: 5, stream: 1, block))
        #expect(link.takeEvents() == [.failed(tag: 11, .reset(code: 1))])
        #expect(link.clientError == nil)
        #expect(link.open == 2)
    }

    @Test func `closes a connection whose peer breaks the protocol, and says why`() throws {
        let link = try threeRequests()
        link.deliver(toClient: Frame.bytes(kind: 0, stream: 0, [1]))
        #expect(link.clientError?.code == .protocolViolation)
        #expect(link.clientError?.detail.contains("PROTOCOL_ERROR") == true)
        let last = Frame.all(in: link.takeFromClient())
        #expect(last.map(\.kind) == [7])
        #expect(!link.canSubmit(0))
        #expect(link.abandon() == [11: true, 12: true, 13: true])
    }

    @Test func `closes a connection whose peer does not speak HTTP/2`() {
        let link = Link()
        link.deliver(toClient: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
        #expect(link.clientError?.code == .protocolViolation)
    }

    @Test func `closes a connection whose peer floods it with PINGs`() {
        let link = Link()
        link.talk()
        let ping = Frame.bytes(kind: 6, [UInt8](repeating: 1, count: 8))
        for _ in 0..<20_000 where link.clientError == nil { link.deliver(toClient: ping) }
        #expect(link.clientError?.code == .flooded)
    }

    @Test func `accepts a response that comes before the body has arrived`() throws {
        let link = Link()
        link.talk()
        try link.submit(push(1, body: 4000), tag: 1)
        let bytes = link.takeFromClient()
        link.deliver(toServer: Array(bytes.dropLast(1000)))
        try link.respond(1, 413, body: #"{"reason":"PayloadTooLarge"}"#)
        link.server.reset(stream: 1, code: 0)
        link.deliver(toClient: link.takeFromServer())
        let body = Array(#"{"reason":"PayloadTooLarge"}"#.utf8)
        #expect(link.clientEvents.last == .response(tag: 1, HTTP2Response(status: 413, body: body)))
        #expect(link.open == 0)
        link.deliver(toServer: Array(bytes.suffix(1000)))
        link.talk()
        #expect(link.clientError == nil && link.serverError == nil)
        #expect(link.canSubmit())
    }

    @Test(arguments: [400, 403, 410, 429, 500, 503])
    func `accepts a response without a body`(status: Int) throws {
        let link = try threeRequests()
        try link.respond(1, status)
        link.talk()
        #expect(link.takeEvents() == [.response(tag: 11, HTTP2Response(status: status))])
    }

    @Test func `keeps the relevant fields and 4 KB of a body`() throws {
        let link = try threeRequests()
        try link.server.respond(
            stream: 5, status: 503,
            fields: [
                ("apns-id", [0x41]), ("apns-unique-id", Array("unique".utf8)),
                ("retry-after", Array("120".utf8)), ("x-other", [0x42]),
            ], body: [UInt8](repeating: 7, count: 20_000))
        link.talk()
        let response = HTTP2Response(
            status: 503, uniqueID: Array("unique".utf8), retryAfter: Array("120".utf8),
            body: [UInt8](repeating: 7, count: 4096))
        #expect(link.takeEvents() == [.response(tag: 13, response)])
    }

    @Test func `skips an interim response`() throws {
        let link = try threeRequests()
        let interim = Frame.bytes(kind: 1, flags: 4, stream: 1, [0x08, 3] + Array("103".utf8))
        link.deliver(toClient: interim + Frame.bytes(kind: 1, flags: 5, stream: 1, [0x88]))
        #expect(link.takeEvents() == [.response(tag: 11, HTTP2Response(status: 200))])
    }

    @Test func `reports nothing more about an abandoned request`() throws {
        let link = try threeRequests()
        #expect(link.cancel(tag: 12) == .reset(code: 8))
        #expect(link.cancel(tag: 12) == nil)
        #expect(link.open == 2)
        try link.respond(3)
        link.talk()
        #expect(link.resets == [3])
        #expect(link.takeEvents() == [])
        #expect(link.clientError == nil && link.serverError == nil)
    }

    @Test func `receives its pong`() {
        let link = Link()
        link.client.ping(0x0102_0304_0506_0708)
        link.talk()
        #expect(link.clientEvents.contains(.pong(0x0102_0304_0506_0708)))
    }

    @Test func `distinguishes sent from unsent requests when the connection is cut`() throws {
        let link = Link()
        link.talk()
        try link.submit(push(1), tag: 1)
        try link.submit(push(2), tag: 2)
        _ = link.takeFromClient()
        try link.submit(push(3), tag: 3)
        #expect(link.abandon() == [1: true, 2: true, 3: false])
        #expect(link.open == 0)
        #expect(link.abandon() == [:])
        let error = #expect(throws: HTTP2Error.self) { try link.submit(push(4), tag: 4) }
        #expect(error?.code == .ended)
    }

    @Test func `reports an unsent request as not processed, whatever the code`() throws {
        let link = Link()
        link.talk()
        try link.submit(push(1), tag: 1)
        link.clientEvents = []
        link.deliver(toClient: Frame.bytes(kind: 3, stream: 1, [0, 0, 0, 2]))
        #expect(link.takeEvents() == [.failed(tag: 1, .notProcessed)])
    }

    @Test func `rejects a value with a control character or outer white space`() throws {
        let link = Link()
        link.talk()
        for value in ["a\nb", "a\r\n", " a", "a\t", "\u{7F}", "\u{0}"] {
            var request = push()
            request.collapseID = Array(value.utf8)
            let error = #expect(throws: HTTP2Error.self) { try link.submit(request, tag: 1) }
            #expect(error?.code == .badField)
            #expect(error?.detail.hasPrefix("apns-collapse-id: the value ") == true)
        }
        var request = push()
        request.collapseID = [UInt8](repeating: 65, count: 9000)
        let error = #expect(throws: HTTP2Error.self) { try link.submit(request, tag: 1) }
        #expect(error?.code == .fieldsTooLong)
        #expect(link.open == 0)
        try link.submit(push(), tag: 1)
        link.talk()
        #expect(link.requests.count == 1)
    }

    /// A link with the tags 11, 12 and 13 on the streams 1, 3 and 5.
    private func threeRequests() throws -> Link {
        let link = Link()
        link.talk()
        for tag in 11...13 { try link.submit(push(tag), tag: tag) }
        link.talk()
        #expect(link.takeEvents() == [.settings(streamLimit: 1000)])
        #expect(link.requests.map(\.stream) == [1, 3, 5])
        return link
    }
}
