import Delivery
import EventLoop
import HTTP2
import TLS
import Testing

@testable import APNs

/// Two routes of one worker, each to a host of its own, through the same proxy.
@Suite struct `Two routes through one proxy` {
    private final class Stage {
        let network: Network
        var kernel: ScriptedKernel
        var pools: APNsPools
        /// The peers that have been given a response as a proxy, by their number.
        private var responded = 0

        init(hosts: [String]) throws {
            let issued = try Bench.identity.get()
            let context = try TLSContext.server(
                certificatePEM: issued.certificatePEM, keyPEM: issued.keyPEM)
            network = Network { _ in
                let peer = try Peer(context, HTTP2ServerSettings())
                peer.proxyResponse = []
                return peer
            }
            kernel = ScriptedKernel(network)
            let roots = try TrustRoots.pem(Bench.authority.get().certificatePEM)
            let proxy = HTTPProxy(host: "proxy.corp", port: 3128)
            let routes = try hosts.map { host in
                let credential = try Bench.tokens()
                return APNsRoute(
                    endpoint: APNsEndpoint(
                        host: host, port: 2197, trust: try credential.tls(trusting: roots),
                        proxy: proxy),
                    credential: credential, settings: PoolSettings(connections: 1...1))
            }
            pools = APNsPools(routes, apps: Array(hosts.indices), firstToken: 16)
            pools.start(&kernel)
        }

        /// The host that a peer was asked to connect to; nil before the first request.
        func host(of peer: Peer) -> String? {
            let line = String(decoding: peer.heardByProxy, as: UTF8.self)
            return line.split(separator: " ").dropFirst().first
                .map { String($0.prefix { $0 != ":" }) }
        }

        func peers(of host: String) -> [Peer] {
            network.peers.filter { self.host(of: $0) == host }
        }

        private func turn(_ respond: (String) -> String) {
            var wakeups: [Wakeup] = []
            kernel.wait(until: nil) { wakeups.append($0) }
            for wakeup in wakeups { pools.wake(wakeup, &kernel) }
            pools.expire(&kernel)
            pools.flush(&kernel)
            while pools.nextEvent() != nil {}
            for peer in network.peers.dropFirst(responded) {
                guard let host = host(of: peer) else { break }
                responded += 1
                peer.respondAsProxy([[UInt8](respond(host).utf8)])
            }
        }

        func pass(_ time: Duration, response: (String) -> String) {
            let end = network.now + time
            while true {
                for _ in 0..<30 { turn(response) }
                let next = pools.nextDeadline ?? end
                guard next < end else { break }
                network.now = max(next, network.now + .milliseconds(1))
            }
            network.now = end
        }
    }

    @Test func `do not delay each other when the proxy refuses one of them`() throws {
        let stage = try Stage(hosts: ["refused.example", "localhost"])
        let response = { host in
            "HTTP/1.1 \(host == "localhost" ? "200 OK" : "403 Forbidden")\r\n\r\n"
        }
        stage.pass(.seconds(300), response: response)
        #expect(stage.pools.readyConnectionsOfApps == [0, 1])
        // The one that is refused waits about a minute by now; the other dials at once.
        #expect(stage.peers(of: "refused.example").count > 4)
        try #require(stage.peers(of: "localhost").last).breakConnection()
        stage.pass(.milliseconds(100), response: response)
        #expect(stage.pools.readyConnectionsOfApps == [0, 1])
        #expect(stage.peers(of: "localhost").count == 2)
    }

    @Test func `wait together while the proxy itself is away`() throws {
        let stage = try Stage(hosts: ["other.example", "localhost"])
        stage.network.respond = { _ in .refused }
        stage.pass(.seconds(60)) { _ in "" }
        let times = stage.network.dialled.map(\.at)
        #expect(times.count < 16)
        for (one, next) in zip(times.dropFirst(2), times.dropFirst(3)) {
            #expect(next - one >= .seconds(1))
        }
    }
}
