import Testing

@testable import HTTP2

@Suite struct `The memory of a server's requests` {
    private func request(_ name: String, value: Int = 1, body: Int = 0) -> HTTP2ServerRequest {
        var request = HTTP2ServerRequest()
        request.fields.append(Array(name.utf8), [UInt8](repeating: 0x76, count: value))
        request.body = [UInt8](repeating: 0x62, count: body)
        return request
    }

    private func names(_ request: HTTP2ServerRequest) -> [String] {
        request.fields.map { String(decoding: $0.name, as: UTF8.self) }
    }

    @Test func `shows nothing of the request that used it before`() throws {
        var server = HTTP2Server()
        var taken = HTTP2ServerRequest()
        let long: [UInt8] = [0, 1, 0x61, 2, 0x62, 0x63]
        try receive(Self.preface + Self.block(stream: 1, long + long), &server)
        while server.nextEvent() != nil { server.take(&taken) }
        #expect(names(taken) == [":method", ":scheme", ":path", ":authority", "a", "a"])
        for stream in [UInt8(3), 5, 7] {
            try server.respond(stream: Int32(stream) - 2, status: 200)
            try server.send { _ in }
            try receive(Self.block(stream: stream, []), &server)
            while server.nextEvent() != nil { server.take(&taken) }
            #expect(names(taken) == [":method", ":scheme", ":path", ":authority"])
            #expect(taken.body.isEmpty)
        }
    }

    @Test func `keeps requests that came together in order`() {
        var queue = RequestQueue()
        for name in ["first", "second", "third"] {
            var request = request(name)
            queue.append(&request)
            #expect(request.fields.isEmpty)
        }
        var taken = HTTP2ServerRequest()
        var found: [String] = []
        for _ in 0..<3 {
            queue.announce()
            queue.exchange(&taken)
            found += names(taken)
        }
        #expect(found == ["first", "second", "third"])
    }

    @Test func `skips a request that was not fetched`() {
        var queue = RequestQueue()
        for name in ["first", "second"] {
            var request = request(name)
            queue.append(&request)
        }
        queue.announce()
        queue.announce()
        var taken = HTTP2ServerRequest()
        queue.exchange(&taken)
        #expect(names(taken) == ["second"])
        var third = request("third")
        queue.append(&third)
        queue.announce()
        queue.exchange(&taken)
        #expect(names(taken) == ["third"])
    }

    @Test func `returns nothing if nothing was announced`() {
        var queue = RequestQueue()
        var taken = request("old")
        queue.exchange(&taken)
        #expect(taken.fields.isEmpty)
    }

    @Test func `is released after an unusually large request`() {
        var large = request("large", value: 60_000, body: 5000)
        large.removeAll()
        #expect(large.fields.capacity + large.body.capacity == 0)
        var common = request("common", value: 400, body: 400)
        common.removeAll()
        #expect(common.body.capacity >= 400)
    }

    @Test func `distinguishes empty names and values from missing ones`() {
        let list = FieldList([([], []), ([0x61], []), ([], [0x62])])
        #expect(list.map(\.name) == [[], [0x61], []])
        #expect(list.map(\.value) == [[], [], [0x62]])
        #expect(list.bytes(list.valueRange(of: 2), are: [0x62]))
        #expect(list.bytes(list.nameRange(of: 0), are: []))
        #expect(!list.bytes(list.nameRange(of: 1), are: [0x62]))
    }

    private static let preface =
        Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + Frame.bytes(kind: 4)

    /// A request without a body, with more fields after the usual ones.
    private static func block(stream: UInt8, _ more: [UInt8]) -> [UInt8] {
        Frame.bytes(
            kind: 1, flags: 5, stream: UInt32(stream), [0x83, 0x87, 0x84, 0x41, 1, 0x41] + more)
    }

    private func receive(_ bytes: [UInt8], _ server: inout HTTP2Server) throws {
        try unsafe server.receive(bytes.span.bytes)
    }
}
