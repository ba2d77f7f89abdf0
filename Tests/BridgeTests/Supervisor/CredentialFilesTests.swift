import BridgeSamples
import Configuration
import Engine
import FoundationEssentials
import Glibc
import TLS
import Testing

@testable import Bridge

@Suite struct `The files of a connector's credentials` {
    /// A folder with a connector whose key is behind links, as Kubernetes mounts secrets.
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        private var versions = 0

        init() throws {
            try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
            try write(try SigningKey.generate().privateKeyPEM)
            let links = FileManager.default
            try links.createSymbolicLink(
                atPath: path.appending(path: "key.p8").path, withDestinationPath: "data/key.p8")
            try connector("ABC123DEFG")
        }

        deinit { try? FileManager.default.removeItem(at: path) }

        /// Mounts another version of the key.
        func write(_ key: [UInt8]) throws {
            versions += 1
            let name = "version\(versions)"
            let folder = path.appending(path: name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(key).write(to: folder.appending(path: "key.p8"))
            let link = path.appending(path: "data")
            try? FileManager.default.removeItem(at: link)
            try FileManager.default.createSymbolicLink(
                atPath: link.path, withDestinationPath: name)
        }

        func connector(
            _ keyID: String, bundleID: String = "com.example.shop", key: String = "key.p8",
            kafka: String = "client.id: bridge", apns: String = "environment: production",
            more: String = ""
        ) throws {
            let text = """
                source: {topics: [shop.orders], group: apns-orders}
                kafka: {bootstrap.servers: "localhost:9092", \(kafka)}
                apns: {\(apns), key: "${file:\(key)}", key_id: \(keyID),
                  team_id: DEF123GHIJ, bundle_id: \(bundleID)}
                results: {outcomes: a, unregistered: b, dead_letter: c}
                \(more)
                """
            try Data(text.utf8).write(to: path.appending(path: "orders.yaml"))
        }

        /// Puts a pipe in the place of the key, which nobody writes to.
        func replaceKeyWithPipe() throws {
            let key = path.appending(path: "key.p8").path
            try FileManager.default.removeItem(atPath: key)
            #expect(unsafe mkfifo(key, 0o600) == 0)
        }

        /// Has the connector trust other roots than the system's.
        func trustOwnRoots() throws {
            try roots("first")
            try connector(
                "ABC123DEFG",
                apns: "environment: development, endpoint: 'https://localhost:1', ca_file: ca.pem")
        }

        func roots(_ name: String) throws { try Self.writeRoots(name, in: path) }

        static func writeRoots(_ name: String, in folder: URL) throws {
            let text = "-----BEGIN CERTIFICATE-----\n\(name)\n"
            try Data(text.utf8).write(to: folder.appending(path: "ca.pem"), options: .atomic)
        }

        func password(_ word: String) throws {
            try Data(word.utf8).write(to: path.appending(path: "password"))
        }

        func load() throws -> CredentialFiles {
            let loaded = ConnectorFile.load(
                path: path.appending(path: "orders.yaml").path, environment: [:])
            #expect(loaded.diagnostics.filter { $0.severity == .error }.isEmpty)
            let connector = try #require(loaded.connector)
            return CredentialFiles(
                connector, checkedWith: CredentialFiles.identities(of: connector))
        }
    }

    private static func change(_ look: CredentialFiles.Look) -> Connector? {
        if case .changed(let connector) = look { connector } else { nil }
    }

    @Test func `that are damaged are rejected once, and the current ones stay in use`() throws {
        let folder = try Folder()
        var files = try folder.load()
        try folder.write(Array("-----BEGIN PRIVATE KEY-----\nAAAA\n".utf8))
        _ = files.look([:])
        guard case .unreadable(let mistake) = files.look([:]) else {
            Issue.record("a damaged key was taken")
            return
        }
        #expect(mistake.message.contains("'key' is not usable"))
        guard case .unchanged = files.look([:]) else {
            Issue.record("it was notified twice")
            return
        }
    }

    @Test func `are not read again while they are unchanged or still changing`() throws {
        let folder = try Folder()
        var files = try folder.load()
        for _ in 0..<3 { #expect(Self.change(files.look([:])) == nil) }
        try folder.write(try SigningKey.generate().privateKeyPEM)
        #expect(Self.change(files.look([:])) == nil)
        try folder.write(try SigningKey.generate().privateKeyPEM)
        #expect(Self.change(files.look([:])) == nil)
        #expect(Self.change(files.look([:])) != nil)
    }

    @Test func `are reloaded when a symbolic link leads to another key`() throws {
        let folder = try Folder()
        var files = try folder.load()
        try folder.write(try SigningKey.generate().privateKeyPEM)
        _ = files.look([:])
        let found = try #require(Self.change(files.look([:])))
        #expect(files.renewals(in: found) == [0])
        files.takeOver(0)
        #expect(files.renewals(in: found) == [])
    }

    @Test func `are reloaded with a new key ID in the connector file`() throws {
        let folder = try Folder()
        var files = try folder.load()
        try folder.connector("NEW123DEFG")
        _ = files.look([:])
        let found = try #require(Self.change(files.look([:])))
        #expect(files.renewals(in: found) == [0])
    }

    @Test func `are reloaded beside other changes, which are reported once`() throws {
        let folder = try Folder()
        var files = try folder.load()
        func look() throws -> Connector {
            _ = files.look([:])
            return try #require(Self.change(files.look([:])))
        }
        try folder.connector("ABC123DEFG", more: "delivery: {ordering: key}")
        var found = try look()
        #expect(files.renewals(in: found) == [])
        #expect(files.hasOtherChanges(in: found) && !files.hasOtherChanges(in: found))
        // The key changes although nobody has reloaded the file.
        try folder.write(try SigningKey.generate().privateKeyPEM)
        found = try look()
        #expect(files.renewals(in: found) == [0] && !files.hasOtherChanges(in: found))
        try folder.connector("ABC123DEFG", more: "# As before.")
        #expect(!files.hasOtherChanges(in: try look()))
        try folder.connector("ABC123DEFG", more: "delivery: {ordering: key}")
        #expect(files.hasOtherChanges(in: try look()))
    }

    @Test func `are reported when a password for Kafka has changed`() throws {
        let folder = try Folder()
        try folder.password("first")
        let kafka = #"sasl.username: bridge, sasl.password: "${file:password}""#
        try folder.connector("ABC123DEFG", kafka: kafka)
        var files = try folder.load()
        try folder.password("second")
        _ = files.look([:])
        let found = try #require(Self.change(files.look([:])))
        #expect(files.renewals(in: found) == [] && files.hasOtherChanges(in: found))
    }

    @Test func `are not reloaded together with a changed app`() throws {
        let folder = try Folder()
        var files = try folder.load()
        try folder.connector("NEW123DEFG", bundleID: "com.example.pay")
        _ = files.look([:])
        let found = try #require(Self.change(files.look([:])))
        #expect(files.renewals(in: found) == nil)
    }

    @Test func `are those that the connector file names now, not those at startup`() throws {
        let folder = try Folder()
        let second = folder.path.appending(path: "second.p8")
        try Data(try SigningKey.generate().privateKeyPEM).write(to: second)
        var files = try folder.load()
        try folder.connector("NEW123DEFG", key: "second.p8")
        _ = files.look([:])
        let found = try #require(Self.change(files.look([:])))
        #expect(files.renewals(in: found) == [0])
        files.takeOver(0)
        for _ in 0..<2 { #expect(Self.change(files.look([:])) == nil) }
        try Data(try SigningKey.generate().privateKeyPEM).write(to: second)
        _ = files.look([:])
        let again = try #require(Self.change(files.look([:])))
        #expect(files.renewals(in: again) == [0])
    }

    @Test func `are not read again if one of them is a pipe`() throws {
        let folder = try Folder()
        let connector = try folder.load().connector
        #expect(CredentialFiles.canBeReadAgain(connector))
        try folder.replaceKeyWithPipe()
        #expect(!CredentialFiles.canBeReadAgain(connector))
    }

    @Test func `that were replaced before the workers start are adopted then`() async throws {
        let folder = try Folder()
        let connector = try folder.load().connector
        try folder.write(try SigningKey.generate().privateKeyPEM)
        let stage = SupervisorStage()
        let supervisor = stage.supervisor([connector])
        let running = Task { try await supervisor.run() }
        await stage.wait(for: "renew orders 1")
        #expect(Set(stage.credentials).count == 2)
        await supervisor.drain()
        _ = try await running.value
    }

    @Test func `that were replaced while Kafka is away are those of the start`() async throws {
        let folder = try Folder()
        let connector = try folder.load().connector
        try folder.write(try SigningKey.generate().privateKeyPEM)
        let stage = SupervisorStage()
        stage.setUnavailable(["orders"], forChecks: 2)
        let supervisor = stage.supervisor([connector])
        let running = Task { try await supervisor.run() }
        await stage.wait { !stage.routes.isEmpty }
        let app = try folder.load().connector.apns.apps[0]
        #expect(stage.credentials == [app.credential.fingerprint])
        await supervisor.drain()
        _ = try await running.value
        #expect(!stage.events.contains("renew orders 1"))
    }

    @Test func `with roots that were replaced after they were checked are adopted`() async throws {
        let folder = try Folder()
        try folder.trustOwnRoots()
        let connector = try folder.load().connector
        let stage = SupervisorStage()
        stage.afterCheckOfAPNs { [path = folder.path] in
            try? Folder.writeRoots("second", in: path)
        }
        let supervisor = stage.supervisor([connector])
        let running = Task { try await supervisor.run() }
        await stage.wait(for: "renew orders 1")
        await supervisor.drain()
        _ = try await running.value
    }

    @Test func `with roots that were replaced while they were adopted are adopted again`() throws {
        let folder = try Folder()
        try folder.trustOwnRoots()
        var files = try folder.load()
        try folder.roots("second")
        _ = files.look([:])
        var found = try #require(Self.change(files.look([:])))
        #expect(files.renewals(in: found) == [0])
        try folder.roots("third")
        files.takeOver(0)
        _ = files.look([:])
        found = try #require(Self.change(files.look([:])))
        #expect(files.renewals(in: found) == [0])
    }
}
