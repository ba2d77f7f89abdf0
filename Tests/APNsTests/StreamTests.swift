import Delivery
import HTTP2
import Testing

@testable import APNs

@Suite struct `A pool that sends` {
    @Test func `sends one request until the first 200 on a connection`() throws {
        let bench = try Bench()
        bench.start()
        #expect(bench.send(1))
        #expect(!bench.canSend(bodyBytes: 2))
        #expect(!bench.send(2))
        bench.settle()
        bench.network.peers[0].respond(0, status: 400, body: #"{"reason":"BadTopic"}"#)
        bench.settle()
        #expect(bench.send(3))
        #expect(!bench.send(4))
        bench.settle()
        bench.network.peers[0].respond(1)
        bench.settle()
        #expect(bench.send(5))
        #expect(bench.send(6))
        #expect(bench.ends == ["1 answered 400", "3 answered 200"])
    }

    @Test func `follows the limit of streams down and up`() throws {
        let bench = try Bench.warm(server: HTTP2ServerSettings(streamLimit: 3))
        #expect((0..<5).map { bench.send($0) } == [true, true, true, false, false])
        bench.settle()
        bench.network.peers[0].changeStreamLimit(1)
        bench.settle()
        for index in 1...2 { bench.network.peers[0].respond(index) }
        bench.settle()
        #expect(!bench.send(5))
        bench.network.peers[0].respond(3)
        bench.settle()
        #expect(bench.send(6))
        #expect(!bench.send(7))
        bench.network.peers[0].changeStreamLimit(5)
        bench.settle()
        #expect((10..<15).map { bench.send($0) } == [true, true, true, true, false])
    }

    @Test func `stops at the connection's window and continues when it is returned`() throws {
        var server = HTTP2ServerSettings()
        server.restoresWindow = false
        let bench = try Bench.warm(server: server)
        let sent = (0..<20).count { bench.send($0, bytes: 4096) }
        #expect(sent == 15)
        #expect(bench.canSend(bodyBytes: 100))
        bench.settle()
        #expect(bench.network.peers[0].requests.count == 16)
        bench.network.peers[0].restoreWindow()
        bench.settle()
        #expect(bench.send(20, bytes: 4096))
    }

    @Test func `replaces a connection whose peer never allows another stream`() throws {
        var server = HTTP2ServerSettings()
        server.restoresWindow = false
        let bench = try Bench.warm(server: server)
        for tag in 0..<15 { #expect(bench.send(tag, bytes: 4096)) }
        bench.settle()
        for index in 1...15 { bench.network.peers[0].respond(index) }
        bench.settle()
        #expect(!bench.send(16, bytes: 4096))
        bench.pass(.seconds(30))
        #expect(
            bench.failures.first?.contains("no stream available for a request within 20 s") == true)
        #expect(bench.send(17, bytes: 4096))
    }

    @Test func `gives each request to the least loaded connection`() throws {
        let bench = try Bench.warm(connections: 3)
        for tag in 0..<9 { #expect(bench.send(tag)) }
        bench.settle()
        #expect(bench.network.peers.map(\.requests.count) == [4, 4, 4])
        bench.network.peers[1].respond(1)
        bench.network.peers[1].respond(2)
        bench.settle()
        for tag in 10..<12 { #expect(bench.send(tag)) }
        bench.settle()
        #expect(bench.network.peers.map(\.requests.count) == [4, 6, 4])
    }

    @Test func `writes a full TLS record at once, and the rest at the end of the turn`() throws {
        let bench = try Bench.warm()
        for tag in 0..<4 { #expect(bench.send(tag, bytes: 4000)) }
        bench.network.deliver()
        #expect(bench.network.peers[0].requests.count == 1 + 3)
        bench.settle()
        #expect(bench.network.peers[0].requests.count == 1 + 4)
    }

    @Test func `has nothing to write until something happens`() throws {
        let bench = try Bench.warm(connections: 2)
        #expect(bench.pool.quietUntil == bench.pool.nextDeadline)
        #expect(bench.send(0))
        #expect(bench.pool.quietUntil == nil)
        #expect(bench.pool.keepers.filter { $0.quietUntil == nil }.count == 1)
        bench.settle()
        #expect(bench.pool.quietUntil != nil)
        bench.renew(bench.route)
        #expect(bench.pool.quietUntil == nil)
        bench.settle()
        bench.pool.drain()
        #expect(bench.pool.quietUntil == nil)
    }

    @Test func `writes nothing while the socket is full, and everything afterwards`() throws {
        let bench = try Bench.warm()
        bench.network.maxBytesPerSend = 0
        for tag in 0..<10 { #expect(bench.send(tag)) }
        bench.settle()
        #expect(bench.network.peers[0].requests.count == 1)
        bench.network.maxBytesPerSend = 7
        bench.settle()
        #expect(bench.network.peers[0].requests.count == 11)
    }

    @Test func `sends all fields of the notification`() throws {
        let bench = try Bench()
        bench.start()
        _ = bench.send(1) { $0.collapseID = [UInt8]("order-1".utf8) }
        bench.settle()
        let fields = try #require(bench.network.peers[0].requests.first?.fields)
        #expect(fields[":method"] == "POST")
        #expect(fields[":path"] == "/3/device/00ff")
        #expect(fields[":authority"] == "localhost:2197")
        #expect(fields["apns-topic"] == "com.example.shop")
        #expect(fields["apns-push-type"] == "alert")
        #expect(fields["apns-priority"] == "10")
        #expect(fields["apns-collapse-id"] == "order-1")
        #expect(fields["apns-expiration"] == nil)
        #expect(fields["authorization"]?.hasPrefix("bearer ") == true)
    }

    @Test func `reports status, reason, time and retry delay of a response`() throws {
        let bench = try Bench()
        bench.start()
        _ = bench.send(1)
        bench.settle()
        bench.network.peers[0].respond(
            0, status: 410, body: #"{"reason":"Unregistered","timestamp":1767268800123}"#,
            retryAfter: "30")
        bench.settle()
        guard case .responded(tag: 1, let response, _) = bench.events.last else {
            Issue.record("no response")
            return
        }
        #expect(
            response
                == APNsResponse(
                    status: 410, reason: "Unregistered", timestamp: 1_767_268_800_123,
                    retryAfter: 30))
        #expect(response.reaction == .unregistered)
    }

    @Test func `ends a request whose field no header may hold, instead of retrying forever`() throws
    {
        let bench = try Bench.warm()
        #expect(bench.send(1) { $0.bundleID = [10, 13] })
        bench.settle()
        #expect(bench.ends == ["1 unsendable"])
        #expect(bench.openRequests == 0)
        guard case .unsendable(_, .invalidField(let detail)) = bench.events.last else {
            Issue.record("no word of the field")
            return
        }
        #expect(detail.contains("apns-topic"))
    }

    @Test func `notices the end of a stream while much waits to be sent`() throws {
        let bench = try Bench.warm(server: HTTP2ServerSettings(streamLimit: 1000))
        let peer = bench.network.peers[0]
        #expect(bench.send(1))
        bench.settle()
        bench.network.maxBytesPerSend = 0
        #expect(bench.send(2))
        bench.turn()
        var tag = 3
        while bench.send(tag, bytes: 500) { tag += 1 }
        // Fields with a name in upper case: the client resets that stream.
        let block: [UInt8] = [0x88, 0x00, 0x01, 0x41, 0x01, 0x62]
        peer.mutatePlaintext = { $0 + [0, 0, 6, 1, 5, 0, 0, 0, 3] + block }
        peer.changeStreamLimit(900)
        bench.network.deliver()
        bench.turn()
        #expect(bench.ends.isEmpty)
        peer.isDead = true
        bench.network.maxBytesPerSend = .max
        bench.settle()
        #expect(bench.ends == ["1 in doubt"])
    }
}
