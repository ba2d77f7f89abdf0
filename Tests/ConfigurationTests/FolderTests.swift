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

    @Test func `without one is a mistake`() {
        let error = #expect(throws: Diagnostic.self) { try ConnectorFile.files(at: folder.path) }
        #expect(error?.message == "there is no connector file in this folder")
    }

    @Test func `holds every yaml file that is no test, in the order of names`() throws {
        for name in ["b.yaml", "a.yaml", "a.test.yaml", ".c.yaml", "d.yml", "e.json"] {
            try write("", to: name)
        }
        let files = try ConnectorFile.files(at: folder.path)
        #expect(files == ["a.yaml", "b.yaml"].map { folder.path + "/" + $0 })
    }

    @Test func `names files that are not read`() throws {
        try write(Example.text, to: "a.yaml")
        try write("", to: "b.yml")
        try write("", to: "a.test.yaml")
        let result = ConnectorFile.load(
            paths: [folder.path, folder.path + "/a.test.yaml"],
            environment: try Example.environment())
        #expect(
            result.diagnostics.map(\.description) == [
                "\(folder.path)/b.yml: warning: this file is not read\n"
                    + "  rename it: connector files end in .yaml",
                "\(folder.path)/a.test.yaml: error: this file holds the tests of a connector\n"
                    + "  name the connector: \(folder.path)/a.yaml; "
                    + "apns-bridge test runs its tests",
            ])
    }

    @Test func `may not share a retry topic`() throws {
        let retry = Example.text + "  retry: apns.retry\n"
        try write(retry, to: "a.yaml")
        try write(retry.replacing("apns.outcomes", with: "more.outcomes"), to: "b.yaml")
        try write(retry.replacing("apns.retry", with: "c.retry"), to: "c.yaml")
        let result = ConnectorFile.load(
            paths: [folder.path], environment: try Example.environment())
        #expect(
            result.diagnostics.map(\.message) == [
                "the connector 'b' uses the topic 'apns.retry', too",
                "the connector 'a' uses the topic 'apns.retry', too",
            ])
        #expect(result.diagnostics.first?.line == 20)
    }

    @Test func `is read whole, mistakes of all files together`() throws {
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
        #expect(errors.contains { $0.hasPrefix("a connector with the name 'a' is there already") })
        #expect(errors.last == "cannot be read: no such file or directory")
    }
}
