import Configuration
import Contracts
import Foundation
import Testing
import YAML

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
    /// `source.start: latest`.
    func keys() throws -> [String] { Self.keys(try schema(), path: "") }

    private static func keys(_ block: YAMLNode, path: String) -> [String] {
        (block["properties"]?.entries ?? []).flatMap { key, value in
            let name = key.text ?? ""
            let path = path.isEmpty ? name : "\(path).\(name)"
            let standard = value["default"]?.text.map { ["\(path) = \($0)"] } ?? []
            let words = Self.words(of: value).map { "\(path): \($0)" }
            return [path] + standard + words + keys(value, path: path)
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
        #expect(try Contract.unlisted(file.list, from: file.keys()) == [])
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
            let unused = paths.filter { path in
                !documents.contains { Self.node(at: path, in: $0) != nil }
            }
            #expect(unused == [], "no file in \(contract)/\(folder) has them")
        }
    }

    /// True for a block that connectors have as well.
    private static func isShared(_ path: String) -> Bool {
        path.hasPrefix("kafka_login.") || path.hasPrefix("schema_registry.")
    }

    /// The value of a key; one of a notification may be in a list of them.
    private static func node(at path: String, in root: YAMLNode) -> YAMLNode? {
        let names = path.split(separator: ".").map(String.init)
        var roots = [(root, names[...])]
        if names.first == "notification" {
            roots += (root["notifications"]?.elements ?? []).map { ($0, names.dropFirst()) }
        }
        return roots.lazy.compactMap { root, names in
            names.reduce(root) { node, name in node?[name] }
        }.first
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
