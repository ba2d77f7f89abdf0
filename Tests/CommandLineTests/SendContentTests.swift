import Arguments
import Configuration
import ConnectorTesting
import Delivery
import TLS
import Testing

@testable import apns_bridge

@Suite struct `What send is to send` {
    /// A connector with the apps `shop` and `pay`, or only with one.
    private func connector(apps: Int = 1, apns: String = "") throws -> Connector {
        let key = String(
            decoding: try SigningKey.generate().privateKeyPEM, as: UTF8.self)
        let block = """
              environment: production
              key: "${env:KEY}"
              key_id: ABC123DEFG
              team_id: DEF123GHIJ
            """
        let names =
            apps == 1
            ? "  bundle_id: com.example.shop"
            : """
              apps:
                shop: {bundle_id: com.example.shop}
                pay: {bundle_id: com.example.pay}
            """
        let text = """
            source: {topics: [shop.orders], group: apns-orders}
            kafka: {bootstrap.servers: localhost}
            apns:
            \(apns)
            \(block)
            \(names)
            results: {outcomes: apns.outcomes, unregistered: apns.gone, dead_letter: apns.dead}

            """
        let loaded = ConnectorFile.load(
            bytes: Array(text.utf8), path: "orders.yaml", environment: ["KEY": key],
            mode: .runWithoutKafka)
        return try #require(loaded.connector, "\(loaded.diagnostics)")
    }

    private func parse(_ arguments: [String]) throws -> ParsedCommand {
        let arguments = ["send", "orders.yaml"] + arguments
        guard case .run(let parsed) = try APNsBridge.command.parse(arguments) else {
            throw Refusal(text: "help")
        }
        return parsed
    }

    private func content(_ arguments: [String], apps: Int = 1) throws -> SendContent {
        try SendContent(try parse(arguments), try self.connector(apps: apps))
    }

    @Test(arguments: [
        ([], "nothing to send"), (["--token", "aa"], "nothing to send"),
        (["--alert", "Hi"], "no device token\n  add --token TOKEN"),
        (["e.json", "--alert", "Hi"], "an event and --alert are mutually exclusive"),
        (["e.json", "--payload", "p.json"], "an event and --payload are mutually exclusive"),
        (["--payload", "p.json", "--title", "Hi"], "--payload and --title are mutually exclusive"),
        (["--payload", "p.json", "--badge", "1"], "--payload and --badge are mutually exclusive"),
        (["e.json", "--push-type", "voip"], "--push-type is not valid with an event"),
        (["e.json", "--app", "shop"], "--app is not valid with an event"),
        (["e.json", "--ttl", "4h"], "--ttl is not valid with an event"),
        (["--token", "aa", "--alert", "Hi", "--key", "k"], "--key is only valid with an event"),
        (
            ["--token", "aa", "--alert", "Hi", "--header", "a=b"],
            "--header is only valid with an event"
        ),
        (
            ["--token", "aa", "--alert", "Hi", "--app", "shp"],
            "orders.yaml has no app 'shp'\n  its apps are com.example.shop"
        ),
    ])
    func `is refused unless it is clear`(arguments: [String], message: String) throws {
        let refusal = #expect(throws: Refusal.self) { try content(arguments) }
        #expect(refusal?.text.hasPrefix("error: \(message)") == true, "\(refusal?.text ?? "")")
        #expect(refusal?.code == .usage)
    }

    @Test func `names the apps to choose from`() throws {
        let message = ["--token", "aa", "--alert", "Hi"]
        let refusal = #expect(throws: Refusal.self) { try content(message, apps: 2) }
        #expect(
            refusal?.text
                == "error: orders.yaml has several apps: shop, pay\n  add --app NAME")
        guard case .draft(let draft, let app) = try content(message + ["--app", "pay"], apps: 2)
        else {
            Issue.record("not a draft")
            return
        }
        #expect(app.bundleID == "com.example.pay")
        #expect(draft.deviceTokens == ["aa"])
    }

    @Test func `is an event if there is one`() throws {
        guard case .event("e.json") = try content(["e.json", "--token", "aa", "--key", "k"])
        else {
            Issue.record("not an event")
            return
        }
    }

    private func question(tokens: [String], _ connector: Connector) throws -> Question? {
        let draft = PushDraft(to: tokens, payload: Array(#"{"aps":{"badge":1}}"#.utf8))
        return try question(event: draft.event, connector)
    }

    private func question(event: [UInt8], _ connector: Connector) throws -> Question? {
        let plan = try #require(
            connector.canonicalPlan(app: connector.apns.apps[0], source: "command line"))
        var renderer = RecordRenderer(plan: plan, group: "g")
        let record = Record.owning(
            assignment: AssignmentID(1),
            topicPartition: TopicPartition(topic: "t", partition: 0), offset: 0, timestamp: 1,
            value: event)
        return SendVerb.question(before: renderer.render(record, now: 1), connector)
    }

    @Test func `is confirmed if it is more than one push to production`() throws {
        let connector = try self.connector()
        #expect(try question(tokens: ["aa"], connector) == nil)
        #expect(try question(tokens: ["aa", "xyz"], connector) == nil)
        let found = try #require(try question(tokens: ["aa", "bb"], connector))
        #expect(found.text == "Send 2 pushes to production (com.example.shop)")
        #expect(found.remedy == "add --yes to send 2 pushes to production")
    }

    @Test func `is confirmed if it is a broadcast to production`() throws {
        let event = #"{"channel_id":"Y2hhbm5lbA==","payload":{"aps":{"event":"update","#
            + #""timestamp":1767261600,"content-state":{}}}}"#
        let found = try #require(try question(event: Array(event.utf8), try connector()))
        #expect(found.text == "Send a broadcast to production (com.example.shop)")
    }

    @Test func `is not confirmed if it goes to a simulator on this machine`() throws {
        let local = try connector(apns: "  endpoint: https://localhost:2197")
        #expect(try question(tokens: ["aa", "bb"], local) == nil)
        let gateway = try connector(apns: "  endpoint: https://gateway.example.com:2197")
        #expect(try question(tokens: ["aa", "bb"], gateway) != nil)
        var development = try connector()
        development.apns.apps[0].environment = .development
        #expect(try question(tokens: ["aa", "bb"], development) == nil)
    }
}
