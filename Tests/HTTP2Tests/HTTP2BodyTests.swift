internal import HTTP2
internal import Testing

@Suite struct `A body that is larger than the window of its stream` {
    /// A link to a peer whose new streams accept `window` bytes, and that never restores windows.
    private func link(window: Int) -> Link {
        var settings = HTTP2ServerSettings()
        settings.streamWindow = window
        settings.restoresWindow = false
        let link = Link(settings)
        link.talk()
        link.clientEvents = []
        return link
    }

    @Test(arguments: [0, 1, 50, 4095])
    func `arrives in parts as the peer makes room`(_ window: Int) throws {
        let link = link(window: window)
        #expect(link.canSubmit(4096))
        let request = push(1, body: 4096)
        try link.submit(request, tag: 1)
        link.talk()
        #expect(link.requests.isEmpty)
        #expect(link.clientEvents.isEmpty)
        link.server.changeStreamWindow(4096)
        link.talk()
        #expect(link.requests.map(\.request.body) == [request.body])
        link.clientEvents = []
        try link.respond(1)
        link.talk()
        #expect(link.takeEvents() == [.response(tag: 1, HTTP2Response(status: 200))])
    }

    @Test func `is not mixed up with other waiting bodies`() throws {
        let link = link(window: 10)
        let requests = (1...5).map { number in
            var request = push(number)
            request.body = [UInt8](repeating: UInt8(number), count: 100 + number)
            return request
        }
        for (tag, request) in requests.enumerated() { try link.submit(request, tag: tag) }
        link.talk()
        for window in [20, 15, 60, 3, 200] {
            link.server.changeStreamWindow(window)
            link.talk()
        }
        let arrived = link.requests.sorted { $0.stream < $1.stream }
        #expect(arrived.map(\.request.body) == requests.map(\.body))
        #expect(link.clientError == nil && link.serverError == nil)
    }

    @Test func `keeps its share of the connection's window`() throws {
        let link = link(window: 10)
        for tag in 0..<15 { try link.submit(push(tag, body: 4096), tag: tag) }
        #expect(link.window == 65_535 - 15 * 4096)
        link.talk()
        #expect(link.window == 65_535 - 15 * 4096)
        #expect(!link.canSubmit(4096))
        #expect(link.queuedFrames == 0)
        link.server.changeStreamWindow(5000)
        link.talk()
        #expect(link.requests.count == 15)
    }

    @Test func `was not processed if its end was never sent`() throws {
        let link = link(window: 10)
        for tag in 1...4 { try link.submit(push(tag, body: 20), tag: tag) }
        link.talk()
        #expect(link.cancel(tag: 1) == .notProcessed)
        link.server.reset(stream: 3, code: 2)
        link.talk()
        #expect(link.takeEvents() == [.failed(tag: 2, .notProcessed)])
        #expect(link.abandon() == [3: false, 4: false])
    }

    @Test func `returns its share of the window when it is abandoned`() throws {
        let link = link(window: 10)
        for tag in 0..<15 { try link.submit(push(tag, body: 4096), tag: tag) }
        link.talk()
        for tag in 0..<15 { _ = link.cancel(tag: tag) }
        link.talk()
        #expect(link.window == 65_535 - 15 * 10)
        #expect(link.open == 0)
        #expect(link.serverError == nil)
    }

    @Test func `is no longer sent if the response comes before its end`() throws {
        let link = link(window: 10)
        try link.submit(push(1, body: 4096), tag: 1)
        link.talk()
        let head = Frame.bytes(kind: 1, flags: 5, stream: 1, [0x8D])
        link.deliver(toClient: head)
        #expect(link.takeEvents() == [.response(tag: 1, HTTP2Response(status: 404))])
        #expect(link.open == 0)
        link.talk()
        #expect(link.resets == [1])
        #expect(link.window == 65_535 - 10)
    }

    @Test func `is in doubt if its response had begun`() throws {
        let link = link(window: 10)
        try link.submit(push(1, body: 4096), tag: 1)
        link.talk()
        let head = Frame.bytes(kind: 1, flags: 4, stream: 1, [0x8D])
        link.deliver(toClient: head + Frame.bytes(kind: 3, stream: 1, [0, 0, 0, 8]))
        #expect(link.takeEvents() == [.failed(tag: 1, .reset(code: 8))])
    }

    @Test func `continues after the window was below zero`() throws {
        let link = link(window: 1000)
        try link.submit(push(1, body: 4000), tag: 1)
        link.talk()
        link.server.changeStreamWindow(0)
        link.talk()
        link.server.changeStreamWindow(4000)
        link.talk()
        #expect(link.requests.map(\.request.body.count) == [4000])
    }
}

@Suite struct `The numbers of an HTTP/2 client's streams` {
    @Test func `are used to the last one, and no further`() throws {
        let link = Link(firstStream: Int32.max - 4)
        link.talk()
        #expect(link.streamsLeft == 3)
        for tag in 1...3 { try link.submit(push(tag), tag: tag) }
        #expect(link.streamsLeft == 0)
        #expect(!link.canSubmit(0))
        link.talk()
        #expect(link.requests.map(\.stream) == [Int32.max - 4, Int32.max - 2, Int32.max])
        for stream in link.requests.map(\.stream) { try link.respond(stream) }
        link.talk()
        #expect(link.clientEvents.suffix(3).count == 3)
        #expect(link.open == 0)
        #expect(link.clientError == nil && link.serverError == nil)
    }
}
