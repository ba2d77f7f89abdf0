import HTTP2
import Testing

@testable import APNs

@Suite struct `A pool that loses a connection or a response` {
    @Test func `resends what GOAWAY did not process and waits for the rest`() throws {
        let bench = try Bench.warm()
        for tag in 1...4 { _ = bench.send(tag) }
        bench.settle()
        bench.network.peers[0].goAway(afterRequest: 2)
        bench.settle()
        #expect(Set(bench.ends) == ["3 not sent", "4 not sent"])
        #expect(!bench.network.peers[0].clientHasClosed)
        bench.network.peers[0].respond(1)
        bench.network.peers[0].respond(2)
        bench.settle()
        #expect(bench.ends.suffix(2) == ["1 answered 200", "2 answered 200"])
        #expect(bench.network.peers[0].clientHasClosed)
        #expect(bench.network.peers[0].heardCloseNotify)
    }

    @Test func `opens the successor while the connection that goes away drains`() throws {
        let bench = try Bench.warm()
        bench.pass(.seconds(10))
        _ = bench.send(1)
        bench.settle()
        bench.network.peers[0].goAway(afterRequest: 1)
        bench.settle()
        #expect(bench.connected == 1)
        #expect(bench.network.peers.count == 2)
        #expect(bench.send(2))
        bench.settle()
        bench.network.peers[0].respond(1)
        bench.network.peers[1].respond(0)
        bench.settle()
        #expect(Set(bench.ends) == ["1 answered 200", "2 answered 200"])
    }

    @Test func `is in doubt about requests without a response after a GOAWAY`() throws {
        let bench = try Bench.warm()
        for tag in 1...2 { _ = bench.send(tag) }
        bench.settle()
        bench.network.peers[0].goAway(afterRequest: 1)
        bench.settle()
        bench.network.peers[0].end()
        bench.settle()
        #expect(Set(bench.ends) == ["2 not sent", "1 in doubt"])
    }

    @Test func `reports the reason of a GOAWAY`() throws {
        let bench = try Bench.warm()
        bench.network.peers[0].goAway(
            afterRequest: nil, debug: #"{"reason":"BadCertificateEnvironment"}"#)
        bench.settle()
        #expect(bench.failures.count == 1)
        #expect(bench.failures.first?.contains("BadCertificateEnvironment") == true)
    }

    @Test(arguments: ["BadCertificateEnvironment", "BadCertificate", "InvalidProviderToken"])
    func `reports that a GOAWAY rejects the credential`(_ reason: String) throws {
        let bench = try Bench.warm()
        bench.network.peers[0].goAway(afterRequest: nil, debug: #"{"reason":"\#(reason)"}"#)
        bench.settle()
        #expect(bench.refusals == [reason])
    }

    @Test(arguments: ["Shutdown", "IdleTimeout", "BadTopic", "New", "ExpiredProviderToken"])
    func `does not blame the credential for other reasons of a GOAWAY`(_ reason: String) throws {
        let bench = try Bench.warm()
        bench.network.peers[0].goAway(afterRequest: nil, debug: #"{"reason":"\#(reason)"}"#)
        bench.settle()
        #expect(bench.refusals.isEmpty)
        #expect(bench.failures.count == 1)
    }

    @Test func `treats ExpiredProviderToken for a new token as a credential fault`() throws {
        let bench = try Bench()
        bench.start()
        _ = bench.send(1)
        bench.settle()
        bench.network.peers[0].goAway(
            afterRequest: nil, debug: #"{"reason":"ExpiredProviderToken"}"#)
        bench.settle()
        #expect(bench.refusals == ["ExpiredProviderToken"])
        #expect(bench.ends == ["1 not sent"])
    }

    @Test func `knows that a refused stream was not processed`() throws {
        let bench = try Bench.warm()
        _ = bench.send(1)
        bench.settle()
        bench.network.peers[0].reset(1, code: 7)
        bench.settle()
        #expect(bench.ends == ["1 not sent"])
    }

    @Test(arguments: [UInt32(0), 2, 5, 8, 11, 999])
    func `is in doubt about a stream that was reset with another code`(_ code: UInt32) throws {
        let bench = try Bench.warm()
        _ = bench.send(1)
        bench.settle()
        bench.network.peers[0].reset(1, code: code)
        bench.settle()
        #expect(bench.ends == ["1 in doubt"])
    }

    @Test func `distinguishes sent from unsent requests when the connection is cut`() throws {
        let bench = try Bench.warm()
        for tag in 1...2 { _ = bench.send(tag) }
        bench.settle()
        bench.network.maxBytesPerSend = 0
        _ = bench.send(3)
        bench.turn()
        for tag in 4...5 { _ = bench.send(tag) }
        bench.network.peers[0].breakConnection()
        bench.settle()
        #expect(
            Set(bench.ends) == [
                "1 in doubt", "2 in doubt", "3 in doubt", "4 not sent", "5 not sent",
            ])
        #expect(bench.openRequests == 0)
        #expect(bench.failures.first?.contains("connection reset by peer") == true)
    }

    @Test func `is in doubt if the peer ends the stream without a response`() throws {
        let bench = try Bench.warm()
        _ = bench.send(1)
        bench.settle()
        bench.network.peers[0].end()
        bench.settle()
        #expect(bench.ends == ["1 in doubt"])
    }

    @Test func `gives up a request without a response and continues`() throws {
        let bench = try Bench.warm()
        _ = bench.send(1)
        bench.pass(.seconds(20) - .nanoseconds(1))
        #expect(bench.ends.isEmpty)
        bench.pass(.nanoseconds(1))
        #expect(bench.ends == ["1 in doubt"])
        #expect(bench.network.peers[0].resets.count == 1)
        bench.network.peers[0].respond(1)
        bench.settle()
        #expect(bench.ends == ["1 in doubt"])
        #expect(bench.send(1))
        bench.settle()
        bench.network.peers[0].respond(2)
        bench.settle()
        #expect(bench.ends == ["1 in doubt", "1 answered 200"])
    }

    @Test func `gives up a blocked socket, and resends what was not sent`() throws {
        let bench = try Bench.warm()
        bench.network.maxBytesPerSend = 0
        _ = bench.send(1)
        bench.turn()
        _ = bench.send(2)
        bench.pass(.seconds(20))
        #expect(bench.ends == ["1 in doubt", "2 not sent"])
        #expect(bench.failures.first?.contains("the socket accepted no data for 20 s") == true)
        #expect(bench.network.peers[0].clientHasClosed)
    }

    @Test func `replaces a connection after several requests in a row without a response`() throws {
        let bench = try Bench.warm()
        for tag in 1...3 { _ = bench.send(tag) }
        bench.settle()
        bench.pass(.seconds(20))
        #expect(bench.ends == ["1 in doubt", "2 in doubt", "3 in doubt"])
        #expect(bench.failures.first?.contains("3 requests in a row had no response") == true)
        #expect(bench.network.peers.count == 2)
        #expect(bench.network.peers[0].clientHasClosed)
    }

    @Test(arguments: [
        (403, "ExpiredProviderToken"), (403, "UnrelatedKeyIdInToken"), (503, "Shutdown"),
        (400, "IdleTimeout"),
    ])
    func `replaces a connection if a response asks for it`(_ status: Int, _ reason: String) throws {
        let bench = try Bench.warm()
        bench.pass(.seconds(10))
        _ = bench.send(1)
        bench.settle()
        bench.network.peers[0].respond(1, status: status, body: #"{"reason":"\#(reason)"}"#)
        bench.settle()
        #expect(bench.ends == ["1 answered \(status)"])
        #expect(bench.network.peers.count == 2)
        #expect(bench.network.peers[0].clientHasClosed)
    }

    @Test func `sends GOAWAY after the last response when it is drained`() throws {
        let bench = try Bench.warm(connections: 2)
        _ = bench.send(1)
        bench.settle()
        bench.drain()
        #expect(!bench.send(2))
        #expect(!bench.isDrained)
        bench.settle()
        for peer in bench.network.peers where peer.requests.count == 2 { peer.respond(1) }
        bench.settle()
        #expect(bench.ends == ["1 answered 200"])
        #expect(bench.isDrained)
        #expect(bench.network.peers.allSatisfy { $0.heardGoAway && $0.heardCloseNotify })
        bench.pass(.seconds(100))
        #expect(bench.network.dialled.count == 2)
    }

    @Test func `reports every open request when it is closed`() throws {
        let bench = try Bench.warm()
        _ = bench.send(1)
        bench.settle()
        _ = bench.send(2)
        bench.close()
        bench.settle()
        #expect(bench.ends.count == 2)
        #expect(bench.ends.contains("1 in doubt"))
        #expect(bench.network.peers[0].heardGoAway)
        #expect(bench.network.sockets.isEmpty)
        #expect(bench.nextDeadline == nil)
    }
}
