import Foundation
import TLS
import Testing

@testable import APNsSimulator

/// A folder with two keys in it: `a.p8` is private, `b.pem` is public.
private final class KeyFolder {
    let folder: URL
    let key: SigningKey

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        key = try SigningKey.generate()
        try Data(try key.privateKeyPEM).write(to: folder.appending(path: "a.p8"))
        try Data(try key.publicKey.pem).write(to: folder.appending(path: "b.pem"))
        try Data("nonsense".utf8).write(to: folder.appending(path: "c.p8"))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var file: String { folder.appending(path: "keys.yaml").path }

    func load(_ text: String) throws -> ProviderKeyFile {
        try Data(text.utf8).write(to: URL(filePath: file))
        return try ProviderKeyFile.load(path: file)
    }

    /// The error about a file with a mistake, without the folder.
    func mistake(_ text: String) throws -> String {
        let error = #expect(throws: SimulatorError.self) { _ = try load(text) }
        #expect(error?.code == .keys)
        return (error?.description ?? "").replacingOccurrences(of: file, with: "keys.yaml")
    }
}

@Suite struct `A file of provider keys` {
    private static let good = "{key: a.p8, key_id: SHOPKEY001, team_id: SHOPTEAM01}"

    @Test(arguments: [
        ("", "keys.yaml:1:1: "),
        ("keys: []", "keys.yaml:1:7: missing list of keys; write 'keys:' followed by '- {"),
        ("key: []", "keys.yaml:1:1: unknown key 'key'; did you mean 'keys'?"),
        ("keys: [{kid: A}]", "keys.yaml:1:9: unknown key 'kid'; "),
        ("keys: [{key: a.p8}]", "keys.yaml:1:8: 'key_id' is missing; write the ten letters"),
        ("keys: [{key_id: a b}]", "keys.yaml:1:17: 'key_id' is not valid; write the ten letters"),
        ("keys: [{key_id: A}]", "keys.yaml:1:8: 'key' is not a path; write the path of a .p8"),
        (
            "keys: [{key: no.p8, key_id: A}]",
            "keys.yaml:1:14: cannot read 'no.p8': no such file or directory; paths are relative to "
                + "this file's folder; 'openssl genpkey -algorithm EC "
                + "-pkeyopt ec_paramgen_curve:P-256 -out no.p8' creates a key"
        ),
        (
            "keys: [{key: c.p8, key_id: A}]",
            "keys.yaml:1:14: 'c.p8' is not usable: no -----BEGIN PRIVATE KEY----- found; "
        ),
        (
            "keys: [{key: a.p8, key_id: SIMULATOR1, team_id: A}]",
            "keys.yaml:1:28: duplicate key 'SIMULATOR1'; use a different one: this is the "
                + "simulator's own"
        ),
        ("keys: [\(good), \(good)]", "keys.yaml:1:82: duplicate key 'SHOPKEY001'; remove one"),
        (
            "keys: [{key: a.p8, key_id: A, team_id: B, environment: sandbox}]",
            "keys.yaml:1:56: 'environment' cannot be 'sandbox'; write one of production, develop"
        ),
        (
            "keys: [{key: a.p8, key_id: A, team_id: B, bundle_ids: com.example}]",
            "keys.yaml:1:55: 'bundle_ids' must be a list of bundle identifiers; write [com."
        ),
        (
            "keys: [{key: a.p8, key_id: A, team_id: B, related_key_id: SIMULATOR2}]",
            "keys.yaml:1:59: unknown key 'SIMULATOR2'; did you mean 'SIMULATOR1'?"
        ),
    ])
    func `is rejected with the position of a mistake and what to write`(
        text: String, message: String
    ) throws {
        let message = try KeyFolder().mistake(text)
        #expect(message.hasPrefix(message), "\(message)")
    }

    @Test func `is named if it does not exist`() {
        let error = #expect(throws: SimulatorError.self) {
            _ = try ProviderKeyFile.load(path: "/no/keys.yaml")
        }
        #expect(
            error?.description == "/no/keys.yaml: cannot be read: no such file or directory; "
                + "choose a different file with --keys")
    }

    @Test func `says whose a key is, and what it is for`() throws {
        let folder = try KeyFolder()
        let text = """
            keys:
              - key: a.p8
                key_id: SHOPKEY001
                team_id: SHOPTEAM01
                bundle_ids: [com.example.shop]
                environment: development
                related_key_id: SHOPKEY002
              - {key: b.pem, key_id: SHOPKEY002, team_id: SHOPTEAM01}
            """
        let keys = try folder.load(text).keys
        try #require(keys.count == 2)
        #expect(keys[0].bundleIDs == [[UInt8]("com.example.shop".utf8)])
        #expect(keys[0].environment == .development)
        #expect(keys[0].isRelated(to: keys[1]))
        #expect(keys[1].bundleIDs == nil && keys[1].environment == nil)
    }

    @Test func `gives a topic-specific key one related key in an environment`() throws {
        func text(_ environments: [String]) -> String {
            let related = environments.enumerated().map { number, environment in
                "\n  - {key: b.pem, key_id: OTHER\(number), team_id: SHOPTEAM01,"
                    + " environment: \(environment), related_key_id: SHOPKEY001}"
            }
            return "keys:\n  - {key: a.p8, key_id: SHOPKEY001, team_id: SHOPTEAM01,"
                + " bundle_ids: [com.example.shop]}" + related.joined()
        }
        let mistake = try KeyFolder().mistake(text(["production", "production"]))
        #expect(
            mistake == "keys.yaml:2:25: 'SHOPKEY001' is related to OTHER0 and OTHER1; a"
                + " topic-specific key has at most one related key in an environment: remove"
                + " 'related_key_id' from the others")
        #expect(try KeyFolder().load(text(["production", "development"])).keys.count == 3)
    }

    @Test func `makes tokens that a simulator accepts, with the private keys`() throws {
        let folder = try KeyFolder()
        let file = try folder.load(
            "keys: [\(Self.good), {key: b.pem, key_id: OTHER, team_id: SHOPTEAM01}]")
        let fixture = try JudgeFixture()
        var judge = Judge(keys: file.keys)
        let token = try file.providerToken(
            keyID: "SHOPKEY001", issuedAt: JudgeFixture.now / 1000)
        let bearer = "bearer " + String(decoding: token, as: UTF8.self)
        let request = try fixture.request(["authorization": bearer])
        #expect(judge.judge(request, wallClock: JudgeFixture.now) == .accepted)
        for (name, message) in [
            ("OTHER", "the key 'OTHER' is a public key, which cannot sign; name the file"),
            ("SHOPKEY", "unknown key 'SHOPKEY'; known keys: SHOPKEY001, OTHER"),
        ] {
            let error = #expect(throws: SimulatorError.self) {
                _ = try file.providerToken(keyID: name, issuedAt: 0)
            }
            #expect(error?.description.contains(message) == true)
        }
    }
}
