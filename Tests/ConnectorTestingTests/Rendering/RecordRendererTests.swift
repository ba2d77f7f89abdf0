import APNs
import BridgeSamples
import ConnectorTesting
import Delivery
import Testing

@Suite struct `A rendered record` {
    static let now: Int64 = 1_767_261_600_000

    static func render(_ event: String, offset: Int64 = 7) throws -> RenderedRecord {
        var renderer = RecordRenderer(
            plan: try Samples.canonicalPlan(), clusterID: "K1", group: "apns-orders")
        let record = Record.owning(
            assignment: AssignmentID(1),
            topicPartition: TopicPartition(topic: "shop.orders", partition: 3), offset: offset,
            value: Array(event.utf8))
        return renderer.render(record, now: now)
    }

    static func request(_ event: String) throws -> APNsRequest {
        let verdict = try #require(try render(event).notifications.first).verdict
        guard case .send(let request) = verdict else {
            throw NoRequest(text: "\(verdict)")
        }
        return request
    }

    struct NoRequest: Error { var text: String }

    @Test func `shows the drop that a worker would report`() throws {
        let rendered = try Self.render(#"{"payload":{"aps":{"alert":"Hi"}}}"#)
        #expect(rendered.notifications.count == 1)
        let drop = Drop(.missingField, "orders.yaml: 'device_token' is absent")
        #expect(rendered.notifications.first?.verdict == .drop(drop))
    }

    @Test func `is dropped if its expiration is now`() throws {
        let token = Samples.token("aa")
        let late = try Self.render(Samples.event(token, more: #","expiration":1767261600"#))
        let message =
            "it expired at 2026-01-01T10:00:00.000Z; the time now is 2026-01-01T10:00:00.000Z"
        #expect(late.notifications.first?.verdict == .drop(Drop(.expired, message)))
        let early = try Self.request(Samples.event(token, more: #","expiration":1767261601"#))
        #expect(early.header("apns-expiration") == "1767261601")
    }

    @Test func `shows method, path, headers and payload of the request`() throws {
        let token = Samples.token("aa")
        let request = try Self.request(
            Samples.event(token, more: #","collapse_id":"a","expiration":0,"priority":5"#))
        #expect(request.method == "POST")
        #expect(request.path == "/3/device/\(token)")
        let headers = request.headers.map { "\($0.name): \($0.value)" }
        let name = NotificationName(
            clusterID: "K1", group: "apns-orders",
            topicPartition: TopicPartition(topic: "shop.orders", partition: 3))
        #expect(
            headers == [
                "apns-id: \(name.identifier(offset: 7, index: 0))",
                "apns-push-type: alert", "apns-expiration: 0", "apns-priority: 5",
                "apns-topic: com.example.shop", "apns-collapse-id: a",
            ])
        #expect(String(decoding: request.payload, as: UTF8.self) == #"{"aps":{"alert":"Hi"}}"#)
    }

    @Test func `has a separate apns-id for each of several notifications`() throws {
        let tokens = [Samples.token("aa"), Samples.token("bb")]
        let event =
            #"{"device_tokens":["\#(tokens[0])","\#(tokens[1])"],"#
            + #""payload":{"aps":{"alert":"Hi"}}}"#
        let name = NotificationName(
            clusterID: "K1", group: "apns-orders",
            topicPartition: TopicPartition(topic: "shop.orders", partition: 3))
        let expected = [0, 1].map { name.identifier(offset: 7, index: $0) }
        #expect(try Self.render(event).notifications.map(\.id) == expected)
    }
}
