import APNs
import Arguments
import Configuration
import Delivery
import Foundation
import TLS
import Testing

@testable import apns_bridge

@Suite struct `The options of channels` {
    /// A connector with some lines in `apns`.
    private func connector(_ apns: String = "", app: String = "  bundle_id: com.example.shop")
        throws -> Connector
    {
        let key = String(decoding: try SigningKey.generate().privateKeyPEM, as: UTF8.self)
        let text = """
            source: {topics: [shop.orders], group: apns-orders}
            kafka: {bootstrap.servers: localhost}
            apns:
            \(apns)
              environment: production
              key: "${env:KEY}"
              key_id: ABC123DEFG
              team_id: DEF123GHIJ
            \(app)
            results: {outcomes: apns.outcomes, unregistered: apns.gone, dead_letter: apns.dead}

            """
        let loaded = ConnectorFile.load(
            bytes: Array(text.utf8), path: "orders.yaml", environment: ["KEY": key],
            mode: .runWithoutKafka)
        return try #require(loaded.connector, "\(loaded.diagnostics)")
    }

    private func parse(_ arguments: [String]) throws -> ParsedCommand {
        let words = ["channels", arguments[0], "orders.yaml"] + arguments.dropFirst()
        guard case .run(let parsed) = try APNsBridge.command.parse(words) else {
            throw Refusal(text: "help")
        }
        return parsed
    }

    private func target(_ arguments: [String], _ connector: Connector) throws -> AppSettings {
        try ChannelTarget.app(try parse(["list"] + arguments), connector)
    }

    private func refusal(_ arguments: [String], _ connector: Connector) -> String? {
        #expect(throws: Refusal.self) { try target(arguments, connector) }?.text
    }

    @Test(arguments: [
        ["read"], ["delete"], ["read", ""], ["read", "a b"], ["delete", "ä"],
        ["list", "--storage", "none"],
        ["create", "--storage", "all"], ["create", "a"], ["read", "a", "--yes"],
        ["list", "--environment", "sandbox"],
    ])
    func `are refused unless they are clear`(arguments: [String]) {
        #expect(throws: UsageError.self) { try parse(arguments) }
    }

    @Test func `name an app if the connector has several`() throws {
        let apps = """
              apps:
                shop: {bundle_id: com.example.shop}
                pay: {bundle_id: com.example.pay}
            """
        let connector = try connector(app: apps)
        #expect(
            refusal([], connector)
                == "error: orders.yaml has several apps: shop, pay\n  add --app NAME")
        #expect(refusal(["--app", "shp"], connector)?.contains("did you mean 'shop'?") == true)
        #expect(try target(["--app", "pay"], connector).bundleID == "com.example.pay")
    }

    @Test func `choose Apple's host and port by the environment`() throws {
        let connector = try connector()
        let production = try target([], connector)
        #expect(production.endpoint.address == "api-manage-broadcast.push.apple.com:2196")
        #expect(production.environment == .production)
        let development = try target(["--environment", "development"], connector)
        #expect(
            development.endpoint.address == "api-manage-broadcast.sandbox.push.apple.com:2195")
        #expect(development.environment == .development)
        #expect(development.endpoint.trustRoots == .system)
    }

    @Test func `keep the proxy of the app`() throws {
        let connector = try connector("  proxy: http://proxy.example.com:3128")
        #expect(try target([], connector).endpoint.proxy?.host == "proxy.example.com")
        let other = try target(["--endpoint", "https://apns.example.com"], connector)
        #expect(other.endpoint.proxy?.host == "proxy.example.com")
    }

    @Test func `ask a simulator where pushes go`() throws {
        let connector = try connector("  endpoint: https://localhost:2197")
        #expect(try target([], connector).endpoint.address == "localhost:2197")
        #expect(
            refusal(["--environment", "development"], connector)
                == "error: --environment chooses among Apple's hosts, but orders.yaml sets"
                + " 'endpoint'\n  remove the option, or name the other service with --endpoint")
    }

    @Test func `name another service`() throws {
        let connector = try connector()
        let other = try target(["--endpoint", "https://[::1]:2196"], connector)
        #expect(other.endpoint.address == "[::1]:2196")
        #expect(other.endpoint.isCustom)
        #expect(
            refusal(["--endpoint", "api.push.apple.com"], connector)
                == "error: --endpoint api.push.apple.com has no scheme\n  start it with https://")
        #expect(
            refusal(["--ca-file", "ca.pem"], connector)?
                .hasPrefix("error: --ca-file ca.pem is only valid with --endpoint\n") == true)
        #expect(
            refusal(
                ["--endpoint", "https://localhost:1", "--ca-file", "/no/such/ca.pem"], connector)?
                .hasPrefix("error: /no/such/ca.pem cannot be read: ") == true)
        #expect(
            refusal(
                ["--endpoint", "https://localhost:1", "--ca-file", "/etc/passwd"], connector)?
                .contains("does not contain a PEM certificate") == true)
    }

    @Test func `are repeated in the command that lists the channels`() throws {
        let parsed = try parse([
            "create", "--app", "pay", "--endpoint", "https://localhost:1", "--yes",
        ])
        #expect(ChannelOptions.choice(parsed) == " --app pay --endpoint https://localhost:1")
    }

    // MARK: Questions

    private func question(
        _ action: ChannelRequest.Action, _ app: AppSettings
    ) -> Question? {
        let id = NotificationID(high: 0, low: 0)
        return ChannelsVerb.question(
            before: ChannelRequest(action, bundleID: app.bundleID, id: id), app)
    }

    @Test func `ask before a change in production only`() throws {
        let production = try target([], try connector())
        let create = try #require(question(.create(.latest), production))
        #expect(
            create.text == "Create a channel of com.example.shop in production, storage latest")
        #expect(question(.delete(channelID: "a"), production)?.refusal == "Nothing was deleted.")
        #expect(question(.list, production) == nil)
        #expect(question(.read(channelID: "a"), production) == nil)
        let development = try target(["--environment", "development"], try connector())
        #expect(question(.create(.latest), development) == nil)
    }

    @Test func `do not ask at a simulator on this machine, but at a gateway`() throws {
        let local = try target(["--endpoint", "https://localhost:1"], try connector())
        #expect(question(.create(.nothing), local) == nil)
        let gateway = try target(["--endpoint", "https://gateway.example.com"], try connector())
        #expect(question(.create(.nothing), gateway) != nil)
    }
}
