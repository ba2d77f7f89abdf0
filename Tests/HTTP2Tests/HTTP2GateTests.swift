internal import HTTP2
internal import Testing

@Suite struct `An HTTP/2 client's gate` {
    @Test func `accepts nothing before the peer's settings`() {
        let link = Link()
        #expect(!link.canSubmit(0))
        #expect(link.limit == nil)
        let error = #expect(throws: HTTP2Error.self) { try link.submit(push(), tag: 1) }
        #expect(error?.code == .noRoom)
        let preface = link.takeFromClient()
        #expect(preface.starts(with: Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)))
        #expect(Frame.all(in: Array(preface.dropFirst(24))).map(\.kind) == [4])
    }

    @Test func `follows the stream limit from 1000 to 1 and back`() throws {
        let link = Link()
        link.talk()
        #expect(link.takeEvents() == [.settings(streamLimit: 1000)])
        for tag in 0..<3 { try link.submit(push(tag), tag: tag) }
        link.talk()
        link.server.changeStreamLimit(1)
        link.talk()
        #expect(link.limit == 1)
        #expect(!link.canSubmit())
        for stream in [Int32(1), 3, 5] { try link.respond(stream) }
        link.talk()
        #expect(link.canSubmit())
        try link.submit(push(4), tag: 4)
        #expect(!link.canSubmit())
        link.server.changeStreamLimit(1000)
        link.talk()
        #expect(link.canSubmit())
        #expect(link.takeEvents().suffix(1) == [.settings(streamLimit: 1000)])
    }

    @Test func `starts with the single stream of a new connection`() throws {
        let link = Link(HTTP2ServerSettings(streamLimit: 1))
        link.talk()
        try link.submit(push(1), tag: 1)
        #expect(throws: HTTP2Error.self) { try link.submit(push(2), tag: 2) }
        link.talk()
        link.server.changeStreamLimit(1000)
        try link.respond(1)
        link.talk()
        for tag in 2...1001 { try link.submit(push(tag, body: 10), tag: tag) }
        #expect(link.open == 1000)
        #expect(!link.canSubmit(0))
        link.talk()
        #expect(link.serverOpen == 1000)
    }

    @Test func `accepts a peer without a limit`() throws {
        let link = Link(HTTP2ServerSettings(streamLimit: nil))
        link.talk()
        #expect(link.limit == Int.max)
        #expect(link.canSubmit())
    }

    @Test func `waits when the connection's window is used up, and continues when it is restored`()
        throws
    {
        var settings = HTTP2ServerSettings()
        settings.restoresWindow = false
        let link = Link(settings)
        link.talk()
        #expect(link.window == 65_535)
        for tag in 0..<15 { try link.submit(push(tag, body: 4096), tag: tag) }
        #expect(link.window == 65_535 - 15 * 4096)
        #expect(!link.canSubmit(4096))
        #expect(link.canSubmit(4095))
        link.talk()
        #expect(link.requests.count == 15)
        #expect(!link.canSubmit(4096))
        link.server.restoreWindow()
        link.talk()
        #expect(link.window == 65_535)
        #expect(link.canSubmit(4096))
    }

    @Test func `continues with requests that fit while a larger one waits`() throws {
        var settings = HTTP2ServerSettings()
        settings.restoresWindow = false
        let link = Link(settings)
        link.talk()
        for tag in 0..<15 { try link.submit(push(tag, body: 4096), tag: tag) }
        let error = #expect(throws: HTTP2Error.self) {
            try link.submit(push(99, body: 5000), tag: 99)
        }
        #expect(error?.code == .noRoom)
        try link.submit(push(15, body: 4000), tag: 15)
        try link.submit(push(16, body: 0), tag: 16)
        link.talk()
        #expect(link.requests.count == 17)
        #expect(link.requests.allSatisfy { [4096, 4000, 0].contains($0.request.body.count) })
    }

    @Test func `regains window from a well-behaved peer`() throws {
        let link = Link()
        link.talk()
        for tag in 0..<500 {
            while !link.canSubmit(4096) { link.talk() }
            try link.submit(push(tag, body: 4096), tag: tag)
        }
        link.talk()
        #expect(link.requests.count == 500)
    }

    @Test func `never accepts a body that is larger than any window`() {
        let link = Link()
        link.talk()
        #expect(!link.canSubmit(65_536))
        #expect(!link.canSubmit(Int.max))
    }

    @Test func `accepts nothing after its own GOAWAY`() throws {
        let link = Link()
        link.talk()
        try link.submit(push(), tag: 1)
        link.client.goAway()
        #expect(!link.canSubmit(0))
        #expect(!link.acceptsRequests)
        link.talk()
        try link.respond(1)
        link.talk()
        #expect(link.clientEvents.last == .response(tag: 1, HTTP2Response(status: 200)))
    }

    @Test func `accepts nothing while too much waits to be sent`() throws {
        let link = Link(HTTP2ServerSettings(streamLimit: nil))
        link.talk()
        var tag = 0
        while link.canSubmit(0) {
            var request = push(tag, body: 0)
            request.authorization = [UInt8](repeating: UInt8(ascii: "}"), count: 7000)
            try link.submit(request, tag: tag)
            tag += 1
        }
        #expect((50...200).contains(tag))
        #expect(link.acceptsRequests)
        link.talk()
        #expect(link.canSubmit(0))
    }
}
