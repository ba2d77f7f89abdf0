import Configuration
import Foundation
import TLS
import Testing

/// Connector files with common mistakes in `Broken`, and with each the errors that lint reports.
@Suite struct `A broken connector file` {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Broken").path

    static let names =
        (try? FileManager.default.contentsOfDirectory(atPath: folder))?
        .filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted() ?? []

    private func lint(_ name: String) throws -> [Diagnostic] {
        let key = try SigningKey.generate().privateKeyPEM
        return ConnectorFile.load(
            path: "\(Self.folder)/\(name).yaml",
            environment: ["APNS_KEY": String(decoding: key, as: UTF8.self)], mode: .lint
        ).diagnostics
    }

    @Test func `has more than twenty examples`() {
        #expect(Self.names.count > 20)
    }

    @Test(arguments: names)
    func `produces exactly the recorded errors`(name: String) throws {
        let findings = try lint(name)
        let text =
            Diagnostic.report(findings) + "\n\n" + Diagnostic.summary(findings, files: 1) + "\n"
        let expected = try String(contentsOfFile: "\(Self.folder)/\(name).txt", encoding: .utf8)
        #expect(text.replacing(Self.folder, with: "connectors") == expected)
    }

    @Test(arguments: names)
    func `always comes with a remedy`(name: String) throws {
        for finding in try lint(name) {
            #expect(finding.remedy?.isEmpty == false, "\(finding)")
        }
    }

    @Test func `shows no secret`() throws {
        for name in Self.names {
            #expect(!Diagnostic.report(try lint(name)).contains("hunter2"), "\(name)")
        }
    }
}
