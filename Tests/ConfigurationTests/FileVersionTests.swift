import Configuration
import Foundation
import Testing

@Suite struct `The version of a file` {
    @Test(arguments: [("2", "2"), ("\"3\"", "3"), ("17", "17")])
    func `is the only error if it is newer, and names the release that reads it`(
        written: String, version: String
    ) throws {
        let findings = try Example.findings(
            ["source:": "version: \(written)\nsources:"], adding: "unknown: 1\n")
        #expect(
            findings == [
                "1:10: error: 'version: \(version)' is newer than this release reads, which is 1"
                    + " | use apns-bridge \(version).x, or write version: 1 and only keys of"
                    + " apns-bridge 1.x"
            ])
    }

    @Test(arguments: ["2.0", "2.0.0", "\"2.1.3\""])
    func `is newer also if it is written as that of a release`(written: String) throws {
        let version = written.replacing("\"", with: "")
        let findings = try Example.findings(adding: "version: \(written)\nunknown: 1\n")
        #expect(findings.count == 1)
        let message = "error: 'version: \(version)' is newer than this release reads, which is 1"
        #expect(findings.first?.contains(message) == true, "\(findings)")
        #expect(findings.first?.contains(" | use apns-bridge 2.x, or") == true, "\(findings)")
    }

    @Test func `is written once`() throws {
        let findings = try Example.findings(adding: "version: 1\nversion: 2\n")
        #expect(findings.contains { $0.contains("error: duplicate key 'version'") }, "\(findings)")
    }

    @Test(arguments: ["0", "-1", "null", "1.5", "1.0", "one", "\"\"", "99999999999999999999"])
    func `is an error with what to write if no release has it`(version: String) throws {
        let findings = try Example.findings(adding: "version: \(version)\n")
        #expect(findings.count == 1)
        #expect(findings.first?.contains(": error: 'version' must be 1") == true, "\(findings)")
        #expect(findings.first?.hasSuffix(" | write version: 1") == true, "\(findings)")
    }

    @Test func `may be left out, and says nothing if it is this release's`() throws {
        #expect(try Example.findings() == [])
        #expect(try Example.findings(adding: "version: 1\n") == [])
    }

    @Test func `does not change the digest of a connector, which would restart it`() throws {
        let digests = try ["", "version: 1\n"].map {
            try Example.load(adding: $0).connector?.settingsDigest
        }
        #expect(digests[0] == digests[1] && digests[0] != nil)
    }

    @Test(arguments: ["bridge.yaml", "a.legacy-gateway.yaml", "a.feedback-service.yaml"])
    func `is checked in each kind of file`(name: String) throws {
        let folder = try LegacyFolder()
        let path = try folder.write(name, "version: 2\nunknown: 1\n")
        let found = ConnectorFile.load(path: path, environment: [:], mode: .lint).diagnostics
        #expect(found.count == 1)
        #expect(found.first?.remedy?.hasPrefix("use apns-bridge 2.x") == true)
    }

    @Test func `of bridge.yaml is no error of the connectors beside it`() throws {
        let folder = try LegacyFolder()
        _ = try folder.write("bridge.yaml", "version: 2\nschema_registry: {urls: [x]}\n")
        let text = Example.text.replacing("  group", with: "  format: avro\n  group")
        let path = try folder.write("orders.yaml", text)
        let loaded = ConnectorFile.load(path: path, environment: try Example.environment())
        #expect(!loaded.diagnostics.contains { $0.message.contains("version") })
    }
}
