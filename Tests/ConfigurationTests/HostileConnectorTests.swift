import Configuration
import Delivery
import Foundation
import Glibc
import Mapping
import TLS
import Testing

/// Connector files of a pull request in somebody's CI.
@Suite struct `A hostile connector file` {
    private static let canary = "Canary-7f3a9c"

    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private func permit(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func load(
        _ text: String, _ folder: String, mode: ConnectorFile.Mode = .lint
    ) throws -> (connector: Connector?, diagnostics: [Diagnostic]) {
        let environment = try Example.environment([
            "CANARY": Self.canary, "SHORT": "x7q",
            "LINES": "first-\(Self.canary)\nsecond-\(Self.canary)",
        ])
        return ConnectorFile.load(
            bytes: Array(text.utf8), path: folder + "/orders.yaml", environment: environment,
            mode: mode)
    }

    /// What all forms of output say.
    private func shown(_ diagnostics: [Diagnostic]) -> String {
        diagnostics.map { $0.description + $0.gitHubCommand + $0.text(inColour: true) }
            .joined(separator: "\n")
    }

    /// Every line of the example with its value replaced by a reference, and fields beside.
    private static let locations: [(String, String)] = [
        ("  topics: [shop.orders]", "  topics: [\"%\"]"),
        ("  group: apns-orders", "  group: \"%\""),
        ("  bootstrap.servers: localhost:9092", "  bootstrap.servers: \"%,%:x\""),
        ("  environment: production", "  environment: \"%\""),
        ("  key: \"${env:KEY}\"", "  key: \"%\""), ("  key_id: ABC123DEFG", "  key_id: \"%\""),
        ("  team_id: DEF123GHIJ", "  team_id: \"%\""),
        ("  bundle_id: com.example.shop", "  bundle_id: \"_%\""),
        ("  bundle_id: com.example.shop", "  bundle_id: com.example.shop\n  proxy: \"%\""),
        ("  bundle_id: com.example.shop", "  bundle_id: com.example.shop\n  endpoint: \"%\""),
        ("  bundle_id: com.example.shop", "  bundle_id: com.example.shop\n  port: \"%\""),
        (
            "  bundle_id: com.example.shop",
            "  bundle_id: com.example.shop\n  allowed_bundle_ids: [\"%/\"]"
        ),
        ("  ttl: 4h", "  ttl: \"%\""), ("  ttl: 4h", "  expiration: \"%\""),
        ("  ttl: 4h", "  ttl: 4h\n  priority: \"%\""),
        ("  ttl: 4h", "  ttl: 4h\n  push_type: \"%\""),
        ("  ttl: 4h", "  ttl: 4h\n  collapse_id: \"é%\""),
        ("  ttl: 4h", "  ttl: 4h\n  apns_id: \"%\""),
        ("  ttl: 4h", "  ttl: 4h\n  event_time: \"%\""),
        ("  ttl: 4h", "  ttl: 4h\n  bundle_id: \"_%\""),
        ("  ttl: 4h", "  ttl: 4h\n  policy: {payload_too_large: \"%\"}"),
        ("  device_token: ${token}", "  device_token: \"%\""),
        ("  payload: {aps: {badge: 1}}", "  payload: {aps: {badge: \"%\"}}"),
        ("  payload: {aps: {badge: 1}}", "  payload: {aps: {interruption-level: \"%\"}}"),
        ("  payload: {aps: {badge: 1}}", "  payload: {aps: {alert: \"${a | % }\"}}"),
        ("  outcomes: apns.outcomes", "  outcomes: \"%/\""),
        (
            "  outcomes: apns.outcomes",
            "  outcomes: apns.outcomes\n  labels: {a: \"\(String(repeating: "y", count: 60))%\"}"
        ),
        ("  outcomes: apns.outcomes", "  outcomes: apns.outcomes\n  cloudevents: \"%\""),
        (
            "results:",
            "when: {type: [{numeric: [\"%\", 1]}], b: \"%\", c: [{wildcard: \"**%\"}]}\nresults:"
        ),
        ("results:", "workers: \"%\"\nresults:"),
        (
            "results:",
            "delivery: {max_in_flight: \"%\", retry: {first: \"%\"},"
                + " rate: {per_app: \"%\"}}\nresults:"
        ),
    ]

    @Test func `reveals nothing that its references resolve to`() throws {
        try inFolder { folder in
            try Self.canary.write(
                toFile: folder + "/canary.txt", atomically: true, encoding: .utf8)
            for (line, changed) in Self.locations {
                for reference in ["${env:CANARY}", "${file:canary.txt}", "${env:LINES}"] {
                    #expect(Example.text.contains(line), "\(line)")
                    let text = Example.text.replacing(
                        line,
                        with: changed.replacing("%", with: reference.replacing("\"", with: "'")))
                    for mode: ConnectorFile.Mode in [.lint, .run, .inspect, .runWithoutKafka] {
                        let found = try load(text, folder, mode: mode).diagnostics
                        #expect(!shown(found).contains(Self.canary), "\(changed) \(reference)")
                    }
                }
            }
        }
    }

    /// Properties whose values librdkafka splits, and quotes parts of.
    @Test(arguments: [
        "ssl.providers", "debug", "security.protocol", "sasl.oauthbearer.config",
        "sasl.kerberos.kinit.cmd", "compression.codec", "partition.assignment.strategy",
        "client.dns.lookup", "isolation.level", "builtin.features", "sasl.oauthbearer.extensions",
        "ssl.cipher.suites", "ssl.curves.list", "ssl.sigalgs.list", "ssl.key.pem", "ssl.ca.pem",
        "ssl.keystore.location", "ssl.ca.location", "queue.buffering.max.ms", "group.instance.id",
        "bootstrap.servers", "client.rack", "sasl.mechanism", "sasl.username", "sasl.password",
        "broker.address.family", "nosuch.property", "statistics.interval.ms",
    ])
    func `reveals no part of a value that librdkafka quotes`(_ name: String) throws {
        for value in [
            "one,\(Self.canary)", "\(Self.canary) one", "all,\(Self.canary),consumer",
            "x=1 \(Self.canary)=2", "principal=a \(Self.canary)", "%{\(Self.canary)} x",
            "\(Self.canary)", "/nowhere/\(Self.canary)/ca.pem",
        ] {
            let line = "  bootstrap.servers: localhost:9092"
            for more in [
                "", "\n  security.protocol: SASL_SSL\n  sasl.mechanisms: OAUTHBEARER\n"
                    + "  enable.sasl.oauthbearer.unsecure.jwt: \"true\"",
                "\n  security.protocol: SASL_SSL\n  sasl.mechanisms: GSSAPI",
            ] where !more.contains(name) {
                let text = Example.text.replacing(
                    line,
                    with: (name == "bootstrap.servers" ? "" : line + "\n")
                        + "  \(name): \"${env:VALUE}\"" + more)
                for mode: ConnectorFile.Mode in [.lint, .run] {
                    let found = ConnectorFile.load(
                        bytes: Array(text.utf8), path: "nowhere/orders.yaml",
                        environment: try Example.environment(["VALUE": value]), mode: mode)
                    let shown = shown(found.diagnostics)
                    #expect(!shown.contains("Canary") && !shown.contains("7f3a9c"), "\(shown)")
                }
            }
        }
    }

    @Test func `shows the parts that are written in it`() throws {
        for (line, quoted) in [
            ("debug: broker,nonsense", "nonsense"), ("ssl.providers: default,nonsense", "nonsense"),
        ] {
            let text = Example.text.replacing(
                "  bootstrap.servers: localhost:9092",
                with: "  bootstrap.servers: localhost:9092\n  \(line)")
            #expect(try shown(load(text, "nowhere").diagnostics).contains(quoted))
        }
    }

    @Test func `quotes what is written instead`() throws {
        let text = Example.text.replacing("  ttl: 4h", with: "  ttl: \"${env:CANARY}\"")
        let found = try load(text, "nowhere").diagnostics
        let message = "'ttl' must be a positive duration, not "
        #expect(found.first?.message == message + "'${env:CANARY}'")
        let short = Example.text.replacing("  ttl: 4h", with: "  ttl: \"${env:SHORT}\"")
        #expect(
            try load(short, "nowhere").diagnostics.first?.message == message + "'${env:SHORT}'")
    }

    @Test func `shows references as such where they stand in what is inspected`() throws {
        let text = Example.text.replacing(
            "  payload: {aps: {badge: 1}}",
            with: "  collapse_id: \"${env:CANARY}\"\n"
                + "  payload: {aps: {alert: \"a ${env:CANARY} ${env:NONE ?? 'b'}\"}}")
        let connector = try #require(try load(text, "nowhere", mode: .inspect).connector)
        var mapper = Mapper(plan: connector.plan)
        var result = MappedRecord()
        let record = Record.owning(
            assignment: AssignmentID(1),
            topicPartition: TopicPartition(topic: "shop.orders", partition: 0), offset: 0,
            value: Array(#"{"token":"ab"}"#.utf8))
        mapper.map(record, now: 0, into: &result)
        let payload = String(decoding: result.notifications[0].payload, as: UTF8.self)
        #expect(payload == #"{"aps":{"alert":"a ${env:CANARY} b"}}"#)
        #expect(
            String(decoding: result.notifications[0].collapseID, as: UTF8.self) == "${env:CANARY}")
    }

    @Test func `does not send files of other folders to devices`() throws {
        try inFolder { folder in
            try FileManager.default.createDirectory(
                atPath: folder + "/connectors", withIntermediateDirectories: true)
            try "secret-text".write(
                toFile: folder + "/outside.txt", atomically: true, encoding: .utf8)
            try "text".write(
                toFile: folder + "/connectors/inside.txt", atomically: true, encoding: .utf8)
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/connectors/link.txt",
                withDestinationPath: folder + "/outside.txt")
            for (path, isRefused) in [
                ("../outside.txt", true), ("link.txt", true), ("/etc/hostname", true),
                (folder + "/outside.txt", true), ("../none.txt", true), ("inside.txt", false),
                ("./inside.txt", false), (folder + "/connectors/inside.txt", false),
            ] {
                let text = Example.text.replacing(
                    "{badge: 1}", with: "{alert: \"${file:\(path)}\"}")
                let found = try load(text, folder + "/connectors").diagnostics
                let isReported = found.contains {
                    $0.severity == .error
                        && $0.message.hasSuffix("outside of the folder of this file")
                }
                #expect(isReported == isRefused, "\(path)")
                #expect(!shown(found).contains("secret-text"))
            }
            // Credentials may lie anywhere.
            let key = String(decoding: try SigningKey.generate().privateKeyPEM, as: UTF8.self)
            try key.write(toFile: folder + "/AuthKey.p8", atomically: true, encoding: .utf8)
            try permit(0o600, folder + "/AuthKey.p8")
            let text = Example.text.replacing("${env:KEY}", with: "${file:../AuthKey.p8}")
            #expect(try load(text, folder + "/connectors").diagnostics == [])
            try permit(0o644, folder + "/AuthKey.p8")
            #expect(
                try load(text, folder + "/connectors").diagnostics.map(\.message)
                    == ["other users can read the file of 'key'"])
            try permit(0o602, folder + "/AuthKey.p8")
            #expect(
                try load(text, folder + "/connectors").diagnostics.map(\.message)
                    == ["other users can write the file of 'key'"])
        }
    }

    @Test func `is warned of every file with a secret that others may read or write`() throws {
        try inFolder { folder in
            try "0123456789abcdef".write(
                toFile: folder + "/secret.txt", atomically: true, encoding: .utf8)
            let key = String(decoding: try SigningKey.generate().privateKeyPEM, as: UTF8.self)
            try key.write(toFile: folder + "/AuthKey.p8", atomically: true, encoding: .utf8)
            try permit(0o600, folder + "/AuthKey.p8")
            for (line, more, name) in [
                ("outcomes: apns.outcomes", "seal: [\"${file:secret.txt}\"]", "seal"),
                (
                    "bootstrap.servers: localhost:9092", "sasl.password: \"${file:secret.txt}\"",
                    "sasl.password"
                ),
                (
                    "bootstrap.servers: localhost:9092",
                    "ssl.key.password: \"${file:./secret.txt}\"", "ssl.key.password"
                ),
                (
                    "bundle_id: com.example.shop",
                    "proxy: \"http://u:${file:secret.txt}@localhost:3128\"", "proxy"
                ),
            ] {
                let text = Example.text.replacing("  \(line)", with: "  \(line)\n  \(more)")
                    .replacing("${env:KEY}", with: "${file:AuthKey.p8}")
                for (mode, verb) in [(0o604, "read"), (0o602, "write"), (0o600, nil)] {
                    try permit(mode, folder + "/secret.txt")
                    let message = verb.map { "other users can \($0) the file of '\(name)'" }
                    let found = try load(text, folder).diagnostics
                    #expect(found.map(\.message) == (message.map { [$0] } ?? []), "\(more) \(mode)")
                    #expect(!shown(found).contains("0123456789abcdef"))
                    // A running bridge need not repeat it.
                    #expect(try load(text, folder, mode: .run).diagnostics == [])
                }
            }
        }
    }

    @Test func `has findings without control characters`() throws {
        let text = Example.text.replacing("  ttl: 4h", with: "  \"tt\\eX\\n::error::z\": 4h")
        let found = try load(text, "nowhere").diagnostics
        #expect(!found.isEmpty)
        for finding in found {
            let text = finding.description + finding.gitHubCommand
            #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
            #expect(!finding.description.contains("\n::"))
        }
    }

    private static func many(_ count: Int, _ line: (Int) -> String, _ separator: String = "")
        -> String
    {
        (0..<count).map(line).joined(separator: separator)
    }

    private static let notification = "notification:\n  device_token: ${a}\n  ttl: 4h\n  payload: "

    /// Hostile files, each of a size.
    private static let hostile: [@Sendable (Int) -> String] = [
        { size in "x: {" + many(60 * size, { "k\($0): 1" }, ", ") + "}\n" },
        { size in many(100 * size, { "k\($0): 1\n" }) },
        { size in many(200 * size, { _ in "a: 1\n" }) },
        { size in
            let holes = many(200 * size, { _ in "${a}" })
            return notification + "{aps: {alert: \"" + holes + "\"}}\n"
        },
        { size in
            let replaces = many(40 * size, { _ in " | replace('a', 'b')" })
            return notification + "{aps: {alert: \"${a" + replaces + "}\"}}\n"
        },
        { size in notification + "\n    aps:\n" + many(60 * size, { "      k\($0): 1\n" }) },
        { size in "source:\n  topics: [" + many(100 * size, { "t\($0)" }, ", ") + "]\n" },
        { size in "kafka:\n" + many(60 * size, { "  k\($0): 1\n" }) },
        { size in "apns:\n  key: \"" + many(60 * size, { _ in "${file:/none}" }) + "\"\n" },
        { size in
            let files = many(50 * size, { "${file:f\($0)}" })
            return notification + "{aps: {alert: \"" + files + "\"}}\n"
        },
    ]

    /// The processor time that a thread takes for a file of a size.
    private func time(toLoad number: Int, size: Int) throws -> Duration {
        let text = Self.hostile[number](size)
        var (start, end) = (timespec(), timespec())
        _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
        let found = try load(text, "nowhere").diagnostics
        _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
        #expect(!found.isEmpty && found.count <= 100, "\(found.count)")
        #expect(found.contains { $0.severity == .error })
        return .seconds(end.tv_sec - start.tv_sec) + .nanoseconds(end.tv_nsec - start.tv_nsec)
    }

    @Test(arguments: hostile.indices)
    func `is checked in a time that its size explains, with at most a hundred findings`(
        _ number: Int
    ) throws {
        // A quarter of a megabyte, and a megabyte: were the time quadratic, it would be 16 times.
        let quarter = try time(toLoad: number, size: 250)
        let whole = try time(toLoad: number, size: 1000)
        #expect(whole < max(quarter * 8, .seconds(1)), "\(number): \(quarter), \(whole)")
    }

    @Test func `is warned of an insecure connection to Kafka`() throws {
        for (properties, message) in [
            ("enable.ssl.certificate.verification: \"false\"", "without verification anyone"),
            ("ssl.endpoint.identification.algorithm: none", "any host with a certificate"),
            (
                "sasl.mechanisms: PLAIN\n  sasl.username: u\n  sasl.password: p\n"
                    + "  security.protocol: SASL_PLAINTEXT", "PLAIN without TLS"
            ),
        ] {
            let text = Example.text.replacing(
                "  bootstrap.servers: localhost:9092",
                with: "  bootstrap.servers: localhost:9092\n  " + properties)
            let found = try load(text, "nowhere").diagnostics
            #expect(found.map(\.severity) == [.warning])
            #expect(found[0].message.hasPrefix(message), "\(found)")
        }
        let secure = Example.text.replacing(
            "  bootstrap.servers: localhost:9092",
            with: "  bootstrap.servers: localhost:9092\n  sasl.mechanisms: PLAIN\n"
                + "  sasl.username: u\n  sasl.password: p\n  security.protocol: SASL_SSL")
        #expect(try load(secure, "nowhere").diagnostics == [])
    }

    @Test func `does not make librdkafka open a pipe, a device or a file of the kernel`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let pipe = folder + "/pipe"
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        for (name, path) in [
            ("ssl.ca.location", "/dev/zero"), ("ssl.key.location", "/dev/null"),
            ("ssl.ca.location", pipe), ("ssl.certificate.location", pipe),
            ("ssl.key.location", pipe), ("ssl.crl.location", pipe),
            ("ssl.ca.location", "/proc/kmsg"), ("ssl.key.location", "/proc/self/environ"),
        ] {
            let text = Example.text.replacing(
                "  bootstrap.servers: localhost:9092",
                with: "  bootstrap.servers: localhost:9092\n  security.protocol: SSL\n"
                    + "  \(name): \(path)")
            let found = try load(text, "nowhere").diagnostics
            #expect(
                found.contains { $0.message == "cannot read '\(name)': it is not a regular file" })
        }
    }
}
