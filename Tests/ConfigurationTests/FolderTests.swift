import Configuration
import Foundation
import Testing

@Suite final class `A folder of connector files` {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(
            at: folder.appending(path: "more"), withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    @Test func `without a connector file is an error`() {
        let error = #expect(throws: Diagnostic.self) { try ConnectorFile.files(at: folder.path) }
        #expect(error?.message == "this folder contains no connector file")
    }

    @Test func `is read in alphabetical order, without test files`() throws {
        for name in ["b.yaml", "a.yaml", "a.test.yaml", ".c.yaml", "d.yml", "e.json"] {
            try write("", to: name)
        }
        let files = try ConnectorFile.files(at: folder.path)
        #expect(files == ["a.yaml", "b.yaml"].map { folder.path + "/" + $0 })
    }

    @Test func `is reported with the files that are not read`() throws {
        try write(Example.text, to: "a.yaml")
        try write("", to: "b.yml")
        try write("", to: "a.test.yaml")
        let result = ConnectorFile.load(
            paths: [folder.path, folder.path + "/a.test.yaml"],
            environment: try Example.environment())
        #expect(
            result.diagnostics.map(\.description) == [
                "\(folder.path)/b.yml: warning: this file is ignored\n"
                    + "  rename it: the names of connector files end in .yaml",
                "\(folder.path)/a.test.yaml: error: this is a connector's test file\n"
                    + "  pass the connector itself: \(folder.path)/a.yaml; "
                    + "'apns-bridge test' runs its tests",
            ])
    }

    @Test func `may not share a retry topic`() throws {
        let retry = Example.text + "  retry: apns.retry\n  seal: [\"${env:KEY}\"]\n"
        try write(retry, to: "a.yaml")
        try write(
            retry.replacing("apns.outcomes", with: "more.outcomes")
                .replacing("apns-orders", with: "b"), to: "b.yaml")
        try write(
            retry.replacing("apns.retry", with: "c.retry").replacing("apns-orders", with: "c"),
            to: "c.yaml")
        let result = ConnectorFile.load(
            paths: [folder.path], environment: try Example.environment())
        #expect(
            result.diagnostics.map(\.message) == [
                "the connector 'b' also uses the topic 'apns.retry'",
                "the connector 'a' also uses the topic 'apns.retry'",
            ])
        #expect(result.diagnostics.first?.line == 20)
    }

    private func findings() throws -> [String] {
        ConnectorFile.load(paths: [folder.path], environment: try Example.environment())
            .diagnostics.map { finding in
                let name = finding.file.split(separator: "/").last ?? ""
                return "\(name):\(finding.line): \(finding.severity.rawValue): "
                    + "\(finding.message) | \(finding.remedy ?? "")"
            }
    }

    @Test func `may not have two connectors that share the events of a topic`() throws {
        try write(Example.text, to: "a.yaml")
        try write(
            Example.text.replacing("[shop.orders]", with: "[shop.returns, shop.orders]"),
            to: "b.yaml")
        #expect(
            try findings()
                == ["b", "a"].map { other in
                    let own = other == "a" ? "b" : "a"
                    return "\(own).yaml:3: error: the connector '\(other)' reads the topic "
                        + "'shop.orders' with the same group 'apns-orders': each would receive "
                        + "only some of the events | give each connector a group of its own"
                })
    }

    @Test func `causes a warning if connectors of one group read different topics`() throws {
        try write(Example.text, to: "a.yaml")
        try write(Example.text.replacing("shop.orders", with: "shop.returns"), to: "b.yaml")
        #expect(
            try findings()
                == ["b", "a"].map { other in
                    let own = other == "a" ? "b" : "a"
                    return "\(own).yaml:3: warning: the connector '\(other)' has the same group "
                        + "'apns-orders': a rebalance of either one interrupts both "
                        + "| give each connector a group of its own"
                })
    }

    @Test func `may have one group on two clusters, and two groups on one topic`() throws {
        try write(Example.text, to: "a.yaml")
        try write(
            Example.text.replacing("localhost:9092", with: "kafka-2.example.com:9092"),
            to: "b.yaml")
        try write(Example.text.replacing("apns-orders", with: "c"), to: "c.yaml")
        #expect(try findings().isEmpty)
    }

    @Test func `counts connectors that name a common broker as one cluster`() throws {
        try write(Example.text.replacing("localhost:9092", with: "\"x:1, y:2\""), to: "a.yaml")
        try write(Example.text.replacing("localhost:9092", with: "\"y:2,z:3\""), to: "b.yaml")
        #expect(try findings().count == 2)
    }

    @Test func `is reported with the mistakes of all files together`() throws {
        try write(Example.text, to: "a.yaml")
        try write("workers: 0", to: "b.yaml")
        try write(Example.text, to: "more/a.yaml")
        let result = ConnectorFile.load(
            paths: [folder.path, folder.path + "/a.yaml", folder.path + "/more", "none.yaml"],
            environment: try Example.environment())
        #expect(result.files.count == 3)
        #expect(result.connectors.map(\.name) == ["a", "a"])
        let errors = result.diagnostics.map(\.message)
        #expect(errors.contains { $0.hasPrefix("'workers' must be") })
        #expect(errors.contains { $0.hasPrefix("another connector is already named 'a'") })
        #expect(errors.last == "cannot be read: no such file or directory")
    }
}
