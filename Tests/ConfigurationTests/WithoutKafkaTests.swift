import Configuration
import Kafka
import Testing

@Suite struct `A connector file that is used without Kafka` {
    private let change = [
        "  bootstrap": "  bootstrap.servers: ${env:NOWHERE}",
        "  topics": "  topics: [\"${env:NOWHERE}\"]",
        "  group": "  group: ${env:NOWHERE}",
        "  outcomes": "  outcomes: ${env:NOWHERE}",
    ]

    @Test func `needs nothing that only Kafka needs`() throws {
        let result = try Example.load(change, mode: .runWithoutKafka)
        #expect(result.diagnostics == [])
        let connector = try #require(result.connector)
        #expect(connector.source.topics == ["${env:NOWHERE}"])
        #expect(connector.apns.apps.first?.bundleID == "com.example.shop")
    }

    @Test(arguments: [
        ("  key:", "  key: ${env:NOWHERE}"), ("  bundle_id", "  bundle_id: ${env:NOWHERE}"),
        ("  environment", "  endpoint: ${env:NOWHERE}"),
        ("  payload", "  payload: {aps: {badge: 1}, shop: \"${env:NOWHERE}\"}"),
    ])
    func `needs everything that a push needs`(line: String, other: String) throws {
        let changes = change.merging([line: other]) { $1 }
        let result = try Example.load(changes, mode: .runWithoutKafka)
        #expect(result.connector == nil)
        #expect(
            result.diagnostics.map(\.message)
                == ["the environment variable 'NOWHERE' is not set"])
    }

    @Test func `must still be valid`() throws {
        let result = try Example.load(
            change, adding: "wrokers: 1", mode: .runWithoutKafka)
        #expect(result.connector == nil)
    }
}
