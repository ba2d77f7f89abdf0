import HTTP2
import Testing

@Suite struct `A request with any fields` {
    private static func request(
        _ fields: [(String, String)] = [], body: String = "", maxResponse: Int = 4096
    ) -> HTTP2AnyRequest {
        HTTP2AnyRequest(
            method: "DELETE", path: [UInt8]("/1/apps/a/channels".utf8),
            authority: [UInt8]("localhost:2196".utf8),
            fields: fields.map { HTTP2AnyRequest.Field($0.0, [UInt8]($0.1.utf8)) },
            body: [UInt8](body.utf8), maxResponse: maxResponse)
    }

    private func fields(_ link: Link, _ index: Int) -> [String] {
        link.requests[index].request.fields.map {
            String(decoding: $0.name, as: UTF8.self) + "="
                + String(decoding: $0.value, as: UTF8.self)
        }
    }

    @Test(arguments: [("a\nb", "control"), (" a", "whitespace"), ("a\t", "whitespace")])
    func `is refused if a value is not valid in HTTP`(value: String, message: String) throws {
        let link = Link()
        link.talk()
        let error = #expect(throws: HTTP2Error.self) {
            try link.client.submit(Self.request([("apns-channel-id", value)]), tag: 1)
        }
        #expect(error?.code == .badField)
        #expect(error?.detail.hasPrefix("apns-channel-id: ") == true)
        #expect(error?.detail.contains(message) == true)
        #expect(link.client.openStreams == 0)
    }

    @Test func `is refused if its fields are too long, and the connection remains usable`() throws {
        let link = Link()
        link.talk()
        let long = String(repeating: "a", count: 9000)
        let error = #expect(throws: HTTP2Error.self) {
            try link.client.submit(Self.request([("apns-channel-id", long)]), tag: 1)
        }
        #expect(error?.code == .fieldsTooLong)
        try link.client.submit(Self.request(), tag: 2)
        link.talk()
        #expect(link.requests.count == 1)
    }

    @Test func `arrives as it was written, and does not disturb pushes`() throws {
        let link = Link()
        link.talk()
        let field = ("apns-channel-id", "dHN0LXNyY2gtY2hubA==")
        for tag in 0..<3 {
            try link.submit(push(1), tag: 10 + tag)
            try link.client.submit(Self.request([field], body: tag == 1 ? "{}" : ""), tag: tag)
            link.talk()
        }
        #expect(link.serverError == nil)
        #expect(link.requests.count == 6)
        for index in [1, 3, 5] {
            #expect(
                fields(link, index) == [
                    ":method=DELETE", ":scheme=https", ":path=/1/apps/a/channels",
                    ":authority=localhost:2196", "apns-channel-id=dHN0LXNyY2gtY2hubA==",
                ])
        }
        #expect(link.requests[3].request.body == [UInt8]("{}".utf8))
        #expect(fields(link, 0) == fields(link, 2) && fields(link, 2) == fields(link, 4))
    }

    @Test func `keeps as much of its response as it says`() throws {
        let link = Link()
        link.talk()
        try link.client.submit(Self.request(maxResponse: 200_000), tag: 1)
        link.talk()
        let body = String(repeating: "x", count: 300_000)
        try link.respond(1, body: body)
        link.talk()
        guard case .response(1, let response)? = link.takeEvents().last else {
            Issue.record("no response")
            return
        }
        #expect(response.body.count == 200_000)
        try link.submit(push(1), tag: 2)
        link.talk()
        try link.respond(3, body: String(body.prefix(9000)))
        link.talk()
        guard case .response(2, let next)? = link.takeEvents().last else {
            Issue.record("no response")
            return
        }
        #expect(next.body.count == 4096)
    }

    @Test func `gets the ID of a channel and of the request`() throws {
        let link = Link()
        link.talk()
        try link.client.submit(Self.request(), tag: 1)
        link.talk()
        let id = "00000000-0000-0001-0000-000000000007"
        try link.server.respond(
            stream: 1, status: 201,
            fields: [
                ("apns-request-id", [UInt8](id.utf8)), ("apns-channel-id", [UInt8]("YQ==".utf8)),
            ], body: [])
        link.talk()
        #expect(
            link.takeEvents().last
                == .response(
                    tag: 1,
                    HTTP2Response(
                        status: 201, identifier: 1 << 64 | 7, channelID: [UInt8]("YQ==".utf8))))
        try link.submit(push(1), tag: 2)
        link.talk()
        try link.respond(3, 400)
        link.talk()
        #expect(link.takeEvents().last == .response(tag: 2, HTTP2Response(status: 400)))
    }

    @Test(arguments: [true, false])
    func `is not identified by the ID of a request where a push has its own`(isFirst: Bool) throws {
        let link = Link()
        link.talk()
        try link.submit(push(1), tag: 1)
        link.talk()
        let fields = [
            ("apns-id", [UInt8]("00000000-0000-0001-0000-000000000007".utf8)),
            ("apns-request-id", [UInt8]("00000000-0000-0001-0000-000000000008".utf8)),
        ]
        try link.server.respond(
            stream: 1, status: 400, fields: isFirst ? fields : fields.reversed(), body: [])
        link.talk()
        #expect(
            link.takeEvents().last
                == .response(tag: 1, HTTP2Response(status: 400, identifier: 1 << 64 | 7)))
    }
}
