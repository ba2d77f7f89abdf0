internal import HTTP2
internal import Testing

@Suite struct `The fields of a request` {
    @Test func `are sent in the order that Apple documents`() throws {
        let link = Link()
        link.talk()
        try link.submit(push(1), tag: 1)
        link.talk()
        let fields = try #require(link.requests.first).request.fields
        #expect(
            fields.map { String(decoding: $0.name, as: UTF8.self) } == [
                ":method", ":scheme", ":path", ":authority", "authorization", "apns-id",
                "apns-push-type", "apns-expiration", "apns-priority", "apns-topic",
                "apns-collapse-id",
            ])
        #expect(fields[2].value == push(1).path)
        #expect(fields[10].value == push(1).collapseID)
        #expect(link.requests[0].request.body == push(1).body)
    }

    @Test func `are left out if they are empty`() throws {
        let link = Link()
        link.talk()
        var request = push(1, body: 0)
        request.collapseID = []
        request.expiration = []
        try link.submit(request, tag: 1)
        link.talk()
        #expect(link.requests[0].request.fields.count == 9)
    }

    @Test func `enter the compression table once, and later by name alone`() throws {
        let link = Link()
        link.talk()
        try link.submit(push(1), tag: 1)
        try link.submit(push(2), tag: 2)
        let blocks = Frame.all(in: link.takeFromClient()).filter { $0.kind == 1 }.map(\.payload)
        #expect(
            Frame.representations(in: blocks[0]) == [
                "indexed 3", "indexed 7", "without 4", "indexing 1", "indexing 23",
                "indexing new", "indexing new", "indexing new", "indexing new", "indexing new",
                "indexing new",
            ])
        // The table now holds, newest first: collapse-id 62, topic 63, priority 64,
        // expiration 65, push-type 66, id 67, authorization 68, authority 69.
        #expect(
            Frame.representations(in: blocks[1]) == [
                "indexed 3", "indexed 7", "without 4", "indexed 69", "indexed 68", "never 67",
                "indexed 66", "never 65", "indexed 64", "indexed 63", "never 62",
            ])
    }

    @Test func `enter the table when they first appear, however late`() throws {
        let link = Link()
        link.talk()
        var plain = push(1)
        plain.collapseID = []
        try link.submit(plain, tag: 1)
        try link.submit(push(2), tag: 2)
        try link.submit(push(3), tag: 3)
        let blocks = Frame.all(in: link.takeFromClient()).filter { $0.kind == 1 }.map(\.payload)
        #expect(Frame.representations(in: blocks[1]).last == "indexing new")
        #expect(Frame.representations(in: blocks[2]).last == "never 62")
    }

    @Test func `cost one byte for an expiration of 0`() throws {
        let link = Link()
        link.talk()
        var request = push(1)
        request.expiration = [UInt8(ascii: "0")]
        try link.submit(request, tag: 1)
        try link.submit(request, tag: 2)
        let blocks = Frame.all(in: link.takeFromClient()).filter { $0.kind == 1 }.map(\.payload)
        #expect(Frame.representations(in: blocks[1])[7] == "indexed 65")
    }

    @Test func `are not primed by a rejected request`() throws {
        let link = Link()
        link.talk()
        var bad = push(1)
        bad.collapseID = [10]
        #expect(throws: HTTP2Error.self) { try link.submit(bad, tag: 1) }
        try link.submit(push(1), tag: 1)
        let blocks = Frame.all(in: link.takeFromClient()).filter { $0.kind == 1 }.map(\.payload)
        #expect(Frame.representations(in: blocks[0])[5] == "indexing new")
    }

    @Test func `arrive whole at a peer without a table`() throws {
        var settings = HTTP2ServerSettings()
        settings.headerTableSize = 0
        let link = Link(settings)
        link.talk()
        for tag in 1...50 { try link.submit(push(tag), tag: tag) }
        link.talk()
        #expect(link.serverError == nil)
        #expect(link.requests.count == 50)
        #expect(link.requests[49].request.fields[5].value == push(50).identifier)
    }
}
