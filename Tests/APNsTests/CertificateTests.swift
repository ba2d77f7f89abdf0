import Delivery
import HTTP2
import TLS
import Testing

@testable import APNs

@Suite struct `A pool with a certificate` {
    @Test func `rejects a push to an app that the certificate does not cover`() throws {
        let certificate = try Bench.certificate(
            "com.example.shop", apnsTopics: ["com.example.shop", "com.example.shop.voip"])
        let bench = try Bench(certificate: certificate)
        bench.start()
        #expect(bench.send(1) { $0.bundleID = [UInt8]("com.example.pay".utf8) })
        #expect(
            bench.send(2) {
                $0.bundleID = [UInt8]("com.example.shop".utf8)
                $0.pushType = .complication
            })
        bench.settle()
        var refused: [UInt64] = []
        for case .unsendable(let tag, .notInCertificate) in bench.events { refused.append(tag) }
        #expect(refused == [1, 2])
        #expect(bench.network.peers[0].requests.isEmpty)
        #expect(bench.openRequests == 0)
    }

    @Test func `authenticates in TLS and sends no token`() throws {
        let bench = try Bench(certificate: try Bench.certificate("com.example.shop"))
        bench.start()
        #expect(bench.send(1) { $0.bundleID = [UInt8]("com.example.shop".utf8) })
        bench.settle()
        let peer = bench.network.peers[0]
        #expect(peer.clientCertificate?.bundleID == "com.example.shop")
        let request = try #require(peer.requests.first)
        #expect(request.fields["authorization"] == nil)
        let dates = bench.pool.credential.dates
        #expect(dates.certificateExpiresAt == peer.clientCertificate?.notAfter)
        #expect(dates.tokenIssuedAt == nil)
        #expect(request.fields["apns-topic"] == "com.example.shop")
    }

    @Test func `uses all streams from the beginning`() throws {
        let bench = try Bench(
            server: HTTP2ServerSettings(streamLimit: 7),
            certificate: try Bench.certificate("com.example.shop"))
        bench.start()
        let taken = (0..<20).filter { tag in
            bench.send(tag) { $0.bundleID = [UInt8]("com.example.shop".utf8) }
        }
        #expect(taken.count == 7)
    }
}
