import Configuration
import Testing

@Suite struct `A key of a connector file` {
    @Test func `that is misspelt is reported once, with a suggestion`() throws {
        #expect(
            try Example.findings(["  group": "  gruop: apns-orders"])
                == ["3:3: error: unknown key 'gruop' in source | did you mean 'group'?"])
    }

    @Test func `in the wrong block is reported with the correct one`() throws {
        #expect(
            try Example.findings(adding: "max_in_flight: 3\n")
                == [
                    "20:1: error: unknown key 'max_in_flight'"
                        + " | 'max_in_flight' belongs under 'delivery'"
                ])
        #expect(
            try Example.findings(["  group": "  group: g\n  workers: 2"])
                == [
                    "4:3: error: unknown key 'workers' in source"
                        + " | 'workers' belongs at the top level"
                ])
    }

    @Test func `that resembles no other is reported with all known keys`() throws {
        #expect(
            try Example.findings(adding: "delivery: {retry: {zzzzzzzz: 1}}")
                == [
                    "20:20: error: unknown key 'zzzzzzzz' in delivery.retry"
                        + " | valid keys: first, factor, longest, max_attempts, give_up_after"
                ])
    }

    @Test(arguments: [
        ("  group", "1:1: error: 'group' is missing in source | write group: apns-orders"),
        ("  key:", "6:1: error: 'key' is missing in apns | write key: \"${file:AuthKey.p8}\""),
        ("  key_id", "6:1: error: 'key_id' is missing in apns | write key_id: ABC123DEFG"),
        (
            "  outcomes",
            "16:1: error: 'outcomes' is missing in results | write outcomes: apns.outcomes"
        ),
        (
            "  bootstrap",
            "4:1: error: 'bootstrap.servers' is missing in kafka"
                + " | write bootstrap.servers: \"localhost:9092\""
        ),
        (
            "  environment",
            "8:3: error: 'environment' is missing in apns"
                + " | write environment: production, or development for apps that Xcode installed"
        ),
    ])
    func `is named if it is missing`(line: String, finding: String) throws {
        let other = line == "  bootstrap" ? "  client.id: x" : ""
        #expect(try Example.findings([line: other]) == [finding])
    }

    @Test func `is named if its whole block is missing`() throws {
        let result = ConnectorFile.load(
            bytes: Array("workers: 1".utf8), path: "a.yaml", environment: [:])
        #expect(
            result.diagnostics.map(\.description) == [
                """
                a.yaml:1:1: error: 'source' is missing
                  write source: with topics, group
                """,
                """
                a.yaml:1:1: error: 'kafka' is missing
                  write kafka: {bootstrap.servers: "localhost:9092"}
                """,
                """
                a.yaml:1:1: error: 'apns' is missing
                  write apns: with key, key_id, team_id, bundle_id
                """,
                """
                a.yaml:1:1: error: 'results' is missing
                  write results: with outcomes, unregistered, dead_letter
                """,
            ])
    }

    @Test func `of the guard is reported with its block`() throws {
        #expect(
            try Example.findings(adding: "delivery: {guard: {share: 0.5}}")
                == [
                    "20:12: error: unknown key 'guard' in delivery"
                        + " | 'guard' belongs at the top level"
                ])
    }

    @Test(arguments: [("max_parked", "max_waiting"), ("max_parked_bytes", "max_waiting_bytes")])
    func `that was renamed is rejected with its new name`(old: String, new: String) throws {
        #expect(
            try Example.findings(adding: "delivery: {\(old): 20}")
                == ["20:12: error: '\(old)' has been renamed to '\(new)' | write \(new)"])
    }

    @Test(arguments: [
        (
            "  retry: shop.orders",
            "20:10: error: 'retry' is a topic that 'source' reads: an endless loop"
                + " | write results to a topic that is not a source"
        ),
        (
            "  retry: apns.outcomes",
            "20:10: error: 'retry' has the same topic as 'outcomes'"
                + " | use separate topics: they need different keys and retention"
        ),
        (
            "  retry: apns.retry\ndelivery: {ordering: device}",
            "20:10: error: 'retry' cannot be used with 'ordering: device': later pushes would"
                + " overtake those that wait there"
                + " | remove it to keep waiting pushes in memory, or write ordering: none"
        ),
    ])
    func `of the retry topic is rejected if it cannot work`(line: String, finding: String) throws {
        #expect(try Example.findings(adding: line) == [finding])
    }
}
