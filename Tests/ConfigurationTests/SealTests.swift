import Delivery
import TLS
import Testing

@testable import Configuration

@Suite struct `The keys of seals` {
    private static let key = "0123456789abcdef"
    private static let next = "next-6789abcdef-next"

    private func load(
        _ lines: String, mode: ConnectorFile.Mode = .run, more: [String: String] = [:]
    ) throws -> (connector: Connector?, diagnostics: [Diagnostic]) {
        try Example.load(
            ["  dead_letter": "  dead_letter: apns.dead-letter\n\(lines)"],
            environment: Example.environment(["SEAL": Self.key + "\n", "NEXT": Self.next])
                .merging(more) { $1 }, mode: mode)
    }

    @Test func `are read in their order, without the end of a line`() throws {
        let found = try load(#"  seal: ["${env:SEAL}", "${env:NEXT}"]"#)
        #expect(found.diagnostics == [])
        let expected = SealKeys(keys: [Array(Self.key.utf8), Array(Self.next.utf8)])
        #expect(found.connector?.results.seal == expected)
        #expect("\(expected)" == "2 keys" && String(reflecting: expected) == "2 keys")
    }

    @Test func `are needed to replay, though nothing is sent, and not to inspect`() throws {
        let line = #"  seal: ["${env:GONE}"]"#
        #expect(try load(line, mode: .inspectWithKafka).connector == nil)
        #expect(try load(line, mode: .run).connector == nil)
        #expect(try load(line, mode: .inspect).connector != nil)
        #expect(try load(line, mode: .runWithoutKafka).connector != nil)
    }

    @Test(arguments: [
        ("  seal: []", "'seal' is empty"),
        (#"  seal: ["${env:SHORT}"]"#, "a key of 'seal' has fewer than 16 bytes"),
        (#"  seal: "${env:SEAL}""#, "'seal' must be a list of strings"),
        ("  seal_since: 2026-01-01T10:00:00Z", "'seal_since' is only valid with 'seal'"),
        (
            "  seal: [\"${env:SEAL}\"]\n  seal_since: monday",
            "'seal_since' must be a time"
        ),
    ])
    func `must be there, and long enough`(line: String, message: String) throws {
        let found = try load(line, more: ["SHORT": "fifteen-letters"])
        #expect(found.connector == nil)
        #expect(found.diagnostics.map(\.message).contains(message), "\(found.diagnostics)")
        #expect(!found.diagnostics.description.contains("fifteen-letters"))
    }

    @Test(arguments: [
        "  seal: [%]", "  seal: %", "  seal:\n  - %", "  seal: [\n    %\n  ]", "  seal: ['%']",
        "  seal: [\"%\"]", "  seal: [!!str %]", "  seal: &k [%]", "  \"seal\": [%]",
        "  seal: [%] # %", "  seal: [%]\n  seal_since: %", "  seal: [%, {a: b}]",
        "  seal: [%], x: y", "  seal: [%", "  seals: [%]", "  seal_keys: [%]", "  Seal: %",
        "  seal:\n  - |\n    %", "  seal:\n  - >-\n    %", "  seal: {%: 1}",
    ])
    func `are never shown, even where they are written in the file`(line: String) throws {
        for secret in ["Canary-7f3a9c", "Canary-7f3a9c-Canary-7f3a9c"] {
            for mode: ConnectorFile.Mode in [.run, .lint, .inspect] {
                let found = try load(line.replacing("%", with: secret), mode: mode)
                #expect(!found.diagnostics.isEmpty || mode == .inspect)
                #expect(!shown(found.diagnostics).contains("Canary"), "\(found.diagnostics)")
            }
        }
    }

    private func shown(_ diagnostics: [Diagnostic]) -> String {
        diagnostics.map { $0.description + $0.gitHubCommand + $0.text(inColour: true) }.joined()
    }

    @Test(arguments: [
        "%", "${env:CANARY}", "x${env:CANARY}", "${env:NONE ?? '%'}", "${env:CANARY}${env:NONE}",
        "${env:CANARY} ${x}", "${env:CANARY", "${file:/none/of/that}${env:CANARY}",
    ])
    func `are never shown, whatever they consist of`(key: String) throws {
        for secret in ["Canary", "Canary-7f3a9c-Canary-7f3a9c", "Canary\nCanary-7f3a9c"] {
            // A line break cannot be written in a file like this.
            if key.contains("%"), secret.contains("\n") { continue }
            let line = "  seal: [\"\(key.replacing("%", with: secret))\"]"
            for line in [line, line + "\n  seal_since: tomorrow", "  retry: x\n" + line] {
                for mode: ConnectorFile.Mode in [.run, .lint, .inspect, .inspectWithKafka] {
                    let found = try load(line, mode: mode, more: ["CANARY": secret])
                    #expect(!shown(found.diagnostics).contains("Canary"), "\(line)")
                    let described = found.connector.map { "\($0.results)" } ?? ""
                    #expect(!described.contains("Canary"), "\(line)")
                }
            }
        }
    }

    @Test func `are missed where others could send a push, or have a device deleted`() throws {
        for lines in ["  retry: apns.retry", "  retry: apns.retry\n  device_token: hashed"] {
            let found = try load(lines, mode: .lint)
            #expect(found.diagnostics.map(\.severity) == [.warning])
            #expect(found.diagnostics.first?.message.contains("without 'seal'") == true)
            #expect(found.diagnostics.first?.remedy?.contains("openssl rand") == true)
        }
        let sealed = try load("  retry: apns.retry\n  seal: [\"${env:SEAL}\"]", mode: .lint)
        #expect(sealed.diagnostics == [])
        #expect(try load("", mode: .lint).diagnostics == [])
    }

    @Test(arguments: [
        ("2026-01-01T10:00:00Z", "is set:", "remove it as soon as"),
        ("2126-01-01T10:00:00Z", "lies in the future", "write the time at which the first"),
    ])
    func `let records without one pass for a while, which is said`(
        time: String, message: String, remedy: String
    ) throws {
        for mode: ConnectorFile.Mode in [.lint, .run] {
            let found = try load(
                "  seal: [\"${env:SEAL}\"]\n  seal_since: \(time)", mode: mode)
            #expect(found.connector != nil)
            #expect(found.diagnostics.map(\.severity) == [.warning])
            #expect(found.diagnostics.first?.message.contains("'seal_since' \(message)") == true)
            #expect(found.diagnostics.first?.remedy?.hasPrefix(remedy) == true)
        }
    }

    @Test func `are a reason to reload, and no part of the digest that others may see`() throws {
        let first = try load(#"  seal: ["${env:SEAL}"]"#).connector
        let second = try load(#"  seal: ["${env:NEXT}"]"#).connector
        #expect(first?.settingsDigest == second?.settingsDigest)
        #expect(first?.results.seal != second?.results.seal)
    }
}

@Suite struct `The keys of seals of a feedback service` {
    @Test func `are read, and missed`() throws {
        let folder = try LegacyFolder()
        func read(_ text: String) throws -> (seal: SealKeys?, messages: [String]) {
            let path = try folder.write("a.feedback-service.yaml", text)
            let loaded = LegacyFile.read(
                .feedback, path: path, environment: [:])
            guard case .feedback(let settings)? = loaded.settings else { return (nil, ["none"]) }
            return (settings.seal, loaded.diagnostics.map(\.message))
        }
        let sealed = try read(LegacyFolder.feedback)
        #expect(sealed.messages == [])
        #expect(sealed.seal == SealKeys(keys: [Array("a key of a feedback service".utf8)]))
        let line = "seal: ['${env:SEAL ?? \"a key of a feedback service\"}']\n"
        let open = try read(LegacyFolder.feedback.replacing(line, with: ""))
        #expect(open.seal == nil)
        #expect(open.messages.count == 1 && open.messages[0].contains("without 'seal'"))
    }
}
