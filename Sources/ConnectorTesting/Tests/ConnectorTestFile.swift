public import Configuration
internal import Mapping
internal import YAML

/// The tests of one connector, from the `NAME.test.yaml` next to it.
public struct ConnectorTestFile: Sendable {
    /// The path of the file, as given.
    public let file: String
    /// The only clock of the tests, in milliseconds since 1970.
    public let now: Int64
    /// The values of `${env:…}` in the connector.
    public let environment: [String: String]
    /// The tests, in order.
    public let tests: [ConnectorTest]
    /// What its events are in, if it names their schema.
    let schema: TestSchema?
    /// The file as it was read.
    let bytes: [UInt8]

    /// The path of a connector's test file.
    public static func path(ofConnector path: String) -> String {
        for ending in [".yaml", ".yml"] where path.hasSuffix(ending) {
            return path.dropLast(ending.count) + ".test.yaml"
        }
        return path + ".test.yaml"
    }

    /// Reads a test file strictly; throws a diagnostic if the file cannot be read.
    public static func load(
        path: String
    ) -> (file: ConnectorTestFile?, diagnostics: [Diagnostic]) {
        do throws(InputFile.Failure) {
            return load(bytes: try InputFile.read(path: path), path: path)
        } catch {
            return (
                nil,
                [
                    Diagnostic(
                        file: path, line: 0, column: 0, severity: .error,
                        message: "cannot be read: \(error.reason)")
                ]
            )
        }
    }

    /// Reads tests from the bytes of a file; paths in it are relative to the folder of `path`.
    static func load(
        bytes: [UInt8], path: String
    ) -> (file: ConnectorTestFile?, diagnostics: [Diagnostic]) {
        let document = YAMLDocument.read(bytes: bytes, file: path)
        let findings = TestFileFindings(document: document)
        guard let root = document.root else { return (nil, findings.sorted) }
        let parts = TestFileReader(file: path, findings: findings).read(root)
        guard findings.diagnostics.isEmpty, let parts else { return (nil, findings.sorted) }
        let file = ConnectorTestFile(
            file: path, now: parts.now, environment: parts.environment, tests: parts.tests,
            schema: parts.schema, bytes: bytes)
        return (file, [])
    }
}

/// The schema that a test file names.
struct TestSchema: Sendable {
    var encoding: SchemaEncoding
    /// Where it is named.
    var location: SourceLocation
}
