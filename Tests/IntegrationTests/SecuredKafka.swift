import Foundation
import TLS

/// A real Kafka with a second listener that speaks TLS, asks for a login, and checks rights.
///
/// The tests themselves use its plain listener, on which everything is allowed.
final class SecuredKafka: Sendable {
    static let user = "bridge"
    private static let sharedResult = Result {
        let kafka = try SecuredKafka()
        atexit { SecuredKafka.sharedEnded() }
        return kafka
    }

    /// The broker of the whole test run; started when it is first asked for.
    static func shared() throws -> SecuredKafka { try sharedResult.get() }

    private static func sharedEnded() { try? sharedResult.get().remove() }

    let kafka: RealKafka
    private let address: String
    private let folder: URL

    /// Starts a broker; `user` may do nothing yet.
    private init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "apns-bridge-secured-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let authority = try CertificateAuthority.generate(name: "Kafka of the tests")
        let issued = try authority.issue(hostNames: ["localhost", "127.0.0.1"], validFor: 86_400)
        let store = folder.appending(path: "broker.pem")
        try Data(issued.keyPEM + issued.certificatePEM).write(to: store)
        try Data(authority.certificatePEM).write(to: folder.appending(path: "ca.pem"))
        try Data("open sesame".utf8).write(to: folder.appending(path: "password"))
        address = "127.0.0.1:\(try RealKafka.freePort())"
        kafka = try RealKafka.start(
            listeners: ["SASL_SSL://\(address)"],
            properties: [
                "sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-512",
                "listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config="
                    + "org.apache.kafka.common.security.scram.ScramLoginModule required;",
                "listener.name.sasl_ssl.plain.sasl.jaas.config="
                    + "org.apache.kafka.common.security.plain.PlainLoginModule required"
                    + " user_\(Self.user)=\"open sesame\";",
                "listener.name.sasl_ssl.ssl.keystore.type=PEM",
                "listener.name.sasl_ssl.ssl.keystore.location=\(store.path)",
                "authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                "super.users=User:ANONYMOUS",
            ])
    }

    private func remove() {
        kafka.remove()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The lines of a connector file's `kafka` for a bridge that logs in.
    func login(mechanism: String = "PLAIN", password: String? = nil) -> [String] {
        [
            "bootstrap.servers: \(address)", "security.protocol: sasl_ssl",
            "ssl.ca.location: \(folder.appending(path: "ca.pem").path)",
            "sasl.mechanism: \(mechanism)", "sasl.username: \(Self.user)",
            "sasl.password: "
                + (password ?? "${file:\(folder.appending(path: "password").path)}"),
        ]
    }

    /// Lets the user log in by SCRAM, too.
    func addSCRAM() throws {
        try kafka.tool(
            "kafka-configs.sh",
            [
                "--bootstrap-server", kafka.bootstrapServers, "--alter", "--entity-type", "users",
                "--entity-name", Self.user, "--add-config", "SCRAM-SHA-512=[password=open sesame]",
            ])
    }

    /// Allows an operation, or no longer with `--remove`.
    func change(
        _ verb: String, _ operations: [String], on resource: String, _ names: [String]
    ) throws {
        try kafka.tool(
            "kafka-acls.sh",
            ["--bootstrap-server", kafka.bootstrapServers, verb]
                + (verb == "--remove" ? ["--force"] : [])
                + ["--allow-principal", "User:\(Self.user)"]
                + operations.flatMap { ["--operation", $0] } + names.flatMap { [resource, $0] })
    }
}
