import Foundation
import TLS
import Testing

/// A connector file of somebody else's pull request names what it has no business to read.
@Suite final class `No output of a verb` {
    private static let canary = #"Canary-7f3a9c "quoted" \ text"#
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try write(Self.canary, to: "canary.txt")
        try write(
            String(decoding: try SigningKey.generate().privateKeyPEM, as: UTF8.self),
            to: "AuthKey.p8")
        try write(#"{"token":"00fc13ad","kind":"a"}"#, to: "event.json")
        try write(
            """
            tests:
              - name: is sent
                event: {token: 00fc13ad, kind: a}
                expect: {requests: []}
            """, to: "orders.test.yaml")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    /// Names, texts and settings: where a file can be right, it is.
    private static let connectors = [
        ("payload: {aps: {badge: 1}}", "payload: {aps: {alert: \"a %\"}, own: [\"%\"]}"),
        ("ttl: 4h", "ttl: \"%\""), ("ttl: 4h", "ttl: 4h\n  collapse_id: \"%\""),
        ("device_token: ${token}", "device_token: \"%\""),
        ("topics: [shop.orders]", "topics: [\"%\"]"), ("group: apns-orders", "group: \"%\""),
        ("\"localhost:1\"", "\"localhost:1\"\n  client.id: \"%\""),
        ("\"localhost:1\"", "\"%:1\""), ("key_id: ABC123DEFG", "key_id: \"%\""),
        ("${file:AuthKey.p8}", "%"), ("outcomes: apns.outcomes", "outcomes: \"%\""),
        ("outcomes: apns.outcomes", "outcomes: apns.outcomes\n  labels: {a: \"%\"}"),
        ("results:", "when: {kind: [\"%\"]}\nresults:"), ("results:", "workers: \"%\"\nresults:"),
    ]

    private static func connector(_ location: (String, String), _ reference: String) -> String {
        """
        source:
          topics: [shop.orders]
          group: apns-orders
        kafka:
          bootstrap.servers: "localhost:1"
        apns:
          environment: production
          endpoint: https://localhost:1
          key: ${file:AuthKey.p8}
          key_id: ABC123DEFG
          team_id: DEF123GHIJ
          bundle_id: com.example.shop
        notification:
          device_token: ${token}
          ttl: 4h
          payload: {aps: {badge: 1}}
        results:
          outcomes: apns.outcomes
          unregistered: apns.unregistered
          dead_letter: apns.dead-letter
        """.replacing(location.0, with: location.1.replacing("%", with: reference))
    }

    private func run(_ arguments: String...) throws -> String {
        let ending = try Program.run(
            "/usr/bin/env", ["CANARY=\(Self.canary)", Program.path] + arguments, in: folder)
        return ending.output + ending.errors
    }

    private func check(_ text: String, _ what: String) {
        for part in ["Canary-7f3a9c", "quoted"] {
            #expect(!text.contains(part), "\(what): \(text)")
        }
    }

    @Test(arguments: connectors.indices)
    func `contains what a reference resolves to`(_ number: Int) throws {
        for reference in ["${env:CANARY}", "${file:canary.txt}"] {
            try write(Self.connector(Self.connectors[number], reference), to: "orders.yaml")
            let report = folder.appending(path: "junit.xml")
            for verb in [
                ["lint"], ["lint", "--format", "json"], ["lint", "--format", "github"],
                ["test", "--junit", report.path], ["test", "--format", "json"], ["render"],
                ["render", "--format", "json"], ["send", "--dry-run"],
                ["send", "--dry-run", "--format", "json"],
            ] {
                let takesEvent = ["render", "send"].contains(verb[0])
                let ending = try Program.run(
                    "/usr/bin/env",
                    ["CANARY=\(Self.canary)", Program.path] + verb + ["orders.yaml"]
                        + (takesEvent ? ["event.json"] : []), in: folder)
                check(ending.output + ending.errors, verb.joined(separator: " "))
                #expect(!(ending.output + ending.errors).isEmpty)
            }
            check(try String(contentsOf: report, encoding: .utf8), "JUnit")
        }
    }

    @Test func `is without the reference where the value would stand`() throws {
        try write(Self.connector(Self.connectors[0], "${env:CANARY}"), to: "orders.yaml")
        #expect(try run("render", "orders.yaml", "event.json").contains("a ${env:CANARY}"))
        #expect(
            try run("send", "--dry-run", "orders.yaml", "event.json").contains("${env:CANARY}"))
    }

    @Test func `of doctor, send or a dry run contains one`() throws {
        try write(Self.connector(Self.connectors[7], "${env:CANARY}"), to: "orders.yaml")
        for verb in [
            ["doctor", "--format", "json"], ["run", "--dry-run"], ["send", "--token", "00fc13ad"],
        ] {
            let ending = try Program.run(
                "/usr/bin/timeout",
                ["-s", "KILL", "60", "/usr/bin/env", "CANARY=canary-7f3a9c.invalid", Program.path]
                    + verb + ["orders.yaml"], in: folder)
            let text = ending.output + ending.errors
            #expect(!text.contains("canary-7f3a9c"), "\(verb): \(text)")
        }
    }
}
