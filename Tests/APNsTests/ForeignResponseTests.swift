import Delivery
import HTTP2
import Testing

@testable import APNs

/// What a gateway or a captive portal responds in place of APNs, over HTTP/2.
@Suite struct `A response that APNs never sends` {
    private static let page = "<html><body>Access denied</body></html>"

    /// The response to one push over a connection that has had a 200.
    private func response(
        _ status: Int, body: String = page, id: String? = nil
    ) throws -> APNsResponse {
        let bench = try Bench.warm()
        #expect(bench.send(1))
        bench.settle()
        bench.network.peers[0].respond(1, status: status, body: body, id: id)
        bench.settle()
        guard case .responded(tag: 1, let response, _) = bench.events.last else {
            throw Bench.Missing()
        }
        return response
    }

    @Test(arguments: [
        (400, ""), (400, page), (400, #"{"error":"bad"}"#), (400, #"{"reason":""}"#), (404, page),
        (405, page), (410, ""), (410, page), (413, page), (421, ""), (431, ""), (451, page),
        (301, ""), (302, page), (204, ""), (201, ""), (206, page),
    ])
    func `is not trusted`(status: Int, body: String) throws {
        let row = try response(status, body: body).row
        #expect(row.reaction == .notAPNs)
        #expect(row.deviceToken == .none)
        #expect(row.isInDoubt == (status < 300))
    }

    @Test(arguments: ["", "ok", "00000000-0000-0001-0000-00000000000", UUIDs.other])
    func `is a 200 without our apns-id, and leaves the push in doubt`(id: String) throws {
        let response = try response(200, body: "", id: id)
        #expect(!response.isAccepted)
        #expect(response.reaction == .notAPNs)
        #expect(response.row.isInDoubt)
    }

    @Test func `is not a 200 whose apns-id is written in upper case`() throws {
        let bench = try Bench.warm()
        #expect(bench.send(0xABCDEF))
        bench.settle()
        let sent = bench.network.peers[0].requests[1].fields["apns-id"]
        bench.network.peers[0].respond(1, id: sent?.uppercased())
        bench.settle()
        guard case .responded(_, let response, _) = bench.events.last else { throw Bench.Missing() }
        #expect(response.isAccepted)
    }

    @Test(arguments: [
        (410, "Unregistered", DeviceTokenEffect.unregistered), (410, "ExpiredToken", .unregistered),
        (410, "Gone", .suspect), (400, "Unregistered", .none), (404, "ExpiredToken", .none),
    ])
    func `is not one with a reason, and only two reasons of a 410 unregister a token`(
        status: Int, reason: String, wanted: DeviceTokenEffect
    ) throws {
        let row = try response(status, body: #"{"reason":"\#(reason)"}"#).row
        #expect(row.deviceToken == wanted)
        #expect(row.reaction != .notAPNs)
    }

    @Test func `does not open a connection for more requests`() throws {
        let bench = try Bench()
        bench.start()
        #expect(bench.send(1))
        bench.settle()
        bench.network.peers[0].respond(0, id: "")
        bench.settle()
        #expect(bench.send(2))
        #expect(!bench.send(3))
        bench.settle()
        bench.network.peers[0].respond(1)
        bench.settle()
        #expect(bench.send(4))
        #expect(bench.send(5))
    }

    @Test(arguments: [(404, ""), (200, "")])
    func `ends the trial of a new credential, while the old connections continue`(
        status: Int, id: String
    ) throws {
        let (bench, route) = try `A pool whose credential is replaced`.bench(1)
        bench.renew(route)
        #expect(bench.send(1))
        bench.settle()
        bench.network.peers[1].respond(0, status: status, id: id)
        bench.settle()
        #expect(bench.renewals == ["refused: \(status)"])
        #expect(bench.ends == [status == 200 ? "1 answered 200" : "1 not sent"])
        #expect(bench.send(2))
        bench.settle()
        #expect(bench.network.peers[0].openRequests.count == 1)
    }
}

private enum UUIDs {
    static let other = "123e4567-e89b-42d3-a456-426614170001"
}
