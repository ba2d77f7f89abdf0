import Configuration
import Foundation
import TLS
import Testing

@Suite struct `The connector in the repository` {
    private let path = URL(filePath: #filePath)
        .appending(path: "../../../connectors/orders.yaml").standardizedFileURL.path

    @Test func `is valid, and says what it needs`() {
        let result = ConnectorFile.load(path: path, environment: [:], mode: .lint)
        #expect(result.diagnostics.allSatisfy { $0.severity == .warning })
        #expect(result.diagnostics.allSatisfy { $0.message.hasSuffix("no such file or directory") })
    }

    @Test func `runs with the files that the simulator writes`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        for name in ["connectors", "simulator"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        defer { try? FileManager.default.removeItem(at: folder) }
        let authority = try CertificateAuthority.generate(name: "Simulator")
        try Data(authority.certificatePEM).write(to: folder.appending(path: "simulator/ca.pem"))
        try Data(SigningKey.generate().privateKeyPEM)
            .write(to: folder.appending(path: "simulator/AuthKey.p8"))
        let copy = folder.appending(path: "connectors/orders.yaml")
        try FileManager.default.copyItem(at: URL(filePath: path), to: copy)

        let result = ConnectorFile.load(path: copy.path, environment: ["KAFKA_BOOTSTRAP": "k:9"])
        #expect(result.diagnostics == [])
        let connector = try #require(result.connector)
        #expect(connector.name == "orders")
        #expect(connector.kafka.first?.value == "k:9")
        #expect(
            connector.apns.apps.first?.endpoint
                == EndpointSettings(
                    host: "localhost", port: 2197,
                    trustRoots: .file(path: folder.path + "/connectors/../simulator/ca.pem"),
                    isCustom: true))
    }
}
