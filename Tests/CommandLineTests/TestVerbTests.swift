import Foundation
import Testing

@Suite struct `apns-bridge test` {
    /// A folder with one connector and its test file.
    private struct Folder {
        let folder: URL
        var tests: URL { folder.appending(path: "orders.test.yaml") }

        init(tests text: String?) throws {
            folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let connector = """
                source: {topics: [shop.orders], group: apns-orders}
                kafka: {bootstrap.servers: "${env:KAFKA}"}
                apns: {environment: production, key: "${file:AuthKey.p8}", key_id: ABC123DEFG,
                       team_id: DEF123GHIJ, bundle_id: com.example.shop}
                notification: {device_token: "${token}", payload: {aps: {badge: "${unread ?? 0}"}}}
                results: {outcomes: out, unregistered: dead-tokens, dead_letter: dead-letters}
                """
            try Data(connector.utf8).write(to: folder.appending(path: "orders.yaml"))
            if let text { try Data(text.utf8).write(to: tests) }
        }

        func run(_ arguments: String...) throws -> Program.Ending {
            try Program.run(Program.path, ["test"] + arguments, in: folder)
        }

        func remove() { try? FileManager.default.removeItem(at: folder) }
    }

    private static let wrong = """
        now: 2026-01-01T10:00:00Z
        tests:
          - name: sets the number
            record: {value: {token: ab01}}
            expect:
              requests: [{payload: {aps: {badge: 3}}}]
          - name: takes no tombstone
            record: {value: null}
            expect: {requests: []}

        """

    @Test func `exits with 1 if a test fails, and says how to accept the result`() throws {
        let folder = try Folder(tests: Self.wrong)
        defer { folder.remove() }
        let ending = try folder.run("orders.yaml")
        let expected = """
            FAIL  orders.yaml    sets the number
                  orders.test.yaml:6: requests[0].payload.aps.badge
                  - 3
                  + 0
                  because ${unread ?? 0} found no unread

            """
        #expect(ending.output == expected)
        #expect(ending.code == 1)
        #expect(
            ending.errors.hasSuffix(
                """
                Accept the new results: apns-bridge test orders.yaml --update

                """))
    }

    @Test func `runs only the tests that --filter names`() throws {
        let folder = try Folder(tests: Self.wrong)
        defer { folder.remove() }
        let ending = try folder.run("orders.yaml", "--filter", "tombstone")
        #expect(ending.output == "PASS  orders.yaml    1 test\n")
        #expect(ending.code == 0)
    }

    @Test func `writes the actual results with --update, and nothing the second time`() throws {
        let folder = try Folder(tests: Self.wrong)
        defer { folder.remove() }
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o640], ofItemAtPath: folder.tests.path)
        let ending = try folder.run(".", "--update")
        let expected = "EDIT  ./orders.yaml    sets the number\nPASS  ./orders.yaml    2 tests\n"
        #expect(ending.output == expected)
        #expect(ending.code == 0)
        let made = Self.wrong.replacing(
            "requests: [{payload: {aps: {badge: 3}}}]",
            with: "requests:\n        - payload: {aps: {badge: 0}}")
        #expect(try String(contentsOf: folder.tests, encoding: .utf8) == made)
        let rights = try FileManager.default.attributesOfItem(atPath: folder.tests.path)
        #expect(rights[.posixPermissions] as? Int == 0o640)
        #expect(try folder.run(".", "--update").output == "PASS  ./orders.yaml    2 tests\n")
        #expect(try String(contentsOf: folder.tests, encoding: .utf8) == made)
    }

    @Test func `exits with 78 for a broken file, and updates nothing`() throws {
        let text = Self.wrong.replacing("record: {value: null}", with: "recrod: {value: null}")
        let folder = try Folder(tests: text)
        defer { folder.remove() }
        let ending = try folder.run("orders.test.yaml", "--update")
        #expect(ending.code == 78)
        #expect(ending.output == "")
        #expect(
            ending.errors.contains(
                """
                orders.test.yaml:8:5: error: unknown key 'recrod' in a test
                        recrod: {value: null}
                        ^~~~~~
                  did you mean 'record'?
                """))
        #expect(try String(contentsOf: folder.tests, encoding: .utf8) == text)
    }

    @Test func `warns of a connector without a test file`() throws {
        let folder = try Folder(tests: nil)
        defer { folder.remove() }
        let ending = try folder.run("orders.yaml")
        #expect(ending.code == 0)
        #expect(
            ending.errors.hasPrefix(
                """
                orders.yaml: warning: this connector has no test file
                  write orders.test.yaml: a record and its expected results
                """))
    }

    @Test func `exits with 66 if there is no file`() throws {
        let folder = try Folder(tests: Self.wrong)
        defer { folder.remove() }
        #expect(try folder.run("missing.yaml").code == 66)
    }

    @Test func `writes JUnit XML, even of a failure`() throws {
        let folder = try Folder(tests: Self.wrong)
        defer { folder.remove() }
        let ending = try folder.run("orders.yaml", "--junit", "results.xml")
        #expect(ending.code == 1)
        let xml = try String(
            contentsOf: folder.folder.appending(path: "results.xml"), encoding: .utf8)
        #expect(xml.contains(#"<failure message="requests[0].payload.aps.badge""#))
        #expect(try folder.run("orders.yaml", "--junit", "no/such/folder.xml").code == 66)
    }
}
