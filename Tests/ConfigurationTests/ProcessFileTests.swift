import Foundation
import Testing

@testable import Configuration

@Suite struct `The settings of a process` {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try write("admin.token", "secret-of-16-bytes\n", mode: 0o600)
    }

    @discardableResult
    private func write(_ name: String, _ text: String, mode: Int = 0o644) throws -> String {
        let file = folder.appending(path: name)
        try text.write(to: file, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes(
            [.posixPermissions: mode], ofItemAtPath: file.path)
        return file.path
    }

    private func load(
        _ text: String
    ) throws -> (settings: ProcessSettings?, diagnostics: [Diagnostic]) {
        try write("bridge.yaml", text)
        return ProcessFile.load([folder.path], settings: nil, environment: ["PORT": "8081"])
    }

    @Test func `are those of the given folder`() throws {
        let loaded = try load(
            """
            log: {level: debug, format: json, summary: 2m}
            admin: {listen: "0.0.0.0:${env:PORT}", host_names: [bridge], token_file: admin.token}
            """)
        #expect(loaded.diagnostics == [])
        let settings = try #require(loaded.settings)
        #expect(settings.logLevel == "debug" && settings.logFormat == "json")
        #expect(settings.logSummary == .seconds(120))
        let admin = try #require(settings.admin)
        #expect(admin.host == "0.0.0.0" && admin.port == 8081 && !admin.isLoopback)
        #expect(admin.hostNames == ["bridge"])
        #expect(admin.token == Array("secret-of-16-bytes".utf8) && !admin.protectsMetrics)
    }

    /// A connector in Avro in the folder.
    private func connector(
        _ block: String = "", settings: String? = nil, mode: ConnectorFile.Mode = .run
    ) throws -> (connector: Connector?, diagnostics: [Diagnostic]) {
        let text = Example.text.replacing("  group", with: "  format: avro\n  group")
        return ConnectorFile.load(
            path: try write("orders.yaml", text + block),
            environment: try Example.environment(["PASSWORD": "open sesame"]), mode: mode,
            settings: settings)
    }

    @Test func `may name a schema registry for all connectors that name none`() throws {
        let url = "url: [\"https://shared\"]"
        let shared = "schema_registry: {\(url), username: u, password: \"${env:PASSWORD}\"}"
        #expect(try load(shared.replacing("PASSWORD", with: "PORT")).diagnostics == [])
        try write("bridge.yaml", shared)
        let found = try connector()
        #expect(found.diagnostics == [])
        #expect(found.connector?.schemaRegistry?.urls == ["https://shared"])
        #expect(found.connector?.schemaRegistry?.password == "open sesame")
        #expect(found.connector?.resolved.isEmpty == true, "a bridge that runs need not keep it")
        let shown = try connector(mode: .examine).connector
        #expect(shown?.resolved.hide(in: "open sesame") == "${env:PASSWORD}")
        // Its own one wins.
        let own = try connector("schema_registry: {url: [\"https://own\"]}\n").connector
        #expect(own?.schemaRegistry?.urls == ["https://own"])
        #expect(own?.schemaRegistry?.username == nil)
        // So does a file that is named.
        let other = try write("other.yaml", "schema_registry: {url: [\"https://other\"]}")
        let named = try connector(settings: other).connector
        #expect(named?.schemaRegistry?.urls == ["https://other"])
        #expect(named?.processFile == other)
    }

    @Test func `whose schema registry is wrong leave connectors in Avro without one`() throws {
        #expect(
            try connector().diagnostics.map(\.message)
                == ["'format: avro' needs 'schema_registry'"])
        let wrong = "schema_registry: {url: [\"ftp://r\"]}"
        #expect(
            try load(wrong).diagnostics.map(\.message)
                == ["'url' contains something that is not the address of a registry"])
        let found = try connector()
        #expect(found.connector == nil)
        #expect(
            found.diagnostics.map(\.message)
                == ["'schema_registry' in \(folder.path)/bridge.yaml cannot be used"])
    }

    @Test func `may name labels of events for metrics`() throws {
        let loaded = try load("telemetry: {labels: [campaign, shop_id]}")
        #expect(loaded.diagnostics == [])
        #expect(loaded.settings?.metricLabels == ["campaign", "shop_id"])
    }

    @Test(arguments: [
        ("[shop-id]", "'shop-id' is not a valid name of a label in Prometheus"),
        ("[7days]", "'7days' is not a valid name of a label in Prometheus"),
        ("[__name]", "'__name' is not a valid name of a label in Prometheus"),
        ("[app]", "metrics have a label 'app' already"),
        ("[instance]", "metrics have a label 'instance' already"),
        ("[a, a]", "the label is listed twice"),
        ("[a, b, c, d, e]", "metrics have at most 4 labels of events"),
    ])
    func `name no label that metrics cannot have`(labels: String, message: String) throws {
        let loaded = try load("telemetry: {labels: \(labels)}")
        #expect(loaded.settings == nil)
        #expect(loaded.diagnostics.map(\.message) == [message])
    }

    @Test(arguments: [
        ("otlp: http://c:4318/v1/traces", "http://c:4318/v1/traces", 0.01),
        ("otlp: 'https://c.example/x?key=1', sample: 1", "https://c.example/x?key=1", 1),
        ("otlp: http://127.0.0.1:4318, sample: 0", "http://127.0.0.1:4318/v1/traces", 0),
        ("otlp: 'http://[::1]:4318/', sample: 0.5", "http://[::1]:4318/v1/traces", 0.5),
    ])
    func `may name a collector of traces`(text: String, url: String, sample: Double) throws {
        let loaded = try load("telemetry: {\(text)}")
        #expect(loaded.diagnostics == [])
        #expect(loaded.settings?.tracing == TracingSettings(url: url, sample: sample))
    }

    @Test(arguments: [
        ("otlp: 'collector:4318'", "'otlp' is not a URL with http or https"),
        ("otlp: 'grpc://c:4317'", "'otlp' is not a URL with http or https"),
        ("otlp: 'http://:4318'", "'otlp' has no host"),
        ("otlp: 'http://c:0/v1/traces'", "'otlp' has an invalid port"),
        ("otlp: 'http://u:p@c/v1/traces'", "'otlp' contains a user or a password"),
        ("otlp: 'http://c/a b'", "'otlp' has a character that a URL cannot have"),
        ("otlp: 'http://c', sample: 1.5", "'sample' must be a number, 0.0 to 1.0, not '1.5'"),
        ("otlp: 'http://c', sample: -1", "'sample' must be a number, 0.0 to 1.0, not '-1'"),
        ("otlp: 'http://c', sample: 1%", "'sample' must be a number, 0.0 to 1.0, not '1%'"),
        ("sample: 0.1", "'sample' is only valid with 'otlp'"),
    ])
    func `name no collector that cannot be one`(text: String, message: String) throws {
        let loaded = try load("telemetry: {\(text)}")
        #expect(loaded.settings == nil)
        #expect(loaded.diagnostics.map(\.message) == [message])
        #expect(loaded.diagnostics.first?.line == 1)
    }

    @Test func `show no password in the URL of a collector`() throws {
        let found = try load("telemetry: {otlp: 'http://user:sesame@collector'}").diagnostics
        #expect(found.count == 1 && !"\(found)".contains("sesame"))
    }

    @Test func `are optional`() throws {
        let loaded = ProcessFile.load([folder.path], settings: nil, environment: [:])
        #expect(loaded.settings != nil && loaded.settings?.admin == nil)
    }

    @Test(arguments: [
        ("127.0.0.1:80", "127.0.0.1", 80), ("[::1]:0", "::1", 0),
        ("localhost:8080", "localhost", 8080),
    ])
    func `include an address and a port`(text: String, host: String, port: Int) throws {
        let admin = try #require(try load("admin: {listen: '\(text)'}").settings?.admin)
        #expect(admin.host == host && Int(admin.port) == port && admin.isLoopback)
    }

    @Test func `include a Unix domain socket, whose path starts at their folder`() throws {
        let local = try #require(try load("admin: {listen: 'unix:admin.sock'}").settings?.admin)
        #expect(local.socketPath == folder.path + "/admin.sock" && local.isLoopback)
        let fixed = try #require(try load("admin: {listen: 'unix:/run/a.sock'}").settings?.admin)
        #expect(fixed.socketPath == "/run/a.sock")
    }

    @Test(arguments: [
        ("logg: {level: info}", "unknown key 'logg'"),
        ("log: {level: loud}", "'loud'"),
        ("log: {summary: often}", "'summary' must be a duration, 0s to 1h, not 'often'"),
        ("log: {summary: 2h}", "'summary' must be a duration, 0s to 1h, not '2h'"),
        ("admin: {}", "'listen' is missing"),
        ("admin: {listen: '8080'}", "'8080' is not an address and a port"),
        ("admin: {listen: '::1:8080'}", "'::1:8080' is not an address and a port"),
        ("admin: {listen: '127.0.0.1:70000'}", "'127.0.0.1:70000' is not an address and a port"),
        ("admin: {listen: 'unix:'}", "'unix:' names no socket"),
        (
            "admin: {listen: 'unix:/\(String(repeating: "x", count: 107))'}",
            "the path of a socket has at most 107 bytes"
        ),
        (
            "admin: {listen: '0.0.0.0:80'}",
            "other machines can connect to 0.0.0.0:80, and there is no 'token_file'"
        ),
        ("admin: {listen: '0.0.0.0:80', token_file: none}", "cannot read 'token_file'"),
        ("admin: {listen: '0.0.0.0:80', token_file: open}", "other users can read 'open'"),
        ("admin: {listen: '0.0.0.0:80', token_file: empty}", "'empty' does not hold a token"),
        (
            "admin: {listen: '0.0.0.0:80', token_file: short}",
            "the token in 'short' has 15 bytes, fewer than 16"
        ),
        (
            "admin: {listen: '0.0.0.0:80', token_file: shared}",
            "other users can write to 'shared'"
        ),
        (
            "admin: {listen: '127.0.0.1.nip.io:80'}",
            "other machines can connect to 127.0.0.1.nip.io:80, and there is no 'token_file'"
        ),
        (
            "admin: {listen: '127.0.0.1:80', metrics_token: true}",
            "'metrics_token' is only valid with 'token_file'"
        ),
    ])
    func `are rejected with the position of the mistake`(text: String, message: String) throws {
        try write("open", "secret")
        try write("empty", "\n", mode: 0o600)
        try write("short", "123456789012345", mode: 0o600)
        try write("shared", "1234567890123456", mode: 0o622)
        let loaded = try load(text)
        #expect(loaded.settings == nil)
        let found = try #require(loaded.diagnostics.first)
        #expect(found.message.contains(message), "\(found)")
        #expect(found.line == 1 && found.remedy != nil)
    }

    @Test func `may be in only one file`() throws {
        try write("bridge.yaml", "log: {}")
        let other = try write("other.yaml", "log: {level: info}")
        let loaded = ProcessFile.load([folder.path], settings: other, environment: [:])
        #expect(loaded.settings == nil)
        #expect(
            loaded.diagnostics.first?.message == "there are process settings already: \(other)")
    }

    @Test func `are not a connector, and lint recognizes them in a folder`() throws {
        let path = try write("bridge.yaml", "log: {levl: info}")
        try write("orders.yaml", "source: {}")
        #expect(try ConnectorFile.files(at: folder.path) == [folder.path + "/orders.yaml"])
        let alone = ConnectorFile.load(path: path, environment: [:])
        #expect(
            alone.diagnostics.first?.message
                == "this file holds the settings of the process, not a connector")
        let found = ConnectorFile.load(paths: [folder.path], environment: [:], mode: .lint)
        #expect(found.diagnostics.contains { $0.message == "unknown key 'levl' in log" })
    }

    @Test func `have a schema with every key that the loader reads`() throws {
        let text = ConnectorSchema.jsonOfProcessSettings()
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let properties = try #require(object?["properties"] as? [String: Any])
        let keys = ["admin", "log", "schema_registry", "telemetry", "version"]
        #expect(properties.keys.sorted() == keys)
        #expect(object?["additionalProperties"] as? Bool == false)
    }
}
