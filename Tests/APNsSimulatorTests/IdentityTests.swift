import FoundationEssentials
import TLS
import Testing

@testable import APNsSimulator

@Suite struct `An identity kept in a folder` {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "apns-simulator-\(UInt64.random(in: 0 ... .max))").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private func contents(_ file: String) -> [UInt8] {
        [UInt8](FileManager.default.contents(atPath: file) ?? Data())
    }

    @Test func `is rejected with the name of an unusable file`() throws {
        for file in ["AuthKey.p8", "server.pem", "client.pem"] {
            try withFolder { folder in
                _ = try SimulatorIdentity.kept(in: folder)
                try Data("nonsense".utf8).write(to: URL(filePath: "\(folder)/\(file)"))
                let error = #expect(throws: SimulatorError.self) {
                    try SimulatorIdentity.kept(in: folder)
                }
                #expect(error?.description.hasPrefix("\(folder)/\(file): ") == true)
            }
        }
    }

    @Test func `is rejected with the name of a folder that cannot be created`() {
        let error = #expect(throws: SimulatorError.self) {
            try SimulatorIdentity.kept(in: "/proc/no/such/folder")
        }
        #expect(error?.code == .state)
        #expect(error?.description.hasPrefix("/proc/no/such/folder: ") == true)
    }

    @Test func `is the same the next time`() throws {
        try withFolder { folder in
            let first = try SimulatorIdentity.kept(in: folder)
            let second = try SimulatorIdentity.kept(in: folder)
            #expect(first.authorityPEM == second.authorityPEM)
            #expect(first.certificatePEM == second.certificatePEM)
            #expect(
                try first.authenticationKey.privateKeyPEM
                    == second.authenticationKey.privateKeyPEM)
            #expect(contents(folder + "/ca.pem") == first.authorityPEM)
        }
    }

    @Test func `keeps its private keys readable only by the owner`() throws {
        try withFolder { folder in
            _ = try SimulatorIdentity.kept(in: folder)
            for file in ["AuthKey.p8", "server.key", "client.pem", "client.p12"] {
                let attributes = try FileManager.default.attributesOfItem(
                    atPath: "\(folder)/\(file)")
                #expect(attributes[.posixPermissions] as? Int == 0o600)
            }
        }
    }

    @Test func `has a client certificate in both forms, for the default app`() throws {
        try withFolder { folder in
            let identity = try SimulatorIdentity.kept(in: folder)
            let kept = try #require(try identity.clientCertificate()).description
            let topics = ["", ".voip", ".complication"].map { "com.example.app" + $0 }
            #expect(kept.apnsTopics == topics)
            let file = try ClientCertificate(
                contents: contents(folder + "/client.p12"), passphrase: "simulator")
            #expect(file.description == kept)
            let again = try SimulatorIdentity.kept(in: folder)
            #expect(again.clientPEM == identity.clientPEM)
        }
    }

    @Test(arguments: FurtherCertificate.allCases)
    func `has a certificate for another topic if that is asked for`(
        further: FurtherCertificate
    ) throws {
        try withFolder { folder in
            let before = try SimulatorIdentity.kept(in: folder)
            #expect(before.furtherPEMs == [:])
            let identity = try SimulatorIdentity.kept(in: folder, further: [further])
            #expect(identity.clientPEM == before.clientPEM)
            let certificate = try ClientCertificate(
                contents: contents(folder + "/" + further.file), passphrase: "simulator"
            ).description
            #expect(certificate.bundleID == further.topic)
            #expect(certificate.apnsTopics == [further.topic])
            #expect(certificate.isForProduction && !certificate.isForDevelopment)
            let again = try SimulatorIdentity.kept(in: folder, further: [further])
            #expect(again.furtherPEMs == identity.furtherPEMs)
            #expect(
                contents(folder + "/\(further.rawValue).pem") == identity.furtherPEMs[further])
        }
    }

    @Test func `adds a client certificate to an older folder, and changes nothing else`() throws {
        try withFolder { folder in
            let first = try SimulatorIdentity.kept(in: folder)
            for file in ["client-ca.pem", "client.pem", "client.p12"] {
                try FileManager.default.removeItem(atPath: "\(folder)/\(file)")
            }
            let second = try SimulatorIdentity.kept(in: folder)
            #expect(second.certificatePEM == first.certificatePEM)
            #expect(second.clientPEM != nil && second.clientPEM != first.clientPEM)
            #expect(contents(folder + "/client.pem") == second.clientPEM)
        }
    }

    @Test func `gets a new certificate if a part of it is missing`() throws {
        try withFolder { folder in
            let first = try SimulatorIdentity.kept(in: folder)
            try FileManager.default.removeItem(atPath: folder + "/ca.pem")
            let second = try SimulatorIdentity.kept(in: folder)
            #expect(first.certificatePEM != second.certificatePEM)
            #expect(
                try first.authenticationKey.privateKeyPEM
                    == second.authenticationKey.privateKeyPEM)
        }
    }
}
