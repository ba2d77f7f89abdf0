import Foundation
import Testing

/// What is wrong in the file itself, or in a file that it names.
@Suite struct `A connector file that cannot be run` {
    private let world: BadInputWorld

    init() throws { world = try BadInputWorld() }

    @Test(arguments: [
        (
            "  bundle_id", "  bundel_id: com.example.shop",
            "13:3: error: unknown key 'bundel_id' in apns", "did you mean 'bundle_id'?"
        ),
        (
            "  group", "",
            "1:1: error: 'group' is missing in source", "write group: apns-orders"
        ),
        (
            "  topics", "  topics: {a: b}",
            "2:11: error: 'topics' must be a list of strings, not a map",
            "write topics: [shop.orders]"
        ),
        (
            "  key:", "  key: ${file:no/AuthKey.p8}",
            "10:8: error: cannot read the file 'no/AuthKey.p8': no such file or directory",
            "paths are relative to the folder of this file: ."
        ),
        (
            "  ca_file", "  ca_file: no/ca.pem",
            "8:12: error: cannot read 'ca_file': no such file or directory",
            "paths are relative to the folder of this file: ."
        ),
        (
            "  bootstrap", "  bootstrap.servers: http://localhost:9092",
            "5:22: error: 'bootstrap.servers' has an address with a protocol that Kafka "
                + "does not have",
            "remove the part before the host: kafka-1:9092"
        ),
    ])
    func `is rejected with the position and what to write`(
        old: String, new: String, finding: String, remedy: String
    ) throws {
        let ending = try world.run(old, new)
        // A file that cannot be read may be there when the process is started again.
        let code: Int32 = finding.contains(": cannot read") ? 69 : 78
        try world.expect(ending, code: code, "orders.yaml:\(finding)", remedy: remedy)
    }

    static let keys = [
        (
            "garbage", "'key' is not a PEM key",
            "name the .p8 file of an APNs key: its first line contains BEGIN PRIVATE KEY"
        ),
        (
            "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
            "'key' is not usable: the private key is not readable: its PEM is damaged",
            "name the .p8 file of an APNs key: an EC key on the curve P-256"
        ),
        (
            """
            -----BEGIN PRIVATE KEY-----
            MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDBionqZiine3Y9Erhlf
            r1KQgLSt5b83oVdOP2/cB3ch7emH2PAc4Cb5Q48WhinKkW2hZANiAAQoSHYSVvbj
            k9r3cFOtBqCCGHNzavNVogPBsWw+DrOFKA6Kmkdg6MwXBwJwaTMh/l8jlkMPHWiu
            Z70eeIqukhVDVZqTmpXWfrWcURpxemsmkMSAJCEALlR3TaqY7WTDRvE=
            -----END PRIVATE KEY-----
            """,
            "'key' is not usable: the key type is EC P-384; provider tokens need EC P-256 "
                + "(ES256)",
            "name the .p8 file of an APNs key: an EC key on the curve P-256"
        ),
    ]

    @Test(arguments: keys)
    func `is rejected if its key is not an EC key on P-256`(
        text: String, finding: String, remedy: String
    ) throws {
        try world.write(Array(text.utf8), to: "AuthKey.p8")
        let ending = try world.run()
        try world.expect(
            ending, code: 69, "orders.yaml:10:8: error: \(finding)", remedy: remedy)
        #expect(!ending.errors.contains("BEGIN PRIVATE KEY--"), "the key is shown")
    }

    @Test func `is rejected if its key is an RSA key`() throws {
        let key = folderKey("rsa.p8")
        let made = try Program.run("/usr/bin/openssl", ["genrsa", "-out", key, "2048"])
        try #require(made.code == 0, "\(made.errors)")
        let ending = try world.run("  key:", "  key: ${file:rsa.p8}")
        try world.expect(
            ending, code: 69,
            "orders.yaml:10:8: error: 'key' is not usable: the key type is RSA 2048; "
                + "provider tokens need EC P-256 (ES256)",
            remedy: "name the .p8 file of an APNs key: an EC key on the curve P-256")
    }

    private func folderKey(_ name: String) -> String { world.folder.appending(path: name).path }

    @Test(arguments: ["run", "lint"])
    func `that does not exist is named in the error`(verb: String) throws {
        let ending = try Program.run(Program.path, [verb, "nothing.yaml"], in: world.folder)
        #expect(ending.code == 66)
        #expect(
            ending.output + ending.errors == """
                nothing.yaml: error: cannot be read: no such file or directory
                  name a connector file or a folder of them
                \(verb == "lint" ? "\n" : "")0 files, 1 error. Nothing was started.

                """)
    }

    @Test(arguments: ["run", "lint"])
    func `is requested if a folder holds none`(verb: String) throws {
        let empty = world.folder.appending(path: "empty")
        try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
        let ending = try Program.run(Program.path, [verb, "empty"], in: world.folder)
        #expect(ending.code == 66)
        #expect(
            ending.output + ending.errors == """
                empty: error: this folder contains no connector file
                  the names of connector files end in .yaml, those of their tests in .test.yaml
                \(verb == "lint" ? "\n" : "")0 files, 1 error. Nothing was started.

                """)
    }
}
