import APNsSimulator
import Delivery
import EventLoop
import TLS
import Testing

@testable import APNs

@Suite struct `A pool behind a proxy over sockets` {
    /// Sends one push to a simulator through a proxy, and returns the result.
    private static func push(
        through proxy: HTTPProxy, to port: UInt16, _ identity: SimulatorIdentity
    ) throws -> [String] {
        let tokens = ProviderTokens(
            key: identity.authenticationKey, keyID: identity.keyID, teamID: identity.teamID)
        let credential = APNsCredential.tokens(tokens)
        let endpoint = APNsEndpoint(
            host: "localhost", port: port,
            trust: try credential.tls(trusting: .pem(identity.authorityPEM)), proxy: proxy)
        var kernel = try LinuxKernel(capacity: 8)
        var pool = APNsPool(
            APNsRoute(
                endpoint: endpoint, credential: credential,
                settings: PoolSettings(connections: 1...1)),
            firstToken: 0)
        pool.start(&kernel)
        var said: [String] = []
        let end = kernel.now + .seconds(20)
        while kernel.now < end, said.isEmpty {
            if pool.openRequests == 0 {
                var push = `A request`.notification()
                push.destination.identifier = [UInt8](repeating: UInt8(ascii: "a"), count: 64)
                push.payload = [UInt8](#"{"aps":{"alert":"hello"}}"#.utf8)
                _ = pool.send(push, id: NotificationID(high: 1, low: 2), tag: 1, &kernel)
            }
            pool.flush(&kernel)
            while let event = pool.nextEvent() {
                switch event {
                case .responded(_, let response, _): said.append("\(response.status)")
                case .failed(let failure): said.append(failure.message)
                default: break
                }
            }
            var wakeups: [Wakeup] = []
            kernel.wait(until: min(end, pool.nextDeadline ?? end)) { wakeups.append($0) }
            for wakeup in wakeups { pool.wake(wakeup, &kernel) }
            pool.expire(&kernel)
        }
        pool.close(&kernel)
        return said
    }

    @Test func `reaches the far end through it`() throws {
        let identity = try SimulatorIdentity.generate()
        let server = SimulatorServer(SimulatorConfiguration(identity: identity))
        let port = try server.start()
        defer { server.stop() }
        let proxy = try SocketProxy(user: "apns", password: "s3cret")
        defer { proxy.stop() }
        let said = try Self.push(
            through: HTTPProxy(
                host: "127.0.0.1", port: proxy.port, user: "apns", password: "s3cret"),
            to: port, identity)
        #expect(said == ["200"])
    }

    @Test func `reports that the proxy rejected its password`() throws {
        let identity = try SimulatorIdentity.generate()
        let proxy = try SocketProxy(user: "apns", password: "s3cret")
        defer { proxy.stop() }
        let said = try Self.push(
            through: HTTPProxy(
                host: "127.0.0.1", port: proxy.port, user: "apns", password: "wrong"),
            to: 2197, identity)
        #expect(
            said == [
                "localhost:2197 through the proxy 127.0.0.1:\(proxy.port): the proxy "
                    + "127.0.0.1:\(proxy.port): it responded 407 Proxy Authentication Required: "
                    + "it rejected the password of 'apns'"
            ])
    }
}
