import Configuration
import EventLoop
import Foundation
import Kafka
import TLS
import Testing

@testable import Bridge

@Suite struct `The dates of a certificate` {
    private static let day: Int64 = 86_400
    private let certificate: CertificateDescription

    init() throws {
        let issued = try CertificateAuthority.generate(name: "Server").issue()
        certificate = try #require(
            CertificateDescription.all(inPEM: issued.certificatePEM).first)
    }

    private func dates(secondsBeforeEnd left: Int64) -> CertificateDates {
        CertificateDates(certificate, at: certificate.notAfter - left)
    }

    @Test func `fail from the second after its end, and before its start`() {
        #expect(dates(secondsBeforeEnd: 0).result == .warning)
        #expect(dates(secondsBeforeEnd: -1).result == .failed)
        #expect(dates(secondsBeforeEnd: -1).detail.hasPrefix("expired on "))
        let early = CertificateDates(certificate, at: certificate.notBefore - 1)
        #expect(early.result == .failed)
        #expect(early.detail.hasPrefix("not valid before "))
    }

    @Test func `are a warning in the last thirty days`() {
        #expect(dates(secondsBeforeEnd: 30 * Self.day).result == .passed)
        #expect(dates(secondsBeforeEnd: 30 * Self.day).detail.hasPrefix("valid until "))
        let late = dates(secondsBeforeEnd: 30 * Self.day - 1)
        #expect(late.result == .warning)
        #expect(late.detail.hasPrefix("expires in 29 days, on "))
        #expect(dates(secondsBeforeEnd: Self.day).detail.hasPrefix("expires in 1 day, on "))
        let last = dates(secondsBeforeEnd: Self.day - 1)
        #expect(last.detail.hasPrefix("expires in less than a day, on "))
    }
}

@Suite struct `An examination of a service for legacy providers` {
    private let folder: URL
    private let authority: CertificateAuthority

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        authority = try CertificateAuthority.generate(name: "Clients")
        let server = try authority.issue()
        try write(server.certificatePEM + server.keyPEM, to: "gateway.pem")
    }

    private func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: folder.appending(path: name))
    }

    private func settings(_ kind: LegacyFile.Kind, app: String) throws -> LegacySettings {
        let own =
            kind == .gateway ? "topic: legacy.pushes" : "unregistered: apns.gone\ngroup: feedback"
        let text = """
            listen: {port: 0, certificate: gateway.pem}
            kafka: {bootstrap.servers: "localhost:9092"}
            apps: {shop: {bundle_id: com.example.shop, \(app)}}
            \(own)
            """
        try write(Array(text.utf8), to: "a\(kind.ending)")
        let path = folder.appending(path: "a\(kind.ending)").path
        let loaded = LegacyFile.read(kind, path: path, environment: [:])
        return try #require(loaded.settings, "\(loaded.diagnostics)")
    }

    private func findings(app: String) throws -> [DoctorFinding] {
        var findings: [DoctorFinding] = []
        let settings = try settings(.gateway, app: app)
        let report = DoctorReport(of: settings.name) { findings.append($0) }
        LegacyExamination(settings, report).run()
        return findings.filter { $0.check.contains("shop") }
    }

    private let oneFile = "client_ca_file: clients.pem"
    private let fingerprint = "\"" + String(repeating: "3F", count: 32) + "\""

    @Test func `fails when no authority of an app is valid any more`() throws {
        try write(authority.issue(validFor: -60).certificatePEM, to: "clients.pem")
        let finding = try #require(try findings(app: oneFile).first)
        #expect(finding.check == "client_ca_file of shop")
        #expect(finding.result == .failed)
        #expect(finding.detail.hasPrefix("CN = localhost: expired on "))
        #expect(finding.action?.contains("restart the service") == true)
    }

    @Test func `warns of an old authority beside its successor`() throws {
        let old = try authority.issue(validFor: -60).certificatePEM
        try write(old + authority.certificatePEM, to: "clients.pem")
        #expect(try findings(app: oneFile).map(\.result) == [.warning, .passed])
    }

    @Test func `warns thirty days before an authority expires`() throws {
        try write(authority.issue(validFor: 86_400 * 20).certificatePEM, to: "clients.pem")
        #expect(try findings(app: oneFile).map(\.result) == [.warning])
    }

    @Test func `has no dates to check where providers are known by fingerprint`() throws {
        let found = try findings(app: "client_fingerprints: [\(fingerprint)]")
        #expect(found.map(\.check) == ["providers of shop"])
        #expect(found.first?.result == .passed)
        #expect(found.first?.detail.hasPrefix("1 certificate is accepted by fingerprint") == true)
    }

    @Test func `compares the hard limit of open files with the connections`() throws {
        let service = try settings(.gateway, app: "client_fingerprints: [\(fingerprint)]")
        func result(_ limit: Int?) -> DoctorFinding.Result {
            Doctor.openFiles(of: service, ProcessLimits(openFiles: limit, memory: nil)).result
        }
        #expect(result(1063) == .warning)
        #expect(result(1064) == .passed)
        #expect(result(nil) == .passed)
    }

    private func advice(_ kind: LegacyFile.Kind, _ found: TopicSettings?) throws -> [Diagnostic] {
        let service = try settings(kind, app: "client_fingerprints: [\(fingerprint)]")
        return LegacyTopicAdvice(service, found).findings
    }

    @Test func `fails for a gateway whose topic is compacted`() throws {
        let found = try advice(.gateway, TopicSettings(isCompacted: true))
        #expect(found.map(\.severity) == [.error])
        #expect(found.first?.message.contains("only the last push to each device") == true)
        #expect(
            found.first?.remedy == "kafka-configs.sh --bootstrap-server localhost:9092 --alter"
                + " --entity-type topics --entity-name legacy.pushes --add-config"
                + " cleanup.policy=delete")
        #expect(found.first?.line == 4)
    }

    @Test func `warns of a gateway's topic that one broker may lose`() throws {
        let found = try advice(.gateway, TopicSettings(replicas: 3, minInSyncReplicas: 1))
        #expect(found.map(\.severity) == [.warning])
        #expect(found.first?.remedy?.hasSuffix("min.insync.replicas=2") == true)
        #expect(try advice(.gateway, TopicSettings(replicas: 3, minInSyncReplicas: 2)) == [])
    }

    @Test func `expects a feedback service's topic to be compacted`() throws {
        let found = try advice(.feedback, TopicSettings(isCompacted: false))
        #expect(found.map(\.severity) == [.warning])
        #expect(found.first?.remedy?.hasSuffix("cleanup.policy=compact") == true)
        #expect(try advice(.feedback, TopicSettings(isCompacted: true)) == [])
        #expect(try advice(.feedback, nil) == [])
    }
}
