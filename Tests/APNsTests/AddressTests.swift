import Delivery
import EventLoop
import Testing

@testable import APNs

@Suite struct `An address of APNs` {
    static func addresses(_ count: UInt8) -> [SocketAddress] {
        (1...count).map { SocketAddress(address: [10, 0, 0, $0], port: 443) }
    }

    @Test func `that refused a connection is avoided by all connections for a second`() throws {
        let bench = try Bench(connections: 4)
        bench.network.respond = { _ in .refused }
        bench.start()
        bench.pass(.seconds(120))
        let times = bench.network.dialled.map(\.at)
        // The first four were being opened before the first failure was known.
        for (one, next) in zip(times.dropFirst(3), times.dropFirst(4)) {
            #expect(next - one >= .seconds(1))
        }
        #expect(times.count < 40)
    }

    @Test func `that dropped a young connection is avoided, but not the others`() throws {
        let bench = try Bench()
        bench.network.addresses = .success(Self.addresses(3))
        bench.start()
        for _ in 0..<2 {
            bench.network.peers.last?.breakConnection()
            bench.settle()
        }
        #expect(bench.network.dialled.map { $0.address.address[3] } == [1, 2, 3])
        bench.network.peers.last?.breakConnection()
        bench.settle()
        #expect(bench.network.dialled.count == 3)
        bench.pass(.seconds(1))
        #expect(bench.network.dialled.count == 4)
    }

    @Test func `is used by all others as soon as one connection is established`() throws {
        let bench = try Bench(connections: 3)
        bench.network.respond = { _ in .refused }
        bench.start()
        bench.network.respond = { _ in .accepted }
        bench.pass(.seconds(3))
        #expect(bench.connected == 3)
    }

    @Test func `of a family that does not work costs one attempt`() throws {
        let bench = try Bench()
        let six = (1...4).map { last -> SocketAddress in
            SocketAddress(address: [UInt8](repeating: 0x20, count: 15) + [last], port: 443)
        }
        bench.network.addresses = .success(six + Self.addresses(4))
        bench.network.respond = { $0.address.count == 16 ? .lost : .accepted }
        bench.start()
        bench.pass(.seconds(3))
        #expect(bench.network.dialled.count == 2)
        #expect(bench.connected == 1)
    }

    @Test func `is one of several that share the connections`() throws {
        let bench = try Bench(connections: 4)
        bench.network.addresses = .success(Self.addresses(4))
        bench.start()
        #expect(Set(bench.network.dialled.map(\.address)).count == 4)
    }

    @Test func `is evicted when too many are known`() {
        let history = AddressHistory()
        let settings = PoolSettings()
        for index in 0..<1000 {
            let address = SocketAddress(
                address: [10, 0, UInt8(index / 256), UInt8(index % 256)], port: 443)
            history.failed(
                address, dialledAt: .distantPast, .distantPast + .seconds(index), chance: 0,
                settings)
        }
        #expect(history.count <= 256)
    }
}

/// Two routes of a worker over one address: that of a proxy.
@Suite struct `An address that two routes share` {
    private let shared = AddressHistory()
    private let settings = PoolSettings()
    private let address = SocketAddress(address: [10, 0, 0, 1], port: 3128)
    private let now = Instant.distantPast + .seconds(100)

    private func fail(_ route: AddressHistory, _ blame: AddressHistory.Blame) {
        route.failed(address, blaming: blame, dialledAt: now, now, chance: 0, settings)
    }

    @Test func `is avoided by both when it refused one of them`() {
        let (one, other) = (AddressHistory(within: shared), AddressHistory(within: shared))
        fail(one, .address)
        #expect(one.opening(of: address) > now)
        #expect(other.opening(of: address) > now)
        other.ready(address)
        #expect(one.opening(of: address) <= now)
    }

    @Test func `is avoided only by the route whose credential was refused there`() {
        let (one, other) = (AddressHistory(within: shared), AddressHistory(within: shared))
        for _ in 0..<10 { fail(one, .route) }
        #expect(one.opening(of: address) > now)
        #expect(other.opening(of: address) == .distantPast)
        #expect(shared.count == 0)
    }
}
