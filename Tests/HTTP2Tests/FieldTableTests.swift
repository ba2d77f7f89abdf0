internal import Encoding
internal import HTTP2
internal import Testing

@Suite struct `The table of a connection's fields` {
    /// Carries the client's frames to the server, except acknowledgements of settings that only the
    /// test has sent.
    private func carry(_ link: Link) {
        let frames = Frame.all(in: link.takeFromClient())
        for frame in frames where frame.kind != 4 || frame.flags == 0 {
            link.deliver(
                toServer: Frame.bytes(
                    kind: frame.kind, flags: frame.flags, stream: UInt32(frame.stream),
                    frame.payload))
        }
    }

    private func allow(_ sizes: [UInt32], _ link: Link) {
        let entries = sizes.flatMap { size in
            [0, 1] + (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * UInt32($0))) }
        }
        link.deliver(toClient: Frame.bytes(kind: 4, entries))
    }

    private func block(of request: HTTP2Request, _ link: Link) throws -> [UInt8] {
        try link.submit(request, tag: 1)
        let frames = Frame.all(in: link.takeFromClient())
        return try #require(frames.last { $0.kind == 1 }).payload
    }

    private func link() -> Link {
        let link = Link()
        link.talk()
        return link
    }

    @Test func `stores a new provider token once`() throws {
        let link = link()
        var tokens: [String] = []
        for (number, token) in ["old", "old", "new", "new", "old"].enumerated() {
            var request = push(number)
            request.authorization = Array("bearer \(token)".utf8)
            tokens.append(Frame.representations(in: try block(of: request, link))[4])
        }
        #expect(tokens == ["indexing 23", "indexed 68", "indexing 23", "indexed 62", "indexed 69"])
    }

    @Test func `shrinks to the peer's limit from the next request on`() throws {
        let link = link()
        _ = try block(of: push(1), link)
        allow([0], link)
        let block = try block(of: push(2), link)
        #expect(block.first == 0x20)
        let kinds = Frame.representations(in: block).dropFirst(2).prefix(4)
        #expect(Array(kinds) == ["without 4", "without 1", "never 23", "never new"])
    }

    @Test func `is emptied if the peer shrinks and enlarges it`() throws {
        let link = link()
        _ = try block(of: push(1), link)
        allow([0, 4096], link)
        let block = try block(of: push(2), link)
        #expect(block.prefix(4) == [0x20, 0x3F, 0xE1, 0x1F])
        #expect(Frame.representations(in: Array(block.dropFirst(4)))[3] == "indexing 1")
    }

    @Test func `is never larger than 4096 bytes`() throws {
        let link = link()
        _ = try block(of: push(1), link)
        allow([1 << 20], link)
        #expect(try block(of: push(2), link).first == 0x83)
    }

    @Test func `does not store a field that would evict all others`() throws {
        let link = link()
        var request = push(1)
        request.authorization = [UInt8](repeating: UInt8(ascii: "a"), count: 3500)
        #expect(Frame.representations(in: try block(of: request, link))[4] == "never 23")
        #expect(Frame.representations(in: try block(of: request, link))[3] == "indexed 68")
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `never changes what the peer decodes`(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let link = link()
        var sent: [[(name: String, value: [UInt8])]] = []
        for number in 0..<200 {
            if chance.next() % 8 == 0 {
                let sizes: [UInt32] = [0, 60, 200, 400, 4096, 65_536]
                let changes = (0...chance.next() % 2).map { _ in
                    sizes[Int(chance.next() % UInt64(sizes.count))]
                }
                allow(changes, link)
            }
            let request = anyRequest(number, &chance)
            try link.submit(request, tag: number)
            sent.append(try request.writtenFields())
            carry(link)
            let stream = try #require(link.requests.last).stream
            try link.respond(stream)
            link.deliver(toClient: link.takeFromServer())
        }
        #expect(link.serverError == nil)
        #expect(link.clientError == nil)
        #expect(link.requests.count == sent.count)
        for (request, fields) in zip(link.requests, sent) {
            let arrived = request.request.fields
            #expect(arrived.map { String(decoding: $0.name, as: UTF8.self) } == fields.map(\.name))
            #expect(arrived.map(\.value) == fields.map(\.value))
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `never changes what the peer decodes of requests that are alike`(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let link = link()
        var sent: [[(name: String, value: [UInt8])]] = []
        var request = push(0)
        for number in 0..<400 {
            change(&request, number, &chance)
            if chance.next() % 40 == 0 { allow(chance.next() % 2 == 0 ? [0, 4096] : [300], link) }
            guard let fields = try? request.writtenFields() else {
                #expect(throws: HTTP2Error.self) { try link.submit(request, tag: number) }
                request.path = push(number).path
                continue
            }
            try link.submit(request, tag: number)
            sent.append(fields)
            carry(link)
            let stream = try #require(link.requests.last).stream
            try link.respond(stream)
            link.deliver(toClient: link.takeFromServer())
        }
        #expect(link.serverError == nil)
        #expect(link.requests.count == sent.count)
        for (request, fields) in zip(link.requests, sent) {
            #expect(request.request.fields.map(\.value) == fields.map(\.value))
        }
    }

    /// Changes a request in place, seldom more of it than what is new in each.
    private func change(
        _ request: inout HTTP2Request, _ number: Int, _ chance: inout SeededGenerator
    ) {
        let next = push(number)
        (request.path, request.identifier) = (next.path, next.identifier)
        request.expiration = next.expiration
        let length = [0, 1, 7, 8, 15, 16, 17, 31, 64, 126, 127, 200][Int(chance.next() % 12)]
        request.collapseID = [UInt8](repeating: UInt8(ascii: "c"), count: length)
        switch chance.next() % 40 {
        case 0: request.topic[3] ^= 1
        case 1: request.topic.append(UInt8(ascii: "t"))
        case 2: request.authorization = Array("bearer \(number)".utf8)
        case 3: request.priority = request.priority.isEmpty ? Array("10".utf8) : []
        case 4: request.pushType = Array(number % 2 == 0 ? "alert".utf8 : "voip".utf8)
        case 5: request.expiration = [UInt8(ascii: "0")]
        case 6: request.expiration = []
        case 7: request.path[20] = 0x0A
        case 8: request.topic = [UInt8](repeating: UInt8(ascii: "l"), count: number % 40 * 100 + 4)
        default: break
        }
    }

    /// A request whose fields sometimes come again.
    private func anyRequest(_ number: Int, _ chance: inout SeededGenerator) -> HTTP2Request {
        var request = push(number, body: Int(chance.next() % 300))
        let app = String(repeating: "x", count: Int(chance.next() % 40) * 4)
        request.topic = Array("com.example.\(app)".utf8)
        request.authorization = Array("bearer \(chance.next() % 3)".utf8)
        request.priority = Array(chance.next() % 2 == 0 ? "10".utf8 : "5".utf8)
        if chance.next() % 3 == 0 { request.collapseID = [] }
        if chance.next() % 3 == 0 { request.expiration = [UInt8(ascii: "0")] }
        if chance.next() % 3 == 0 { request.pushType = Array("background".utf8) }
        return request
    }
}
