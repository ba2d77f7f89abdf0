import Delivery
import Testing

@testable import APNs

@Suite struct `A batch of pushes` {
    private static func pushes(_ count: Int) -> [PushBatch.Push] {
        (0..<count).map { number in
            PushBatch.Push(
                `A request`.notification(), id: NotificationID(high: 1, low: UInt64(number)))
        }
    }

    /// Sends a batch while servers respond as `respond` says; the clock only moves when nothing
    /// else does.
    private func send(
        _ count: Int, _ bench: Bench, respond: (Peer) -> Void = { $0.respondToAll() }
    ) -> [PushReport.Result] {
        var batch = PushBatch(Self.pushes(count), over: [bench.route], apps: [0])
        batch.start(&bench.kernel)
        for _ in 0..<10_000 {
            let known = bench.network.peers.reduce(0) { $0 + $1.responded.count }
            guard batch.turn(&bench.kernel) else { break }
            for peer in bench.network.peers { respond(peer) }
            bench.network.deliver()
            let isStill = known == bench.network.peers.reduce(0) { $0 + $1.responded.count }
            if isStill, !bench.network.hasSomethingToSay {
                bench.network.now = bench.network.now + .milliseconds(500)
            }
        }
        return batch.end(&bench.kernel).map(\.result)
    }

    private static let accepted = PushReport.Result.responded(APNsResponse(status: 200))

    @Test func `has a report for each push, in order`() throws {
        let results = send(3, try Bench()) { peer in
            for index in peer.openRequests {
                let isLast = peer.requests[index].fields["apns-id"]?.hasSuffix("2") == true
                peer.respond(
                    index, status: isLast ? 400 : 200,
                    body: isLast ? #"{"reason":"BadDeviceToken"}"# : "")
            }
        }
        let rejected = APNsResponse(status: 400, reason: "BadDeviceToken")
        #expect(results == [Self.accepted, Self.accepted, .responded(rejected)])
    }

    @Test func `of a thousand pushes waits for streams`() throws {
        let bench = try Bench()
        #expect(send(1000, bench) == Array(repeating: Self.accepted, count: 1000))
        #expect(bench.network.peers.count == 1)
    }

    @Test func `reports a response that asks to wait at once`() throws {
        let bench = try Bench()
        let results = send(1, bench) { peer in
            peer.respondToAll(status: 503, body: #"{"reason":"ServiceUnavailable"}"#)
        }
        #expect(results == [.responded(APNsResponse(status: 503, reason: "ServiceUnavailable"))])
        #expect(bench.network.peers[0].requests.count == 1)
    }

    @Test func `sends a push with an expired provider token once more`() throws {
        let bench = try Bench()
        let body = #"{"reason":"ExpiredProviderToken"}"#
        let results = send(1, bench) { $0.respondToAll(status: 403, body: body) }
        let response = APNsResponse(status: 403, reason: "ExpiredProviderToken")
        #expect(results == [.responded(response)])
        #expect(bench.network.peers.reduce(0) { $0 + $1.requests.count } == 2)
    }

    @Test func `ends if no connection can be opened`() throws {
        let bench = try Bench()
        bench.network.respond = { _ in .refused }
        let results = send(2, bench)
        #expect(results.count == 2)
        for result in results {
            guard case .notSent(let reason) = result else {
                Issue.record("\(result)")
                continue
            }
            #expect(reason.contains("connection refused"))
        }
    }

    @Test func `is in doubt about a push without a response`() throws {
        let results = send(1, try Bench(requestTimeout: .seconds(5))) { _ in }
        guard case .inDoubt? = results.first else {
            Issue.record("\(results)")
            return
        }
    }

    @Test func `sends what a closing connection did not process on another one`() throws {
        let bench = try Bench()
        let results = send(4, bench) { peer in
            // Before the first response only one request is open.
            let isFirst = bench.network.peers.count == 1 && peer.requests.count > 1
            guard isFirst else { return peer.respondToAll() }
            peer.respond(1)
            peer.goAway(afterRequest: 1)
        }
        #expect(results == Array(repeating: Self.accepted, count: 4))
        #expect(bench.network.peers.count == 2)
    }

    @Test func `ends with the reason if APNs closes every connection for the credential`() throws {
        let bench = try Bench()
        let results = send(3, bench) { peer in
            guard !peer.openRequests.isEmpty else { return }
            peer.goAway(afterRequest: nil, debug: #"{"reason":"BadCertificateEnvironment"}"#)
        }
        let refused = PushReport.Result.credentialRefused(reason: "BadCertificateEnvironment")
        #expect(results == [refused, refused, refused])
    }

    @Test func `reports a push that cannot be written, and sends the others`() throws {
        let bench = try Bench()
        var pushes = Self.pushes(2)
        pushes[0].notification.collapseID = [0x0A]
        var batch = PushBatch(pushes, over: [bench.route], apps: [0])
        batch.start(&bench.kernel)
        for _ in 0..<100 where batch.turn(&bench.kernel) {
            for peer in bench.network.peers { peer.respondToAll() }
            bench.network.deliver()
        }
        let results = batch.end(&bench.kernel).map(\.result)
        guard case .unsendable? = results.first else {
            Issue.record("\(results)")
            return
        }
        #expect(results.last == Self.accepted)
    }

    @Test func `that is interrupted distinguishes what was sent from what was not`() throws {
        let bench = try Bench()
        var batch = PushBatch(Self.pushes(4), over: [bench.route], apps: [0])
        var turns = 0
        var reported: [Int] = []
        let reports = batch.run(
            &bench.kernel,
            until: {
                // The connection opens with one request at a time; the second has no response.
                bench.network.deliver()
                let peer = bench.network.peers.first
                if peer?.responded.isEmpty == true { peer?.respondToAll() }
                turns += 1
                return peer?.openRequests.isEmpty == false && !reported.isEmpty || turns > 100
            },
            report: { push, report in
                reported.append(push)
                #expect(report.result == Self.accepted)
            })
        #expect(reported == [0])
        #expect(reports.first?.result == Self.accepted)
        let rest = reports.dropFirst().map(\.result)
        #expect(rest.contains(.interrupted(wasSent: true)))
        #expect(
            rest.allSatisfy {
                $0 == .interrupted(wasSent: true) || $0 == .interrupted(wasSent: false)
            })
    }

    @Test func `that is stopped before it begins sends nothing`() throws {
        let bench = try Bench()
        var batch = PushBatch(Self.pushes(2), over: [bench.route], apps: [0])
        let reports = batch.run(&bench.kernel, until: { true }, report: { _, _ in })
        let unsent = PushReport.Result.interrupted(wasSent: false)
        #expect(reports.map(\.result) == [unsent, unsent])
    }
}
