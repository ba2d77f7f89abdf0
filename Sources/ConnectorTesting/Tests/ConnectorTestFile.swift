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
        let found = read(path: path)
        return (found.file, found.diagnostics)
    }

    /// The same, with the schema that even a file with problems may name.
    static func read(
        path: String
    ) -> (file: ConnectorTestFile?, schema: TestSchema?, diagnostics: [Diagnostic]) {
        do throws(InputFile.Failure) {
            return load(bytes: try InputFile.read(path: path), path: path)
        } catch {
            let problem = Diagnostic(
                file: path, line: 0, column: 0, severity: .error,
                message: "cannot be read: \(error.reason)")
            return (nil, nil, [problem])
        }
    }

    /// Reads tests from the bytes of a file; paths in it are relative to the folder of `path`.
    static func load(
        bytes: [UInt8], path: String
    ) -> (file: ConnectorTestFile?, schema: TestSchema?, diagnostics: [Diagnostic]) {
        let document = YAMLDocument.read(bytes: bytes, file: path)
        let findings = TestFileFindings(document: document)
        guard let root = document.root else { return (nil, nil, findings.sorted) }
        let parts = TestFileReader(file: path, findings: findings).read(root)
        guard findings.diagnostics.isEmpty, let parts else {
            return (nil, parts?.schema, findings.sorted)
        }
        let file = ConnectorTestFile(
            file: path, now: parts.now, environment: parts.environment, tests: parts.tests,
            schema: parts.schema, bytes: bytes)
        return (file, parts.schema, [])
    }
}

/// The schema that a test file names.
struct TestSchema: Sendable {
    var encoding: SchemaEncoding
    /// Where it is named.
    var location: SourceLocation

    /// What is wrong with it for a connector in a test file; nil if it is in the connector's
    /// format.
    func problem(in file: String, of connector: Connector) -> Diagnostic? {
        let format = connector.source.format
        guard encoding != format.encoding else { return nil }
        return Diagnostic(
            file: file, line: location.line, column: location.column, severity: .error,
            message: "a schema in \(encoding.name) does not fit the connector's"
                + " 'format: \(format.rawValue)'",
            remedy: format.encoding.map { "name a schema in \($0.name)" }
                ?? "remove 'schema': these events have none")
    }
}
