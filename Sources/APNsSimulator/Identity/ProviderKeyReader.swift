internal import Spelling
internal import TLS
internal import YAML

/// Reads a file of provider keys; every error contains its position and what to write instead.
struct ProviderKeyReader {
    private static let example =
        "{key: AuthKey_ABC123DEFG.p8, key_id: ABC123DEFG, team_id: DEF123GHIJ}"
    private static let keys = [
        "key", "key_id", "team_id", "bundle_ids", "environment", "related_key_id",
    ]

    let file: String

    func read(_ bytes: [UInt8]) throws(YAMLError) -> ProviderKeyFile {
        let root = try NodeReader(
            try YAMLDocument.parse(bytes: bytes, file: file), file: file, keys: ["keys"])
        guard let elements = root.node["keys"]?.elements, !elements.isEmpty else {
            throw root.error(
                root.node["keys"] ?? root.node, "missing list of keys",
                "write 'keys:' followed by '- \(Self.example)'")
        }
        var keys: [ProviderKey] = []
        var signers: [String: SigningKey] = [:]
        var names: Set<String> = [SimulatorIdentity.defaultKeyID]
        for element in elements {
            let reader = try NodeReader(element, file: file, keys: Self.keys)
            let keyID = try identifier("key_id", in: reader)
            guard names.insert(keyID).inserted else {
                throw reader.error(
                    reader.node["key_id"] ?? element, "duplicate key '\(keyID)'",
                    keyID == SimulatorIdentity.defaultKeyID
                        ? "use a different one: this is the simulator's own" : "remove one of them")
            }
            let (signer, verifier) = try key(reader)
            signers[keyID] = signer
            keys.append(
                ProviderKey(
                    keyID: keyID, teamID: try identifier("team_id", in: reader), key: verifier,
                    bundleIDs: try bundleIDs(reader), environment: try environment(reader),
                    relatedKeyID: try reader.text("related_key_id", maximum: 64)))
        }
        try checkRelations(keys, names, elements)
        try checkCounts(keys, elements)
        return ProviderKeyFile(path: file, keys: keys, signers: signers)
    }

    private func identifier(_ key: String, in reader: NodeReader) throws(YAMLError) -> String {
        let remedy = "write the ten letters and digits that Apple assigned"
        guard let node = reader.node[key] else {
            throw reader.error(reader.node, "'\(key)' is missing", remedy)
        }
        guard let text = node.text, !text.isEmpty, text.utf8.count <= 64,
            text.utf8.allSatisfy({ Self.isLetterOrDigit($0) })
        else { throw reader.error(node, "'\(key)' is not valid", remedy) }
        return text
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// The private key, if the file contains one, and the public key.
    private func key(
        _ reader: NodeReader
    ) throws(YAMLError) -> (signer: SigningKey?, verifier: VerifyingKey) {
        guard let node = reader.node["key"], let name = node.text, !name.isEmpty else {
            throw reader.error(
                reader.node["key"] ?? reader.node, "'key' is not a path",
                "write the path of a .p8 file, relative to the folder of this file")
        }
        let bytes: [UInt8]
        do throws(InputFile.Failure) {
            bytes = try InputFile.read(path: path(name))
        } catch {
            throw reader.error(
                node, "cannot read '\(name)': \(error.reason)",
                error.isMissing
                    ? "paths are relative to this file's folder; 'openssl genpkey -algorithm EC "
                        + "-pkeyopt ec_paramgen_curve:P-256 -out \(name)' creates a key"
                    : "give the simulator permission to read it")
        }
        let isPublic = String(decoding: bytes, as: UTF8.self).contains("-BEGIN PUBLIC KEY-")
        do throws(TLSError) {
            if isPublic { return (nil, try VerifyingKey(pem: bytes)) }
            let signer = try SigningKey(pem: bytes)
            return (signer, try signer.publicKey)
        } catch {
            throw reader.error(
                node, "'\(name)' is not usable: \(error.detail)",
                "name the .p8 file of an APNs key, or its public key: EC on the curve P-256")
        }
    }

    private func path(_ name: String) -> String {
        if name.hasPrefix("/") { return name }
        guard let slash = file.lastIndex(of: "/") else { return name }
        return file[...slash] + name
    }

    private func bundleIDs(_ reader: NodeReader) throws(YAMLError) -> [String]? {
        guard let node = reader.node["bundle_ids"] else { return nil }
        let list = node.elements?.compactMap { $0.text } ?? []
        guard let count = node.elements?.count, count > 0, list.count == count,
            list.allSatisfy({ RequestBytes.isTopic([UInt8]($0.utf8)[...]) && !$0.isEmpty })
        else {
            throw reader.error(
                node, "'bundle_ids' must be a list of bundle identifiers",
                "write [com.example.shop], or remove 'bundle_ids' to allow all apps of the team")
        }
        return list
    }

    private func environment(
        _ reader: NodeReader
    ) throws(YAMLError) -> ProviderKey.Environment? {
        try reader.word("environment", ProviderKey.Environment.allCases.map(\.rawValue))
            .flatMap { ProviderKey.Environment(rawValue: $0) }
    }

    /// Throws when a topic-specific key has two related keys in one environment.
    private func checkCounts(
        _ keys: [ProviderKey], _ elements: [YAMLNode]
    ) throws(YAMLError) {
        for (key, element) in zip(keys, elements) where key.bundleIDs != nil {
            let all = keys.filter {
                $0.keyID != key.keyID
                    && (key.relatedKeyID == $0.keyID || $0.relatedKeyID == key.keyID)
            }
            let related = ProviderKey.Environment.allCases.filter(key.isValid)
                .map { environment in all.filter { $0.isValid(in: environment) } }
                .first { $0.count > 1 }
            guard let related, let node = element["key_id"] else { continue }
            let names = related.map { String(decoding: $0.keyID, as: UTF8.self) }
            throw YAMLError(
                file: file, location: node.location, length: node.length,
                message: "'\(node.text ?? "")' is related to \(names.joined(separator: " and "))",
                remedy: "a topic-specific key has at most one related key in an environment:"
                    + " remove 'related_key_id' from the others")
        }
    }

    /// Throws when a key is related to one that does not exist.
    private func checkRelations(
        _ keys: [ProviderKey], _ names: Set<String>, _ elements: [YAMLNode]
    ) throws(YAMLError) {
        for (key, element) in zip(keys, elements) {
            guard let related = key.relatedKeyID.map({ String(decoding: $0, as: UTF8.self) }),
                !names.contains(related), let node = element["related_key_id"]
            else { continue }
            let near = Suggestion.nearest(to: related, among: names.sorted())
            throw YAMLError(
                file: file, location: node.location, length: node.length,
                message: "unknown key '\(related)'",
                remedy: near.map { "did you mean '\($0)'?" }
                    ?? "write the 'key_id' of another key in this file")
        }
    }
}
