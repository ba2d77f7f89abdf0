import Configuration
import Testing

@Suite struct `A value of a connector file` {
    @Test(arguments: [
        (
            "workers: [1]",
            "20:10: error: 'workers' must be a whole number, 1 to 64, not a list | write workers: 2"
        ),
        (
            "workers: 0",
            "20:10: error: 'workers' must be a whole number, 1 to 64, not '0' | write workers: 2"
        ),
        (
            "workers: 65",
            "20:10: error: 'workers' must be a whole number, 1 to 64, not '65' | write workers: 2"
        ),
        (
            "workers: 012",
            "20:10: error: 'workers' must be a whole number, 1 to 64, not '012' | write workers: 2"
        ),
        (
            "workers:",
            "20:9: error: 'workers' must be a whole number, 1 to 64, but has no value"
                + " | write workers: 2"
        ),
        (
            "  filtered: yes",
            "20:13: error: 'filtered' must be a boolean, not 'yes' | write true"
        ),
        (
            "  filtered: 1",
            "20:13: error: 'filtered' must be a boolean, not '1' | write filtered: true"
        ),
        ("delivery: 3", "20:11: error: 'delivery' must be a map, not '3'"),
        (
            "shutdown_deadline: 25",
            "20:20: error: 'shutdown_deadline' must be a duration, 100ms to 1h, not '25'"
                + " | add a unit: 25ms, 25s or 25m"
        ),
        (
            "shutdown_deadline: 0s",
            "20:20: error: 'shutdown_deadline' must be a duration, 100ms to 1h, not '0s'"
                + " | write shutdown_deadline: 25s"
        ),
        (
            "guard: {share: 20}",
            "20:16: error: 'share' must be a number, 0.01 to 1.0, not '20' | write share: 0.2"
        ),
        (
            "guard: {minimum: 0}",
            "20:18: error: 'minimum' must be a whole number, 1 to 1000000, not '0'"
                + " | write minimum: 200"
        ),
        (
            "guard: {window: 60}",
            "20:17: error: 'window' must be a duration, 1s to 1h, not '60'"
                + " | add a unit: 60ms, 60s or 60m"
        ),
        (
            "delivery: {rate: {per_app: 2000}}",
            "20:28: error: 'per_app' must be a rate, 1/h to 1000000/s, not '2000'"
                + " | add a unit: 2000/s or 2000/m"
        ),
        (
            "delivery: {rate: {per_device: 0/s}}",
            "20:31: error: 'per_device' must be a rate, 1/h to 1000000/s, not '0/s'"
                + " | write per_device: 5/s"
        ),
        (
            "delivery: {rate: {per_device: 5/s, of: group}}",
            "20:36: error: 'of' is only valid with 'per_app'"
                + " | write rate: {per_app: 300/s, of: group}, or remove it"
        ),
        (
            "delivery: {rate: {per_app: 5/s, of: pod}}",
            "20:37: error: 'of' must be worker or group, not 'pod' | write of: group"
        ),
        (
            "delivery: {rate: {per_device: 5/day}}",
            "20:31: error: 'per_device' must be a rate, 1/h to 1000000/s, not '5/day'"
                + " | write per_device: 5/s"
        ),
        (
            "delivery: {max_in_flight: 0}",
            "20:27: error: 'max_in_flight' must be a whole number, 1 to 1000000, not '0'"
                + " | write max_in_flight: 4000"
        ),
        (
            "delivery: {max_in_flight_bytes: 1KB}",
            "20:33: error: 'max_in_flight_bytes' must be a size, 1MiB to 64GiB, not '1KB'"
                + " | write max_in_flight_bytes: 64MiB"
        ),
        (
            "delivery: {max_waiting: 0}",
            "20:25: error: 'max_waiting' must be a whole number, 1 to 1000000, not '0'"
                + " | write max_waiting: 10000"
        ),
        (
            "delivery: {max_waiting_bytes: 1KB}",
            "20:31: error: 'max_waiting_bytes' must be a size, 1MiB to 64GiB, not '1KB'"
                + " | write max_waiting_bytes: 64MiB"
        ),
        (
            "delivery: {in_doubt: ignore}",
            "20:22: error: 'in_doubt' must be collapse or resend or report, not 'ignore'"
                + " | write in_doubt: collapse"
        ),
        (
            "delivery: {ordering: devise}",
            "20:22: error: 'ordering' must be none or device or key or collapse or partition,"
                + " not 'devise' | did you mean 'device'?"
        ),
        (
            "delivery: {retry: {factor: 0.5}}",
            "20:28: error: 'factor' must be a number, 1.0 to 10.0, not '0.5' | write factor: 2"
        ),
        (
            "delivery: {retry: {first: 10m}}",
            "20:27: error: 'longest' is shorter than 'first' | write at least 10m for 'longest'"
        ),
    ])
    func `is rejected if it has the wrong type or is out of range`(
        line: String, finding: String
    ) throws {
        #expect(try Example.findings(adding: line) == [finding])
    }

    @Test(arguments: [
        ("  topics", "  topics: []", "2:11: error: 'topics' is empty | write [shop.orders]"),
        (
            "  topics", "  topics: shop.orders",
            "2:11: error: 'topics' must be a list of strings, not 'shop.orders'"
                + " | write [shop.orders]"
        ),
        (
            "  topics", "  topics: [a, a]",
            "2:15: error: the topic is listed twice | remove one"
        ),
        (
            "  group", "  group: g\n  format: xml",
            "4:11: error: 'format' must be json or cloudevents or avro or protobuf, not 'xml'"
                + " | write format: avro"
        ),
        (
            "  environment", "  environment: staging",
            "7:16: error: 'environment' must be production or development or sandbox, not 'staging'"
                + " | write environment: production"
        ),
        (
            "  key_id", "  key_id: abc",
            "9:11: error: 'key_id' must be 10 digits and capital letters, but has 3 characters"
                + " | it is part of the file name: AuthKey_ABC123DEFG.p8"
        ),
        (
            "  team_id", "  team_id: DEF123GHI-",
            "10:12: error: 'team_id' must be 10 digits and capital letters, but contains other"
                + " characters"
                + " | find it on developer.apple.com under Membership"
        ),
        (
            "  bundle_id", "  bundle_id: com.example.shop.voip",
            "11:14: warning: 'bundle_id' ends in '.voip', which push_type: voip appends once more"
                + " | write bundle_id: com.example.shop, unless the app's own identifier is this"
                + " one"
        ),
        (
            "  bundle_id", "  bundle_id: com example",
            "11:14: error: 'bundle_id' is not a valid bundle identifier"
                + " | write letters, digits, '-' and '.' only: com.example.shop"
        ),
        (
            "  dead_letter", "  dead_letter: shop.orders",
            "19:16: error: 'dead_letter' is a topic that 'source' reads: an endless loop"
                + " | write results to a topic that is not a source"
        ),
        (
            "  outcomes", "  outcomes: shop.orders",
            "17:13: error: 'outcomes' is a topic that 'source' reads: an endless loop"
                + " | write results to a topic that is not a source"
        ),
        (
            "  unregistered", "  unregistered: apns.outcomes",
            "18:17: error: 'unregistered' has the same topic as 'outcomes'"
                + " | use separate topics: they need different keys and retention"
        ),
        (
            "  bootstrap", "  bootstrap.servers: [a, b]",
            "5:22: error: the property 'bootstrap.servers' must be a string, a number or a boolean"
                + " | write one string with commas"
        ),
    ])
    func `is rejected if it has no meaning`(old: String, new: String, finding: String) throws {
        #expect(try Example.findings([old: new]) == [finding])
    }

    @Test(arguments: [
        ("localhost:2197", "'endpoint' has no scheme | start it with https://"),
        (
            "http://localhost",
            "'endpoint' must start with https://"
                + " | APNs requires TLS; the simulator provides its own ca_file"
        ),
        (
            "https://localhost/3/device",
            "'endpoint' must be only a host and a port"
                + " | write https://host:port without user, path or query"
        ),
        (
            "https://user@localhost",
            "'endpoint' must be only a host and a port"
                + " | write https://host:port without user, path or query"
        ),
        (
            "https://localhost:0", "'endpoint' has an invalid port | write a port from 1 to 65535"
        ),
        (
            "https://localhost:65536",
            "'endpoint' has an invalid port | write a port from 1 to 65535"
        ),
        ("https://:443", "'endpoint' has no host | write https://host:port"),
        (
            "https://::1",
            "'endpoint' has more than one ':' in its host"
                + " | write an IPv6 address in brackets: https://[::1]:2197"
        ),
        (
            "https://höst",
            "'endpoint' has an invalid host name | write letters, digits, '-' and '.' only"
        ),
    ])
    func `for the endpoint must be https, a host and a port`(text: String, finding: String) throws {
        #expect(
            try Example.findings(["  environment": "  endpoint: \"\(text)\""])
                == ["7:13: error: \(finding)"])
    }

    @Test func `is reported along with all other mistakes, in the order of the file`() throws {
        let findings = try Example.findings(
            ["  topics": "  topics: []", "  key_id": "  key_id: x", "  team_id": ""],
            adding: "workers: 0\nwrokers: 1\n")
        let locations = findings.map { $0.prefix { $0 != " " } }
        #expect(locations == ["2:11:", "6:1:", "9:11:", "20:10:", "21:1:"])
    }

    @Test(arguments: ["no", "012", "1E10", "true", "~x", "1.10"])
    func `is the string as written where a string is expected`(text: String) throws {
        let connector = try Example.load(["  group": "  group: \(text)"]).connector
        #expect(connector?.source.group == text)
    }

    @Test func `may look like a number where an identifier is expected`() throws {
        let connector = try Example.load(["  key_id": "  key_id: 1E10000000"]).connector
        #expect(connector?.apns.apps.first?.credential.name.hasSuffix("/1E10000000") == true)
    }
}
