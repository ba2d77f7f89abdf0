import Foundation
import Testing

/// A real Kafka with a second listener on which clients log in with Kerberos, and the key
/// distribution center (KDC) of their realm.
final class KerberosKafka {
    /// Skips a test or a suite that cannot start its own Kafka, or that finds no KDC.
    static var available: some TestTrait & SuiteTrait {
        ConditionTrait.enabled(
            if: RealKafka.home != nil && KerberosRealm.isInstalled,
            """
            needs a Kafka of its own and a KDC: set KAFKA_HOME to a Kafka 4 distribution, and \
            install krb5-kdc, krb5-admin-server, krb5-user and libsasl2-modules-gssapi-mit
            """)
    }

    let kafka: RealKafka
    private let address: String
    private let realm: KerberosRealm
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "apns-bridge-kerberos-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let realm = try KerberosRealm(folder, principals: ["kafka/localhost", "bridge"])
        self.realm = realm
        address = "localhost:\(try RealKafka.freePort())"
        let keytab = realm.keytab(of: "kafka/localhost")
        kafka = try RealKafka.start(
            listeners: ["SASL_PLAINTEXT://\(address)"],
            properties: [
                "sasl.enabled.mechanisms=GSSAPI", "sasl.kerberos.service.name=kafka",
                "listener.name.sasl_plaintext.gssapi.sasl.jaas.config="
                    + "com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true"
                    + " storeKey=true keyTab=\"\(keytab)\""
                    + " principal=\"kafka/localhost@\(KerberosRealm.name)\";",
            ],
            environment: { _ in
                ["KAFKA_OPTS": "-Djava.security.krb5.conf=\(realm.configuration)"]
            })
    }

    /// Stops the broker and the KDC, and removes their files.
    func remove() {
        kafka.remove()
        realm.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The lines of a connector file's `kafka` for a bridge that logs in.
    var login: [String] {
        [
            "bootstrap.servers: \(address)", "security.protocol: sasl_plaintext",
            "sasl.mechanism: GSSAPI", "sasl.kerberos.service.name: kafka",
            "sasl.kerberos.principal: bridge",
            "sasl.kerberos.keytab: \(realm.keytab(of: "bridge"))",
        ]
    }

    /// What a process needs that logs in.
    var environment: [String: String] { realm.environment }
}

/// A realm of Kerberos with MIT's KDC on loopback.
private final class KerberosRealm {
    static let name = "TEST.INVALID"
    private static let programs = [
        "/usr/sbin/krb5kdc", "/usr/sbin/kdb5_util", "/usr/sbin/kadmin.local", "/usr/bin/kinit",
    ]

    /// True if this machine has all that a test needs.
    static var isInstalled: Bool {
        let files = FileManager.default
        let libraries = (try? files.contentsOfDirectory(atPath: "/usr/lib")) ?? []
        let plugins = libraries.map { "/usr/lib/\($0)/sasl2/libgssapiv2.so" }
        return programs.allSatisfy(files.isExecutableFile)
            && plugins.contains(where: files.fileExists)
    }

    /// The path of its `krb5.conf`.
    let configuration: String
    let environment: [String: String]
    private let folder: URL
    private let center = Process()

    init(_ folder: URL, principals: [String]) throws {
        self.folder = folder
        configuration = folder.appending(path: "krb5.conf").path
        environment = [
            "KRB5_CONFIG": configuration,
            "KRB5_KDC_PROFILE": folder.appending(path: "kdc.conf").path,
            "KRB5CCNAME": "FILE:\(folder.path)/tickets",
        ]
        try writeConfiguration(address: "127.0.0.1:\(try RealKafka.freePort())")
        try run("/usr/sbin/kdb5_util", ["create", "-s", "-P", UUID().uuidString])
        for principal in principals {
            try run("/usr/sbin/kadmin.local", ["addprinc", "-randkey", principal])
            try run("/usr/sbin/kadmin.local", ["ktadd", "-k", keytab(of: principal), principal])
        }
        try startCenter()
    }

    /// The path of the file with the key of a principal.
    func keytab(of principal: String) -> String {
        folder.appending(path: principal.replacing("/", with: "-") + ".keytab").path
    }

    func stop() {
        guard center.isRunning else { return }
        // It inherits the signals that this process blocks.
        _ = Glibc.kill(center.processIdentifier, SIGKILL)
        center.waitUntilExit()
    }

    private func writeConfiguration(address: String) throws {
        let clients = """
            [libdefaults]
              default_realm = \(Self.name)
              dns_lookup_kdc = false
              dns_canonicalize_hostname = false
              rdns = false
              udp_preference_limit = 1
            [realms]
              \(Self.name) = {
                kdc = \(address)
              }
            [domain_realm]
              localhost = \(Self.name)

            """
        let center = """
            [realms]
              \(Self.name) = {
                database_name = \(folder.path)/principal
                key_stash_file = \(folder.path)/stash
                acl_file = \(folder.path)/acl
                kdc_listen = \(address)
                kdc_tcp_listen = \(address)
              }

            """
        try Data(clients.utf8).write(to: URL(filePath: configuration))
        try Data(center.utf8).write(to: folder.appending(path: "kdc.conf"))
    }

    private func run(_ path: String, _ arguments: [String]) throws {
        let (process, output) = prepare(Process(), path, arguments)
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(
            process.terminationStatus == 0, "\(path): \(String(decoding: said, as: UTF8.self))")
    }

    /// Starts the KDC, which says when it listens.
    private func startCenter() throws {
        let (process, output) = prepare(center, "/usr/sbin/krb5kdc", ["-n"])
        try process.run()
        var said = ""
        while !said.contains("starting") {
            let data = output.fileHandleForReading.availableData
            try #require(!data.isEmpty, "krb5kdc ended: \(said)")
            said += String(decoding: data, as: UTF8.self)
        }
    }

    private func prepare(
        _ process: Process, _ path: String, _ arguments: [String]
    ) -> (process: Process, output: Pipe) {
        let output = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        return (process, output)
    }
}
