import Foundation
import Testing

@Suite final class `Lint` {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func write(_ text: String, to name: String = "orders.yaml") throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    private func lint(_ arguments: String...) throws -> Program.Ending {
        try Program.run(Program.path, ["lint"] + arguments, in: folder)
    }

    /// A connector whose key file is missing, with more text at the end of its notification.
    private func connector(_ more: String) -> String { ConnectorText.orders(more) }

    @Test func `writes findings to standard output and their count to standard error`() throws {
        try write(connector("  ttl: 4h\nworkers: 0"))
        let ending = try lint("orders.yaml")
        #expect(ending.code == 78)
        #expect(
            ending.output == """
                orders.yaml:5:8: warning: cannot read the file 'AuthKey.p8': no such file or \
                directory
                      key: ${file:AuthKey.p8}
                           ^~~~~~~~~~~~~~~~~~
                  paths are relative to the folder of this file: .

                orders.yaml:14:10: error: 'workers' must be a whole number, 1 to 64, not '0'
                    workers: 0
                             ^
                  write workers: 2

                """)
        #expect(ending.errors == "\n1 file, 1 error, 1 warning. Nothing was started.\n")
    }

    @Test func `exits with 0 despite warnings, and with 1 with --strict`() throws {
        try write(connector("  ttl: 4h"))
        #expect(try lint("orders.yaml").code == 0)
        #expect(try lint("--strict", "orders.yaml").code == 1)
        try write(connector("  ttl: 4h").replacing("${file:AuthKey.p8}", with: "x"))
        #expect(try lint("--strict", "orders.yaml").code == 78)
    }

    @Test func `warns of notifications without an expiration`() throws {
        try write(connector(""))
        let ending = try lint("orders.yaml")
        #expect(ending.code == 0)
        #expect(
            ending.output.hasSuffix(
                """
                orders.yaml:10:1: warning: without 'expiration' or 'ttl', a push may arrive up to \
                30 days late
                    notification:
                    ^~~~~~~~~~~~
                  write ttl: 4h, or expiration: 0 for a single attempt

                """))
    }

    @Test func `for programs is an array of findings, empty when there is none`() throws {
        try write(connector("  ttl: 4h\nworkers: 0"))
        let ending = try lint("--format", "json", "orders.yaml", "none.yaml")
        #expect(ending.code == 66)
        let parsed = try JSONSerialization.jsonObject(with: Data(ending.output.utf8))
        let findings = try #require(parsed as? [[String: Any]])
        #expect(findings.count == 3)
        #expect(findings[1]["file"] as? String == "orders.yaml")
        #expect(findings[1]["line"] as? Int == 14)
        #expect(findings[1]["column"] as? Int == 10)
        #expect(findings[1]["severity"] as? String == "error")
        #expect(findings[1]["remedy"] as? String == "write workers: 2")
        #expect(findings[2]["line"] is NSNull)
        try write(connector("  ttl: 4h\nworkers: 2").replacing("${file:AuthKey.p8}", with: key))
        #expect(try lint("--format", "json", "orders.yaml").output == "[]\n")
    }

    /// A key that was made for this test.
    private let key = """
        "-----BEGIN PRIVATE KEY-----\\n\
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgevZzL1gdAFr88hb2\\n\
        OF/2NxApJCzGCEDdfSp6VQO30hyhRANCAAQRWz+jn65BtOMvdyHKcvjBeBSDZH2r\\n\
        1RTwjmYSi9R/zpBnuQ4EiMnCqfMPWiZqB4QdbAd0E7oH50VpuZ1P087G\\n\
        -----END PRIVATE KEY-----\\n"
        """

    @Test func `for GitHub is an annotation of each line`() throws {
        try write(connector("  ttl: 4h\nwrokers: 2"), to: "a,b: 100%.yaml")
        let ending = try lint("--format", "github", "a,b: 100%.yaml")
        let last = ending.output.split(separator: "\n").last.map(String.init)
        #expect(
            last == "::error file=a%2Cb%3A 100%25.yaml,line=14,col=1"
                + "::unknown key 'wrokers'%0Adid you mean 'workers'?")
    }

    @Test func `uses no colour if its output is not a terminal`() throws {
        try write("workers: 0")
        #expect(!(try lint("orders.yaml").output.contains("\u{1B}")))
    }

    @Test func `uses colour on a terminal unless NO_COLOR is set`() throws {
        try write("workers: 0")
        let call = "'\(Program.path)' lint orders.yaml"
        for (setting, isColoured) in [("TERM=xterm", true), ("NO_COLOR=1 TERM=xterm", false)] {
            let ending = try Program.run(
                "/usr/bin/env",
                ["-u", "NO_COLOR", "script", "-qec", "\(setting) \(call)", "/dev/null"], in: folder)
            #expect(ending.output.contains("workers"))
            #expect(ending.output.contains("\u{1B}[1;31merror\u{1B}[0m") == isColoured)
        }
    }

    @Test func `reports which files of a folder are not read`() throws {
        try write(connector("  ttl: 4h"))
        try write("", to: "chat.yml")
        #expect(
            try lint(".").output.contains(
                """
                ./chat.yml: warning: this file is ignored
                  rename it: the names of connector files end in .yaml
                """))
    }

    @Test func `checks paths with the schemas of the events`() throws {
        try write(
            connector("  ttl: 4h").replacing("source: {", with: "source: {format: avro, ")
                + "\nschema_registry: {url: [\"http://localhost:8081\"]}\n")
        try write(
            #"{"type": "record", "name": "O", "fields": [{"name": "tokn", "type": "string"}]}"#,
            to: "order.avsc")
        let ending = try lint("--schema", "order.avsc", "orders.yaml")
        #expect(ending.code == 78 && ending.output.contains("did you mean 'tokn'?"), "\(ending)")
        let missing = try lint("--schema", "gone.avsc", "orders.yaml")
        #expect(missing.code == 66)
        #expect(
            missing.output.hasPrefix("gone.avsc: error: cannot be read: no such file or directory"))
    }

    @Test func `checks paths into keys with their schema`() throws {
        try write(
            connector("  ttl: 4h\n  collapse_id: ${@key.custmer}").replacing(
                "source: {", with: "source: {format: avro, key_format: avro, ")
                + "\nschema_registry: {url: [\"http://localhost:8081\"]}\n")
        try write(
            #"{"type": "record", "name": "K", "fields": [{"name": "customer", "type": "long"}]}"#,
            to: "key.avsc")
        let ending = try lint("--key-schema", "key.avsc", "orders.yaml")
        #expect(ending.code == 78, "\(ending)")
        #expect(
            ending.output.contains(
                "'${@key.custmer}': '@key' has no 'custmer' in the schema\n"),
            "\(ending)")
        #expect(ending.output.contains("did you mean 'customer'?"))
        #expect(try lint("--key-schema", "gone.avsc", "orders.yaml").code == 66)
    }
}
