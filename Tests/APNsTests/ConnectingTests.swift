import Delivery
import EventLoop
import HTTP2
import TLS
import Testing

@testable import APNs

@Suite struct `A pool that connects` {
    @Test func `rejects a server with an unknown authority, and names it`() throws {
        let stranger = try CertificateAuthority.generate(name: "Stranger").certificatePEM
        let bench = try Bench(trust: .pem(stranger))
        bench.start()
        let message = try #require(bench.failures.first)
        #expect(message.hasPrefix("localhost:2197 (127.0.0.1:2197): TLS: "))
        #expect(message.contains("certificate"))
        #expect(!bench.canSend(bodyBytes: 2))
        #expect(bench.connected == 0)
    }

    @Test func `rejects a server with the certificate of another host`() throws {
        let bench = try Bench(host: "api.push.apple.com")
        bench.start()
        let message = try #require(bench.failures.first)
        #expect(message.contains("api.push.apple.com"))
        #expect(bench.network.peers.first?.requests.isEmpty == true)
    }

    @Test func `sends no request before the server's SETTINGS`() throws {
        let bench = try Bench { $0.isSilent = true }
        bench.start()
        #expect(!bench.canSend(bodyBytes: 2))
        #expect(!bench.send(1))
        bench.network.peers[0].isSilent = false
        bench.settle()
        #expect(bench.connected == 1)
        #expect(bench.send(1))
    }

    @Test func `gives up a server that never sends SETTINGS`() throws {
        let bench = try Bench { $0.isSilent = true }
        bench.start()
        bench.pass(.seconds(10))
        #expect(
            bench.failures == [
                "localhost:2197 (127.0.0.1:2197): HTTP/2: no SETTINGS frame within 10 s"
            ])
        #expect(bench.network.peers[0].clientHasClosed)
    }

    @Test func `gives up a server that never completes TLS`() throws {
        let bench = try Bench { $0.isDead = true }
        bench.start()
        bench.pass(.seconds(10))
        #expect(
            bench.failures == [
                "localhost:2197 (127.0.0.1:2197): TLS: handshake not finished within 10 s"
            ])
    }

    @Test func `gives up an address that never responds`() throws {
        let bench = try Bench()
        bench.network.respond = { _ in .lost }
        bench.start()
        bench.pass(.seconds(3))
        #expect(
            bench.failures == [
                "localhost:2197 (127.0.0.1:2197): connect: no response within 3 s"
            ])
    }

    @Test func `reports an unknown host`() throws {
        let bench = try Bench()
        bench.network.addresses = .failure(
            KernelError(operation: "resolve", code: -2, description: "name or service not known"))
        bench.start()
        #expect(bench.failures == ["localhost:2197: resolve: name or service not known"])
    }

    @Test func `reports a lookup that never ends, and retries`() throws {
        let bench = try Bench()
        bench.network.addresses = nil
        bench.start()
        bench.pass(.seconds(10))
        #expect(bench.failures == ["localhost:2197: resolve: no response within 10 s"])
        bench.network.addresses = .success([.loopback(port: 2197)])
        bench.pass(.seconds(2))
        #expect(bench.connected == 1)
    }

    @Test func `tries the next address at once if one refuses`() throws {
        let bench = try Bench()
        let six = SocketAddress(
            address: [UInt8](repeating: 0, count: 15) + [1], port: 2197)
        bench.network.addresses = .success([six, .loopback(port: 2197)])
        bench.network.respond = { $0 == six ? .refused : .accepted }
        bench.start()
        #expect(bench.network.dialled.map(\.address) == [six, .loopback(port: 2197)])
        #expect(bench.failures.isEmpty)
        #expect(bench.connected == 1)
    }

    @Test func `names each address if all of them refuse`() throws {
        let bench = try Bench()
        let addresses = (1...2).map { SocketAddress(address: [10, 0, 0, $0], port: 443) }
        bench.network.addresses = .success(addresses)
        bench.network.respond = { _ in .refused }
        bench.start()
        #expect(
            bench.failures == [
                "localhost:2197 (10.0.0.1:443): connect: connection refused",
                "localhost:2197 (10.0.0.2:443): connect: connection refused",
            ])
    }

    @Test func `waits at least a second after a failed attempt, and longer after each`() throws {
        let bench = try Bench()
        bench.network.respond = { _ in .refused }
        bench.start()
        bench.pass(.seconds(200))
        let times = bench.network.dialled.map { ($0.at - .distantPast).wholeSeconds }
        #expect(times == [1, 2, 4, 8, 16, 32, 64, 94, 124, 154, 184])
    }

    @Test func `waits at least a second after a short-lived connection`() throws {
        let bench = try Bench.warm()
        bench.network.peers[0].breakConnection()
        bench.settle()
        #expect(bench.network.dialled.count == 1)
        bench.pass(.seconds(1) - .nanoseconds(1))
        #expect(bench.network.dialled.count == 1)
        bench.pass(.nanoseconds(1))
        #expect(bench.network.dialled.count == 2)
    }

    @Test func `replaces a long-lived connection at once`() throws {
        let bench = try Bench.warm()
        bench.pass(.seconds(10))
        bench.network.peers[0].breakConnection()
        bench.settle()
        #expect(bench.network.dialled.count == 2)
        #expect(bench.connected == 1)
    }

    @Test func `looks up before every connect and takes another address first each time`() throws {
        let bench = try Bench()
        let addresses: [SocketAddress] = (1...3).map {
            SocketAddress(address: [10, 0, 0, $0], port: 1)
        }
        bench.network.addresses = .success(addresses)
        bench.start()
        for _ in 0..<3 {
            bench.pass(.seconds(10))
            bench.network.peers.last?.breakConnection()
            bench.settle()
        }
        #expect(bench.network.lookups == 4)
        #expect(bench.network.dialled.map { $0.address.address[3] } == [1, 2, 3, 1])
    }

    @Test func `opens its connections one after the other, but all at once on loopback`() throws {
        let far = try Bench(host: "api.push.apple.com", connections: 3)
        far.network.respond = { _ in .lost }
        far.start()
        far.pass(.seconds(1))
        let start = far.network.dialled[0].at
        #expect(far.network.dialled.map { ($0.at - start).wholeMilliseconds } == [0, 250, 500])
        let near = try Bench(connections: 3)
        near.start()
        #expect(near.connected == 3)
    }
}
