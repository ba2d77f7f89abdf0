import Configuration
import Contracts
import Foundation
import Testing
import YAML

@testable import Mapping

/// The kinds of files whose keys a release has published.
enum ContractFile: String, CaseIterable {
    case connector, bridge
    case gateway = "legacy-gateway"
    case feedback = "feedback-service"

    /// The list of its keys.
    var list: String { "keys/\(rawValue).txt" }

    /// The schema of its keys now.
    func schema() throws -> YAMLNode {
        let text =
            switch self {
            case .connector: ConnectorSchema.json()
            case .bridge: ConnectorSchema.jsonOfProcessSettings()
            case .gateway: ConnectorSchema.json(of: .gateway)
            case .feedback: ConnectorSchema.json(of: .feedback)
            }
        return try YAMLDocument.parse(text, file: "schema.json")
    }

    /// Each key, with its default as in `workers = 1`, and each word that it may have as in
    /// `source.start: latest`; `*` is a name that the file chooses, and `[]` an element of a list.
    func keys() throws -> [String] { Self.keys(try schema(), path: "") }

    private static func keys(_ block: YAMLNode, path: String) -> [String] {
        (block["properties"]?.entries ?? []).flatMap { key, value in
            let name = key.text ?? ""
            let path = path.isEmpty ? name : "\(path).\(name)"
            let standard = value["default"]?.text.map { ["\(path) = \($0)"] } ?? []
            let words = Self.words(of: value).map { "\(path): \($0)" }
            let below = [(value, path)] + nested(value, path)
            return [path] + standard + words + below.flatMap { keys($0, path: $1) }
        }
    }

    /// The blocks in a map with any names, and those in a list.
    private static func nested(_ value: YAMLNode, _ path: String) -> [(YAMLNode, String)] {
        [("additionalProperties", ".*"), ("items", "[]")].compactMap { name, suffix in
            value[name].map { ($0, path + suffix) }
        }
    }

    private static func words(of node: YAMLNode) -> [String] {
        let own = (node["enum"]?.elements ?? []).compactMap(\.text)
        return own + (node["anyOf"]?.elements ?? []).flatMap(words)
    }
}

@Suite struct `The keys that a release has published` {
    @Test(arguments: ContractFile.allCases)
    func `have the same names, defaults and words now`(file: ContractFile) throws {
        let keys = try file.keys()
        for contract in Contract.having(file.list) {
            let missing = try contract.missing(file.list, from: keys)
            #expect(missing == [], "now there are:\n\(keys.joined(separator: "\n"))")
        }
    }

    @Test(arguments: ContractFile.allCases)
    func `are all listed`(file: ContractFile) throws {
        let unlisted = try Contract.unlisted(file.list, from: file.keys())
        #expect(unlisted == [])
    }

    @Test(arguments: ContractFile.allCases)
    func `are each used in a file of that release`(file: ContractFile) throws {
        for contract in Contract.having(file.list) {
            let folder = file == .connector ? "connectors" : "settings"
            let documents = try contract.names(in: folder)
                .filter { $0.hasSuffix(".yaml") && !$0.hasSuffix(".test.yaml") }
                .filter { file == .connector || $0.hasSuffix("\(file.rawValue).yaml") }
                .map { try YAMLDocument.parse(contract.text("\(folder)/\($0)"), file: $0) }
            let paths = try contract.lines(file.list).filter {
                !$0.contains(" ") && (file == .connector || !Self.isShared($0))
            }
            let used = documents.reduce(into: Set<String>()) { $0.formUnion(FileKeys.all(in: $1)) }
            let unused = paths.filter { !used.contains($0) }
            #expect(unused == [], "no file in \(contract)/\(folder) has them")
        }
    }

    /// True for a block that connectors have as well.
    private static func isShared(_ path: String) -> Bool {
        path.hasPrefix("kafka_login.") || path.hasPrefix("schema_registry.")
    }
}

/// The keys that a file uses.
enum FileKeys {
    /// The paths of all keys, as in the lists of a ``Contract``; those of one of several
    /// notifications also as those of a single one.
    static func all(in root: YAMLNode) -> Set<String> {
        let found = paths(in: root, at: "")
        let several = "notifications[]"
        return found.union(
            found.filter { $0.hasPrefix(several) }
                .map { "notification" + $0.dropFirst(several.count) })
    }

    private static func paths(in node: YAMLNode, at path: String) -> Set<String> {
        var found: Set<String> = path.isEmpty ? [] : [path]
        for (key, value) in node.entries ?? [] {
            let name = path.split(separator: ".").last == "apps" ? "*" : key.text ?? ""
            found.formUnion(paths(in: value, at: path.isEmpty ? name : "\(path).\(name)"))
        }
        for element in node.elements ?? [] {
            found.formUnion(paths(in: element, at: path + "[]"))
        }
        return found
    }
}

@Suite struct `The keys of test files that a release has published` {
    @Test(arguments: Contract.having("keys/test.txt"))
    func `are each used in a test file of that release`(contract: Contract) throws {
        let used = try contract.names(in: "connectors").filter { $0.hasSuffix(".test.yaml") }
            .map { try YAMLDocument.parse(contract.text("connectors/\($0)"), file: $0) }
            .reduce(into: Set<String>()) { $0.formUnion(FileKeys.all(in: $1)) }
        let unused = try contract.lines("keys/test.txt").filter { !used.contains($0) }
        #expect(unused == [], "no file in \(contract)/connectors has them")
    }
}

@Suite struct `The templates and patterns that a release has published` {
    /// The text of the connectors that have tests, in every release.
    private static let tested = Result {
        try Contract.having("connectors").flatMap { contract in
            let names = try contract.names(in: "connectors")
            return try names.filter { names.contains($0.replacing(".yaml", with: ".test.yaml")) }
                .filter { $0.hasSuffix(".yaml") && !$0.hasSuffix(".test.yaml") }
                .map { try contract.text("connectors/\($0)") }
        }.joined(separator: "\n")
    }

    @Test(arguments: TransformName.allCases)
    func `use each transform in a connector with tests`(transform: TransformName) throws {
        let name = transform.rawValue
        let text = try Self.tested.get()
        #expect(text.matches(of: #/\| *([a-z]+)\b/#).contains { $0.1 == name }, "none uses it")
    }

    @Test(arguments: PatternOperator.allCases)
    func `use each operator in a connector with tests`(name: PatternOperator) throws {
        #expect(try Self.tested.get().contains("{\(name.rawValue): "), "none uses it")
    }
}

@Suite struct `A file that a release could read` {
    @Test(arguments: Contract.having("connectors"))
    func `is read without an error, if it is a connector`(contract: Contract) throws {
        for name in try contract.names(in: "connectors")
        where name.hasSuffix(".yaml") && !name.hasSuffix(".test.yaml") {
            let path = contract.file("connectors/\(name)").path
            let loaded = ConnectorFile.load(path: path, environment: [:], mode: .inspect)
            #expect(
                loaded.connector != nil,
                "\(contract.broken(Diagnostic.report(loaded.diagnostics)))")
        }
    }

    @Test(arguments: Contract.having("settings"))
    func `is read without an error, if it has other settings`(contract: Contract) throws {
        let folder = try LegacyFolder()
        let token = try folder.write("admin.token", "0123456789abcdef\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: token)
        for name in try contract.names(in: "settings") {
            let path = try folder.write(name, contract.text("settings/\(name)"))
            let errors = ConnectorFile.load(path: path, environment: [:], mode: .lint)
                .diagnostics.filter { $0.severity == .error }
            #expect(errors == [], "\(contract.broken(Diagnostic.report(errors)))")
        }
    }
}
