import Configuration
import Kafka
import Testing

@Suite struct `A connector file that is only examined` {
    private let change = [
        "  bootstrap": "  bootstrap.servers: ${env:NOWHERE}",
        "  topics": "  topics: [\"${env:NOWHERE}\"]",
        "  environment": "  endpoint: ${env:NOWHERE}\n  ca_file: no.pem",
        "  key:": "  key: ${file:no/AuthKey.p8}", "  key_id": "  key_id: ${env:NOWHERE}",
        "  bundle_id": "  bundle_id: ${env:NOWHERE}",
        "  outcomes": "  outcomes: ${env:NOWHERE}",
        "  payload": "  payload: {aps: {badge: 1}, shop: \"${env:NOWHERE}\"}",
    ]

    @Test(arguments: [
        (#"event: "${env:KIND}""#, ["KIND": "sart"], "start, update or end"),
        (#"event: end, stale_after: "${env:FRESH}""#, ["FRESH": "-5m"], "a positive duration"),
        (#"event: "${env:KIND}", content_state: {a: "${env:NOWHERE}"}"#, ["KIND": "update"], nil),
    ])
    func `has the words and times of a live_activity from variables`(
        members: String, variables: [String: String], message: String?
    ) throws {
        for mode in [ConnectorFile.Mode.inspect, .run] {
            var environment = variables
            if mode == .run { environment["NOWHERE"] = "here" }
            let messages = try Example.load(
                ["  payload": "  priority: 5\n  live_activity: {\(members)}"],
                environment: environment, mode: mode
            ).diagnostics.map(\.message)
            #expect(message == nil ? messages == [] : messages.count == 1, "\(messages)")
            if let message { #expect(messages.first?.contains(message) == true, "\(messages)") }
        }
    }

    @Test func `needs neither variables nor key files`() throws {
        let result = try Example.load(change, mode: .inspect)
        #expect(result.diagnostics == [])
        let connector = try #require(result.connector)
        #expect(connector.source.topics == ["${env:NOWHERE}"])
        #expect(connector.results.outcomes == "${env:NOWHERE}")
        #expect(connector.apns.apps.first?.bundleID == "${env:NOWHERE}")
    }

    @Test func `uses the variables and files that exist`() throws {
        let result = try Example.load(
            ["  group": "  group: ${env:GROUP}"], environment: ["GROUP": "shop"], mode: .inspect)
        #expect(result.connector?.source.group == "shop")
    }

    @Test func `must still be valid`() throws {
        let result = try Example.load(change, adding: "wrokers: 1", mode: .inspect)
        #expect(result.connector == nil)
        #expect(result.diagnostics.map(\.message) == ["unknown key 'wrokers'"])
    }

    @Test func `needs a key that can sign if there is one`() throws {
        let result = try Example.load(
            ["  key:": "  key: ${env:GARBAGE}"], environment: ["GARBAGE": "x"], mode: .inspect)
        #expect(result.connector == nil)
    }

    @Test func `needs what the kafka block names if records are to be read`() throws {
        let result = try Example.load(change, mode: .inspectWithKafka)
        #expect(result.connector == nil)
        #expect(
            result.diagnostics.map(\.message)
                == ["the environment variable 'NOWHERE' is not set"])
    }
}
