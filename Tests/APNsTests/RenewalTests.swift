import Delivery
import TLS
import Testing

@testable import APNs

@Suite struct `A pool whose credential is replaced` {
    /// A pool with some connections that are in use, and the route to go over to.
    static func bench(_ connections: Int = 2) throws -> (Bench, APNsRoute) {
        let bench = try Bench.warm(connections: connections)
        bench.pass(.seconds(20))
        let route = APNsRoute(
            endpoint: bench.pool.dialer.endpoint, credential: try Bench.tokens(),
            settings: bench.pool.settings)
        return (bench, route)
    }

    private static func authorization(_ bench: Bench, _ peer: Int) -> String? {
        bench.network.peers[peer].requests.last?.fields["authorization"]
    }

    @Test func `uses the old one until APNs has accepted the new one`() throws {
        func tokens(_ credential: APNsCredential) -> ProviderTokens? {
            if case .tokens(let tokens) = credential { tokens } else { nil }
        }
        let (bench, route) = try Self.bench()
        let old = try #require(tokens(bench.pool.credential))
        #expect(bench.pool.credential.dates.tokenIssuedAt == `A provider token`.noon)
        bench.renew(route)
        #expect(tokens(bench.pool.credential) === old)
        #expect(bench.send(1))
        bench.settle()
        for peer in bench.network.peers { peer.respondToAll() }
        bench.settle()
        #expect(bench.renewals == ["renewed"])
        #expect(tokens(bench.pool.credential) === tokens(route.credential))
    }

    @Test(arguments: [
        (403, "InvalidProviderToken"), (403, "Forbidden"), (403, "TopicMismatch"),
        (400, "TopicDisallowed"),
    ])
    func `returns to the old one when APNs rejects the new one, and loses nothing`(
        status: Int, reason: String
    ) throws {
        let (bench, route) = try Self.bench()
        let old = Self.authorization(bench, 0)
        bench.renew(route)
        #expect(bench.network.peers.count == 4)
        #expect(bench.pool.readyConnections == 2)
        for tag in 1...6 { #expect(bench.send(tag)) }
        bench.settle()
        for peer in bench.network.peers.suffix(2) {
            peer.respondToAll(status: status, body: #"{"reason":"\#(reason)"}"#)
        }
        bench.settle()
        for peer in bench.network.peers.prefix(2) { peer.respondToAll() }
        bench.settle()
        #expect(bench.renewals == ["refused: \(reason)"])
        let accepted = bench.ends.filter { $0.hasSuffix("answered 200") }
        #expect(accepted.count + bench.notSent.count == 6)
        #expect(!bench.ends.contains { $0.hasSuffix("\(status)") })
        // What was not sent is sent over the old connections.
        for tag in bench.notSent { #expect(bench.send(tag + 10)) }
        bench.settle()
        #expect(Self.authorization(bench, 0) == old)
        for peer in bench.network.peers.prefix(2) { peer.respondToAll() }
        bench.settle()
        #expect(bench.ends.filter { $0.hasSuffix("answered 200") }.count == 6)
        bench.pass(.seconds(60))
        #expect(bench.pool.readyConnections == 2)
    }

    @Test func `replaces old connections that an app may not use, also if a new one is rejected`()
        throws
    {
        let (bench, route) = try Self.bench()
        bench.renew(route)
        // A probe over a connection with the new credential is accepted, so that its app uses none
        // that is older; then the new credential is rejected.
        let opening = try #require(bench.sendProbe(1))
        #expect(bench.send(2, since: opening))
        bench.settle()
        for peer in bench.network.peers.suffix(2) {
            peer.respondToAll(status: 403, body: #"{"reason":"InvalidProviderToken"}"#)
        }
        bench.settle()
        #expect(bench.renewals == ["refused: InvalidProviderToken"])
        #expect(!bench.send(3, since: opening))
        bench.pass(.seconds(5))
        #expect(bench.send(3, since: opening))
    }

    @Test func `keeps the old connections while new ones cannot be made`() throws {
        let (bench, route) = try Self.bench()
        bench.network.respond = { _ in .refused }
        bench.renew(route)
        bench.pass(.seconds(60))
        #expect(bench.pool.readyConnections == 2)
        #expect(bench.send(1))
        bench.settle()
        for peer in bench.network.peers { peer.respondToAll() }
        bench.settle()
        #expect(bench.ends.contains("1 answered 200"))
        bench.network.respond = { _ in .accepted }
        bench.pass(.seconds(120))
        #expect(bench.network.peers.count == 4)
    }

    @Test func `loses no push while new connections take over and old ones drain`() throws {
        let (bench, route) = try Self.bench()
        let old = Self.authorization(bench, 0)
        for tag in 1...4 { #expect(bench.send(tag)) }
        bench.settle()
        bench.renew(route)
        var tag = 4
        for _ in 0..<20 {
            for _ in 0..<3 where bench.send(tag + 1) { tag += 1 }
            bench.settle()
            for peer in bench.network.peers { peer.respondToAll(atMost: 2) }
            bench.settle()
        }
        for _ in 0..<20 {
            for peer in bench.network.peers { peer.respondToAll() }
            bench.settle()
        }
        #expect(tag > 20)
        #expect(bench.ends.count == tag)
        #expect(bench.ends.allSatisfy { $0.hasSuffix("answered 200") })
        #expect(bench.renewals == ["renewed"])
        #expect(bench.network.peers.count == 4)
        #expect(bench.network.peers.prefix(2).allSatisfy { $0.clientHasClosed })
        let new = Self.authorization(bench, 3)
        #expect(new != nil && new != old)
    }

    @Test func `keeps both while nothing is sent, and switches with the first push`() throws {
        let (bench, route) = try Self.bench()
        bench.renew(route)
        bench.pass(.seconds(60))
        #expect(bench.network.peers.count == 4)
        #expect(bench.network.peers.allSatisfy { !$0.clientHasClosed })
        #expect(bench.send(1))
        bench.settle()
        for peer in bench.network.peers { peer.respondToAll() }
        bench.settle()
        #expect(bench.network.peers.prefix(2).allSatisfy { $0.clientHasClosed })
        #expect(bench.pool.readyConnections == 2)
    }

    @Test func `returns to the old one even if the rejection comes after an idle time`() throws {
        let (bench, route) = try Self.bench(1)
        let old = Self.authorization(bench, 0)
        bench.renew(route)
        bench.pass(.seconds(60))
        #expect(bench.send(1))
        bench.settle()
        bench.network.peers[1].respond(0, status: 403, body: #"{"reason":"InvalidProviderToken"}"#)
        bench.settle()
        #expect(bench.notSent == [1])
        #expect(bench.renewals == ["refused: InvalidProviderToken"])
        #expect(bench.send(2))
        bench.settle()
        #expect(Self.authorization(bench, 0) == old)
        #expect(bench.network.peers[0].openRequests.count == 1)
        #expect(bench.network.peers.count == 2)
    }

    @Test func `can be given another credential after a rejection`() throws {
        let (bench, route) = try Self.bench(1)
        bench.renew(route)
        #expect(bench.send(1))
        bench.settle()
        bench.network.peers[1].respond(0, status: 403, body: #"{"reason":"InvalidProviderToken"}"#)
        bench.settle()
        bench.pass(.seconds(2))
        bench.renew(route)
        bench.pass(.seconds(2))
        #expect(bench.send(2))
        bench.settle()
        bench.network.peers.last?.respondToAll()
        bench.settle()
        #expect(bench.renewals == ["refused: InvalidProviderToken", "renewed"])
    }

    @Test func `returns to the old one when the new certificate does not cover a push`() throws {
        let topics = ["com.example.shop", "com.example.shop.voip"]
        let bench = try Bench(
            certificate: try Bench.certificate("com.example.shop", apnsTopics: topics))
        bench.start()
        bench.pass(.seconds(20))
        let route = try Bench.certificate("com.example.shop", apnsTopics: [topics[0]])
        bench.renew(
            APNsRoute(
                endpoint: bench.pool.dialer.endpoint, credential: .certificate(route),
                settings: bench.pool.settings))
        #expect(bench.network.peers.count == 2)
        #expect(
            bench.send(1) {
                $0.bundleID = [UInt8]("com.example.shop".utf8)
                $0.pushType = .voip
            })
        bench.settle()
        #expect(bench.ends.isEmpty)
        #expect(bench.network.peers[0].requests.count == 1)
        #expect(bench.renewals == ["refused: bundle_id_not_in_certificate"])
    }

    @Test func `reports with each response the credential of its request`() throws {
        let (bench, route) = try Self.bench(1)
        #expect(bench.send(1))
        bench.settle()
        bench.renew(route)
        bench.pass(.seconds(1))
        #expect(bench.send(2))
        bench.settle()
        bench.network.peers[1].respond(0)
        bench.settle()
        // Too late to say anything about the new key.
        bench.network.peers[0].respond(1, status: 403, body: #"{"reason":"InvalidProviderToken"}"#)
        bench.settle()
        var versions: [UInt64: CredentialVersion] = [:]
        var renewed: CredentialVersion?
        for event in bench.events {
            switch event {
            case .responded(let tag, _, let credential): versions[tag] = credential
            case .renewed(let credential): renewed = credential
            default: continue
            }
        }
        #expect(versions[1] == .first)
        #expect(versions[2] == renewed)
        #expect(try #require(versions[1]) < #require(renewed))
    }
}
