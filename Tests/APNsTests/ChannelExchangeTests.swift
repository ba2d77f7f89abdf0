import Delivery
import Testing

@testable import APNs

@Suite struct `A request about channels` {
    private static let id = NotificationID(high: 1, low: 7)
    private static let channel = "dHN0LXNyY2gtY2hubA=="

    private static func request(_ action: ChannelRequest.Action) -> ChannelRequest {
        ChannelRequest(action, bundleID: "com.example.shop", id: id)
    }

    /// Sends requests over one connection while servers respond as `respond` says; the clock only
    /// moves when nothing else does.
    private func send(
        _ requests: [ChannelRequest], _ bench: Bench, isStopped: () -> Bool = { false },
        respond: (Peer) -> Void
    ) -> [ChannelReport.Result] {
        var exchange = ChannelExchange(bench.route)
        exchange.start(&bench.kernel)
        defer { exchange.close(&bench.kernel) }
        return requests.map { request in
            exchange.begin(bench.kernel.now)
            for _ in 0..<10_000 {
                let known = bench.network.peers.reduce(0) { $0 + $1.openRequests.count }
                if let report = exchange.turn(request, &bench.kernel) { return report.result }
                for peer in bench.network.peers { respond(peer) }
                bench.network.deliver()
                let isStill = known == bench.network.peers.reduce(0) { $0 + $1.openRequests.count }
                if isStill, !bench.network.hasSomethingToSay {
                    bench.network.now = bench.network.now + .milliseconds(500)
                }
            }
            Issue.record("it has not ended")
            return .gone
        }
    }

    private func send(
        _ action: ChannelRequest.Action, _ bench: Bench, respond: (Peer) -> Void
    ) -> ChannelReport.Result {
        send([Self.request(action)], bench, respond: respond)[0]
    }

    private func send(
        _ action: ChannelRequest.Action, status: Int, _ body: String = "", channel: String? = nil
    ) throws -> ChannelReport.Result {
        send(action, try Bench()) { peer in
            for index in peer.openRequests {
                peer.respond(
                    index, status: status, body: body,
                    more: channel.map { [("apns-channel-id", [UInt8]($0.utf8))] } ?? [])
            }
        }
    }

    // MARK: Without a response

    @Test func `is in doubt without a response, and is not sent again`() throws {
        let bench = try Bench()
        let result = send(.create(.nothing), bench) { _ in }
        #expect(result == .failed(.inDoubt(reason: "no response within 20 s")))
        #expect(bench.network.peers.reduce(0) { $0 + $1.requests.count } == 1)
    }

    @Test func `is in doubt if the connection breaks before a response`() throws {
        let result = send(.create(.latest), try Bench()) { peer in
            if !peer.openRequests.isEmpty { peer.breakConnection() }
        }
        guard case .failed(.inDoubt) = result else {
            Issue.record("\(result)")
            return
        }
    }

    @Test func `is sent again if it was not processed`() throws {
        let bench = try Bench()
        let result = send(.list, bench) { peer in
            let isFirst = peer === bench.network.peers[0]
            for index in peer.openRequests {
                if isFirst {
                    peer.goAway(afterRequest: nil)
                } else {
                    peer.respond(index, body: #"{"channels":[]}"#)
                }
            }
        }
        #expect(result == .listed(channelIDs: []))
        #expect(bench.network.peers.count == 2)
    }

    @Test(arguments: [(ChannelRequest.Action.create(.nothing), 1), (.list, 2)])
    func `to create is not sent again if the peer finds it malformed`(
        action: ChannelRequest.Action, times: Int
    ) throws {
        let bench = try Bench()
        let result = send(action, bench) { peer in
            for index in peer.openRequests { peer.reset(index, code: 1) }
        }
        guard case .failed(.unacceptable) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(bench.network.peers.reduce(0) { $0 + $1.requests.count } == times)
    }

    @Test func `ends if no connection can be opened`() throws {
        let bench = try Bench()
        bench.network.respond = { _ in .refused }
        guard case .failed(.notSent(let reason)) = send(.list, bench, respond: { _ in }) else {
            Issue.record("it was sent")
            return
        }
        #expect(reason.contains("localhost:2197"))
    }

    @Test func `ends if it is stopped`() throws {
        let bench = try Bench()
        var exchange = ChannelExchange(bench.route)
        let report = exchange.run(Self.request(.list), &bench.kernel, until: { true })
        #expect(report.result == .failed(.interrupted(wasSent: false)))
        #expect(report.milliseconds == nil)
    }

    @Test func `cannot have control characters in its channel ID`() throws {
        let result = send(.read(channelID: "a\nb"), try Bench()) { _ in }
        guard case .failed(.unsendable(.invalidField(let detail))) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(detail.hasPrefix("apns-channel-id: "))
    }

    // MARK: Rejections

    @Test func `is rejected with Apple's reason`() throws {
        let result = try send(.read(channelID: "x"), status: 400, #"{"reason":"BadChannelId"}"#)
        guard case .failed(.responded(let response)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(response.status == 400 && response.reason == "BadChannelId")
    }

    @Test func `is sent once more with an expired provider token`() throws {
        let bench = try Bench()
        let body = #"{"reason":"ExpiredProviderToken"}"#
        let result = send(.create(.nothing), bench) { $0.respondToAll(status: 403, body: body) }
        guard case .failed(.responded(let response)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(response.reason == "ExpiredProviderToken")
        #expect(bench.network.peers.reduce(0) { $0 + $1.requests.count } == 2)
    }

    @Test func `is not repeated if APNs is busy`() throws {
        let bench = try Bench()
        let body = #"{"reason":"ServiceUnavailable"}"#
        _ = send(.list, bench) { $0.respondToAll(status: 503, body: body) }
        #expect(bench.network.peers.reduce(0) { $0 + $1.requests.count } == 1)
    }

    @Test(arguments: [
        (ChannelRequest.Action.create(.latest), 201, ""), (.create(.latest), 204, ""),
        (.read(channelID: channel), 200, "{}"), (.read(channelID: channel), 200, "[1]"),
        (.list, 200, "<html>"), (.list, 200, #"{"channels":[1]}"#), (.list, 204, ""),
        (.delete(channelID: channel), 201, ""), (.create(.latest), 200, "<html>"),
        (.create(.latest), 201, "dHN0"), (.delete(channelID: channel), 200, "<html>"),
    ])
    func `is not done if the response lacks what APNs sends`(
        action: ChannelRequest.Action, status: Int, body: String
    ) throws {
        guard case .failed(.responded) = try send(action, status: status, body) else {
            Issue.record("it counts as done")
            return
        }
    }

    @Test func `is not done if the new ID is none`() throws {
        for text in ["not base64 at all!!", "dHN0L", "dHN0====", "="] {
            guard case .failed = try send(.create(.latest), status: 201, channel: text) else {
                Issue.record("'\(text)' counts as an ID")
                return
            }
        }
    }

    @Test(arguments: [
        (ChannelRequest.Action.create(.latest), 504, true), (.create(.latest), 500, true),
        (.create(.latest), 408, true), (.create(.latest), 302, true),
        (.create(.latest), 400, false), (.create(.latest), 429, false),
        (.delete(channelID: channel), 503, true), (.delete(channelID: channel), 403, false),
        (.list, 503, false), (.read(channelID: channel), 500, false), (.list, 204, true),
    ])
    func `leaves open what has happened if the error may come from behind it`(
        action: ChannelRequest.Action, status: Int, isInDoubt: Bool
    ) throws {
        let response = APNsResponse(status: status, isIdentified: false)
        let report = ChannelReport(PushReport(.responded(response)), of: Self.request(action))
        #expect(report.isInDoubt == isInDoubt)
    }

    // MARK: What APNs did

    @Test func `creates a channel, of which it returns the ID`() throws {
        let bench = try Bench()
        let result = send(.create(.latest), bench) { peer in
            for index in peer.openRequests {
                let field = ("apns-channel-id", [UInt8](Self.channel.utf8))
                peer.respond(index, status: 201, more: [field])
            }
        }
        #expect(result == .created(channelID: Self.channel))
        let request = try #require(bench.network.peers.first?.requests.first)
        #expect(request.fields[":method"] == "POST")
        #expect(request.fields[":path"] == "/1/apps/com.example.shop/channels")
        #expect(request.fields["apns-request-id"] == Self.id.description)
        #expect(request.fields["authorization"]?.hasPrefix("bearer ey") == true)
        #expect(request.fields.count == 6)
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#)
    }

    @Test func `returns channel IDs of any length`() throws {
        let long = String(repeating: "dHN0", count: 1000)
        #expect(
            try send(.create(.nothing), status: 201, channel: long) == .created(channelID: long))
    }

    @Test(arguments: [(0, ChannelStorage.nothing), (1, .latest), (7, nil)])
    func `reads what a channel keeps`(policy: Int, storage: ChannelStorage?) throws {
        let body = #"{"message-storage-policy":\#(policy),"push-type":"LiveActivity"}"#
        #expect(
            try send(.read(channelID: Self.channel), status: 200, body)
                == .read(storage, pushType: "LiveActivity"))
    }

    @Test func `lists ten thousand channels`() throws {
        let channelIDs = (0..<10_000).map { "channel-\($0)-of-this-app==" }
        let body = #"{"channels":["\#(channelIDs.joined(separator: #"",""#))"]}"#
        #expect(try send(.list, status: 200, body) == .listed(channelIDs: channelIDs))
    }

    @Test func `deletes a channel by its ID`() throws {
        let bench = try Bench()
        let result = send(.delete(channelID: Self.channel), bench) { $0.respondToAll(status: 204) }
        #expect(result == .deleted)
        let request = try #require(bench.network.peers.first?.requests.first)
        #expect(request.fields[":method"] == "DELETE")
        #expect(request.fields["apns-channel-id"] == Self.channel)
        #expect(request.body.isEmpty)
    }

    @Test func `finds that a channel is gone that it was to delete`() throws {
        let body = #"{"reason":"ChannelNotRegistered"}"#
        #expect(try send(.delete(channelID: Self.channel), status: 400, body) == .gone)
        guard case .failed = try send(.read(channelID: Self.channel), status: 400, body) else {
            Issue.record("it was read")
            return
        }
    }

    /// Runs an exchange to its end while servers respond as `respond` says.
    private func run(
        _ action: ChannelRequest.Action, _ bench: Bench, respond: @escaping (Peer) -> Void
    ) -> ChannelReport.Result {
        var exchange = ChannelExchange(bench.route)
        let network = bench.network
        let report = exchange.run(Self.request(action), &bench.kernel) {
            for peer in network.peers { respond(peer) }
            network.deliver()
            if !network.hasSomethingToSay { network.now = network.now + .milliseconds(100) }
            return false
        }
        return report.result
    }

    @Test(arguments: [
        (200, #"{"channels":["other"]}"#, true), (200, #"{"channels":["\#(channel)"]}"#, false),
        (404, #"{"reason":"BadPath"}"#, false), (200, "", false),
    ])
    func `to delete is done after a 404 only if no channel of the list has that ID`(
        status: Int, body: String, isGone: Bool
    ) throws {
        let bench = try Bench()
        let result = run(.delete(channelID: Self.channel), bench) { peer in
            for index in peer.openRequests {
                let isList = peer.requests[index].fields[":method"] == "GET"
                peer.respond(
                    index, status: isList ? status : 404,
                    body: isList ? body : #"{"reason":"BadPath"}"#)
            }
        }
        #expect((result == .gone) == isGone, "\(result)")
        #expect(bench.network.peers.map(\.requests.count) == [2])
        if case .failed(.responded(let response)) = result { #expect(response.status == 404) }
    }

    @Test func `carries no provider token with a certificate`() throws {
        let bench = try Bench(certificate: try Bench.certificate("com.example.shop"))
        let result = send(.list, bench) { $0.respondToAll(body: #"{"channels":["a"]}"#) }
        #expect(result == .listed(channelIDs: ["a"]))
        #expect(bench.network.peers.first?.requests.first?.fields["authorization"] == nil)
    }

    @Test func `shares its connection with the next one`() throws {
        let bench = try Bench()
        let requests = [Self.request(.list), Self.request(.delete(channelID: "a"))]
        let results = send(requests, bench) { peer in
            for index in peer.openRequests {
                let isList = peer.requests[index].fields[":method"] == "GET"
                peer.respond(
                    index, status: isList ? 200 : 204, body: isList ? #"{"channels":["a"]}"# : "")
            }
        }
        #expect(results == [.listed(channelIDs: ["a"]), .deleted])
        #expect(bench.network.peers.count == 1)
    }
}
