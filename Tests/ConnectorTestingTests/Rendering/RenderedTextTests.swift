import BridgeSamples
import Configuration
import ConnectorTesting
import Delivery
import Mapping
import Testing

@Suite struct `The output of render` {
    private static let now: Int64 = 1_767_261_720_000

    /// A canonical event that happened at 10:00, examined two minutes later.
    private func text(_ event: String) throws -> String {
        try rendered(event).text(now: Self.now)
    }

    private func rendered(
        _ event: String, labels: MappingSource? = nil
    ) throws -> RenderedRecord {
        var renderer = RecordRenderer(
            plan: try Samples.canonicalPlan(labels: labels), clusterID: "K1", group: "apns-orders")
        let record = Record.owning(
            assignment: AssignmentID(1),
            topicPartition: TopicPartition(topic: "shop.orders", partition: 3), offset: 7,
            timestamp: 1_767_261_600_000, value: Array(event.utf8))
        return renderer.render(record, now: Self.now)
    }

    private func id(_ index: Int = 0) -> NotificationID {
        let name = NotificationName(
            clusterID: "K1", group: "apns-orders",
            topicPartition: TopicPartition(topic: "shop.orders", partition: 3))
        return name.identifier(offset: 7, index: index)
    }

    @Test func `for a drop has the verdict, the position, what there is and a suggestion`() throws {
        #expect(
            try text(#"{"device_tokn":"aa","payload":{"aps":{"badge":1}}}"#) == """
                dropped: missing_field
                orders.yaml: 'device_token' is absent
                the event has device_tokn, payload
                rename device_tokn to device_token in the event

                Would send nothing.

                """)
    }

    @Test func `has the labels, and says which of them have no value`() throws {
        let labels = Samples.labels([("campaign", "${campaign}"), ("shop", "${shop}")])
        let event = #"{"device_token":"aa","shop":7,"payload":{"aps":{"badge":1}}}"#
        let fault = "the label 'campaign' is null: orders.yaml:9:5: ${campaign} is absent"
        let sent = try rendered(event, labels: labels)
        #expect(
            sent.text(now: Self.now).hasSuffix(
                """


                Labels: {"campaign":null,"shop":7}
                \(fault)
                19 of 4096 bytes. Would send 1 notification.

                """))
        let json = String(decoding: sent.json(), as: UTF8.self)
        #expect(json.contains(#"},"detail":"\#(fault)","labels":{"campaign":null,"shop":7}}"#))
        let dropped = try rendered(event.replacing("aa", with: "xyz"), labels: labels)
        let lines = "Labels: {\"campaign\":null,\"shop\":7}\n\(fault)\n\nWould send nothing"
        #expect(dropped.text(now: Self.now).contains(lines))
    }

    @Test func `has the request with remarks, the payload and its size`() throws {
        let event =
            #"{"device_token":"00ff","ttl":"4h","collapse_id":"order-7741","payload":"#
            + #"{"aps":{"alert":{"title":"Order 7741 shipped","body":"Hi Ana"},"badge":3},"#
            + #""order_id":7741}}"#
        #expect(
            try text(event) == """
                POST /3/device/00ff
                apns-topic: com.example.shop
                apns-push-type: alert
                apns-priority: 10                   default for alert
                apns-expiration: 1767276000         2026-01-01T14:00:00Z, \
                ttl 4h from event_time, in 3 h 58 min
                apns-collapse-id: order-7741        10 of 64 bytes
                apns-id: \(id())

                {"aps": {"alert": {"title": "Order 7741 shipped", "body": "Hi Ana"},
                         "badge": 3},
                 "order_id": 7741}

                90 of 4096 bytes. Would send 1 notification.

                """)
    }

    @Test(arguments: [
        (#""priority":5"#, "apns-priority: 5"),
        (
            #""expiration":0"#,
            "apns-expiration: 0                  one attempt by APNs, never stored"
        ),
        (
            #""expiration":0,"ttl":"1m30s","event_time":1767261700"#,
            "apns-expiration: 0                  one attempt by APNs, never stored; "
                + "not sent after 2026-01-01T10:03:10Z, ttl 1m30s from event_time, in 1 min 10 s"
        ),
        (
            #""expiration":1767261765"#,
            "apns-expiration: 1767261765         2026-01-01T10:02:45Z, in 45 s"
        ),
        (
            #""expiration":2130000000"#,
            "apns-expiration: 2130000000         2037-06-30T18:40:00Z, in 4198 d"
        ),
        (
            #""expiration":4070908800"#,
            "apns-expiration: 2147483647         2038-01-19T03:14:07Z, in 4400 d"
        ),
    ])
    func `explains a header`(members: String, line: String) throws {
        let event = #"{"device_token":"00ff","payload":{"aps":{"badge":1}},"# + members + "}"
        #expect(try text(event).split(separator: "\n").contains(Substring(line)))
    }

    @Test func `shows several notifications in order, and counts them`() throws {
        let event =
            #"{"device_tokens":["00ff","xyz","00fe"],"priority":5,"payload":{"aps":{"badge":1}}}"#
        #expect(
            try text(event) == """
                POST /3/device/00ff
                apns-topic: com.example.shop
                apns-push-type: alert
                apns-priority: 5
                apns-id: \(id())

                {"aps": {"badge": 1}}

                19 of 4096 bytes.

                dropped: invalid_device_token
                orders.yaml: 'device_tokens' is not valid: it contains a character that is \
                not a hexadecimal digit

                POST /3/device/00fe
                apns-topic: com.example.shop
                apns-push-type: alert
                apns-priority: 5
                apns-id: \(id(2))

                {"aps": {"badge": 1}}

                19 of 4096 bytes.

                Would send 2 notifications and drop 1.

                """)
    }

    @Test func `for programs is one JSON object`() throws {
        let event =
            #"{"device_tokens":["00ff","x"],"collapse_id":"a","payload":{"aps":{"badge":1}}}"#
        #expect(
            String(decoding: try rendered(event).json(), as: UTF8.self)
                == #"{"filtered":false,"notifications":[{"index":0,"verdict":"send","request":"#
                + #"{"method":"POST","path":"/3/device/00ff","headers":{"#
                + #""apns-topic":"com.example.shop","apns-push-type":"alert","#
                + #""apns-priority":"10","apns-collapse-id":"a","apns-id":"\#(id())"},"#
                + #""payload":{"aps":{"badge":1}},"bytes":19,"limit":4096}},"#
                + #"{"index":1,"verdict":"dropped","reason":"invalid_device_token","#
                + #""detail":"orders.yaml: 'device_tokens' is not valid: it contains a character "#
                + #"that is not a hexadecimal digit"}],"cuts":[]}"#)
    }

    /// A plan with a short title, and a body that fills what Apple allows.
    private func cutting(_ event: String) throws -> RenderedRecord {
        let file = """
            source: {topics: [shop.orders], group: g}
            kafka: {bootstrap.servers: "localhost:9092"}
            apns: {environment: production, key: "${file:k.p8}", key_id: ABC123DEFG,
                   team_id: DEF123GHIJ, bundle_id: com.example.shop}
            notification:
              device_token: ${token}
              ttl: 4h
              policy: {payload_too_large: truncate, truncate: aps.alert.body}
              payload: {aps: {alert: {title: "${from | truncate(4)}", body: "${text}"}}}
            results: {outcomes: a, unregistered: b, dead_letter: c}
            """
        let loaded = ConnectorFile.load(
            bytes: Array(file.utf8), path: "orders.yaml", environment: [:], mode: .inspect)
        let plan = try #require(loaded.connector, "\(loaded.diagnostics)").plan
        var renderer = RecordRenderer(plan: plan, group: "g")
        let record = Record.owning(
            assignment: AssignmentID(1),
            topicPartition: TopicPartition(topic: "shop.orders", partition: 0), offset: 0,
            timestamp: Self.now, value: Array(event.utf8))
        return renderer.render(record, now: Self.now)
    }

    @Test func `says what was cut and by how much`() throws {
        let text = String(repeating: "é", count: 2100)
        let found = try cutting(#"{"token":"00ff","from":"Zoë's","text":"\#(text)"}"#)
        #expect(
            found.text(now: Self.now).hasSuffix(
                """
                4096 of 4096 bytes.

                ${from | truncate(4)} was cut from 5 to 4 characters.
                aps.alert.body was cut from 4200 to 4049 bytes, so that the payload fits.

                Would send 1 notification.

                """), "\(found.text(now: Self.now).suffix(300))")
        let json = String(decoding: found.json(), as: UTF8.self)
        #expect(
            json.hasSuffix(
                #","cuts":[{"text":"${from | truncate(4)}","unit":"characters","before":5,"#
                    + #""after":4},{"text":"aps.alert.body","unit":"bytes","before":4200,"#
                    + #""after":4049}]}"#),
            "\(json.suffix(300))")
    }

    @Test func `says nothing of texts that fit`() throws {
        let found = try cutting(#"{"token":"00ff","from":"Zoë!","text":"On its way"}"#)
        #expect(found.cuts == [])
        let end = " of 4096 bytes. Would send 1 notification.\n"
        #expect(found.text(now: Self.now).hasSuffix(end))
    }
}
