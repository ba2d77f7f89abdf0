import Configuration
import Foundation
import TLS
import Testing

/// The connectors in `Beginners`: each has one mistake that a beginner might make.
@Suite struct `A folder of beginners' mistakes` {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Beginners").path

    private func lint() throws -> (diagnostics: [Diagnostic], files: [String]) {
        let key = try SigningKey.generate().privateKeyPEM
        let loaded = ConnectorFile.load(
            paths: [Self.folder],
            environment: ["APNS_KEY": String(decoding: key, as: UTF8.self)], mode: .lint)
        return (loaded.diagnostics, loaded.files)
    }

    @Test func `is linted with a finding and a remedy for each file`() throws {
        let found = try lint()
        #expect(found.files.count >= 30)
        for file in found.files {
            let own = found.diagnostics.filter { $0.file == file }
            #expect(!own.isEmpty, "\(file)")
            #expect(own.allSatisfy { $0.remedy?.isEmpty == false }, "\(file)")
        }
    }

    @Test func `produces exactly the recorded findings`() throws {
        let found = try lint()
        let text =
            Diagnostic.report(found.diagnostics) + "\n\n"
            + Diagnostic.summary(found.diagnostics, files: found.files.count) + "\n"
        let expected = try String(
            contentsOfFile: "\(Self.folder)/findings.txt", encoding: .utf8)
        #expect(text.replacing(Self.folder, with: "connectors") == expected)
    }
}
