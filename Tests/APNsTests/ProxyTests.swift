import Delivery
import EventLoop
import Testing

@testable import APNs

@Suite struct `A pool behind a proxy` {
    static let proxy = HTTPProxy(host: "proxy.corp", port: 3128, user: "apns", password: "secret")

    static func bench(_ response: [String], proxy: HTTPProxy = proxy) throws -> Bench {
        try Bench(proxy: proxy) { $0.proxyResponse = response.map { [UInt8]($0.utf8) } }
    }

    @Test func `names the proxy that refuses, but not the password`() throws {
        let bench = try Self.bench(["HTTP/1.1 403 Forbidden\r\n\r\n"])
        bench.start()
        #expect(
            bench.failures == [
                "localhost:2197 through the proxy proxy.corp:3128 (127.0.0.1:2197): the proxy "
                    + "proxy.corp:3128: it responded 403 Forbidden: configure it to allow CONNECT"
                    + " to localhost:2197"
            ])
        #expect(bench.network.peers[0].clientHasClosed)
    }

    @Test func `gives up a silent proxy`() throws {
        let bench = try Self.bench([])
        bench.start()
        bench.pass(.seconds(10))
        let message = try #require(bench.failures.first)
        let end = "proxy.corp:3128: no response within 10 s: check that it accepts CONNECT requests"
        #expect(message.hasSuffix(end))
    }

    @Test func `gives up a proxy that closes the connection`() throws {
        let bench = try Bench(proxy: Self.proxy) { peer in
            peer.proxyResponse = []
            peer.hasEnded = true
        }
        bench.start()
        let message = try #require(bench.failures.first)
        #expect(message.contains("it closed the connection without a response"))
    }

    @Test func `names the proxy that does not respond`() throws {
        let bench = try Self.bench([])
        bench.network.respond = { _ in .refused }
        bench.start()
        let message = try #require(bench.failures.first)
        #expect(message.contains("through the proxy proxy.corp:3128"))
        #expect(message.hasSuffix("connect: connection refused"))
    }

    @Test func `retries after a pause that grows with each failure`() throws {
        let bench = try Self.bench(["HTTP/1.1 502 Bad Gateway\r\n\r\n"])
        bench.start()
        bench.pass(.seconds(8))
        #expect(bench.network.dialled.map { ($0.at - .distantPast).wholeSeconds } == [1, 2, 4, 8])
    }

    @Test func `starts TLS only when the tunnel is open`() throws {
        let bench = try Self.bench([])
        bench.start()
        let peer = bench.network.peers[0]
        #expect(String(decoding: peer.heardByProxy, as: UTF8.self).hasSuffix("\r\n\r\n"))
        peer.respondAsProxy([[UInt8]("HTTP/1.1 200 O".utf8), [UInt8]("K\r\n\r\n".utf8)])
        bench.settle()
        #expect(bench.connected == 1)
        #expect(bench.send(1))
        bench.settle()
        peer.respond(0)
        bench.settle()
        #expect(bench.ends == ["1 answered 200"])
        #expect(bench.network.lookedUp == ["proxy.corp:3128"])
    }

    @Test func `connects through a socket that accepts a byte at a time`() throws {
        let bench = try Self.bench(["HTTP/1.1 200 OK\r\n\r\n"])
        bench.network.maxBytesPerSend = 1
        bench.start()
        bench.pass(.seconds(1))
        #expect(bench.connected == 1)
    }

    @Test func `closes a connection whose tunnel opens after its credential was rejected`() throws {
        let opening = [[UInt8]("HTTP/1.1 200 OK\r\n\r\n".utf8)]
        var made = 0
        let bench = try Bench(connections: 2, proxy: Self.proxy) { peer in
            made += 1
            peer.proxyResponse = made == 4 ? [] : opening
        }
        bench.start()
        bench.pass(.seconds(20))
        bench.renew(
            APNsRoute(
                endpoint: bench.pool.dialer.endpoint, credential: try Bench.tokens(),
                settings: bench.pool.settings))
        bench.pass(.seconds(1))
        let peers = bench.network.peers
        try #require(peers.count == 4)
        #expect(bench.send(1))
        bench.settle()
        peers[2].respond(0, status: 403, body: #"{"reason":"InvalidProviderToken"}"#)
        bench.network.deliver()
        bench.turn()
        #expect(bench.renewals == ["refused: InvalidProviderToken"])
        peers[3].respondAsProxy(opening)
        bench.network.deliver()
        bench.turn()
        bench.settle()
        #expect(peers[3].clientHasClosed)
        #expect(bench.pool.readyConnections == 2)
    }
}
