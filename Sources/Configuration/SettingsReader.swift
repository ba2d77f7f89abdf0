internal import Spelling
internal import YAML

/// Reads a connector file by the table of keys and collects every valid value.
struct SettingsReader {
    /// The values by path, for example `apns.key_id`.
    private(set) var settings: [String: Setting] = [:]
    let resolver: ReferenceResolver
    let findings: Findings
    /// The keys allowed at the top level.
    let keys: [ConnectorKey]
    /// What kind of file it is, and an example of how to begin it.
    let subject: String
    let beginning: String

    init(
        resolver: ReferenceResolver, findings: Findings, keys: [ConnectorKey] = ConnectorKey.root,
        subject: String = "a connector",
        beginning: String = "source: {topics: [shop.orders], group: apns-orders}"
    ) {
        self.resolver = resolver
        self.findings = findings
        self.keys = keys
        self.subject = subject
        self.beginning = beginning
    }

    /// More keys than any block has.
    private static let entryLimit = 1000

    /// Reads a whole file; false if it is not a map of keys that this release knows.
    mutating func read(_ root: YAMLNode) -> Bool {
        guard root.entries != nil else {
            let message = root.isNull ? "the file is empty" : "\(subject) must be a map of keys"
            findings.error(message, "start with: \(beginning)")
            return false
        }
        guard FileVersion.isReadable(root, findings) else { return false }
        readBlock(root, key: nil, keys: keys, path: "", inherited: [])
        return true
    }

    /// Reads one block; its key is nil at the top level. Keys in `inherited` are not required.
    private mutating func readBlock(
        _ block: YAMLNode, key: YAMLNode?, keys: [ConnectorKey], path: String,
        inherited: Set<String>
    ) {
        let entries = block.entries ?? []
        guard entries.count <= Self.entryLimit else {
            return findings.error(
                key ?? block, "more than \(Self.entryLimit) keys\(Self.location(path))",
                "valid keys: \(keys.map(\.name).joined(separator: ", "))")
        }
        for (name, value) in entries where !findings.isFull {
            guard let text = name.text else { continue }
            guard let known = keys.first(where: { $0.name == text }) else {
                refuse(unknown: text, name, keys: keys, path: path)
                continue
            }
            let path = path.isEmpty ? text : "\(path).\(text)"
            if case .named(let members) = known.kind {
                let names = Self.names(entries, keys).subtracting([text])
                readNamed(value, key: name, known, members, path: path, inherited: names)
            } else {
                readValue(value, key: name, known, path: path)
            }
        }
        // A misspelled key is one error, not two.
        let names = Self.names(entries, keys).union(inherited)
        for missing in keys where missing.isRequired && !names.contains(missing.name) {
            if missing.substitutes.contains(where: names.contains) { continue }
            report(missing, in: key, path: path)
        }
    }

    /// The keys in the block, with misspelled ones corrected.
    private static func names(
        _ entries: [(key: YAMLNode, value: YAMLNode)], _ keys: [ConnectorKey]
    ) -> Set<String> {
        Set(entries.compactMap(\.key.text).map { intended($0, keys: keys) })
    }

    /// Reads a map of names, each with its own block.
    private mutating func readNamed(
        _ node: YAMLNode, key: YAMLNode, _ known: ConnectorKey, _ keys: [ConnectorKey],
        path: String, inherited: Set<String>
    ) {
        guard let entries = node.entries else { return refuse(node, known) }
        if entries.isEmpty {
            findings.error(node, "'\(known.name)' is empty", known.example.map { "write \($0)" })
        }
        for (name, block) in entries where !findings.isFull {
            guard let text = name.text else { continue }
            guard Self.isName(text) else {
                findings.error(
                    name, "'\(text)' is not a valid name under '\(known.name)'",
                    "write 1 to 64 letters, digits, '-' and '_' only")
                continue
            }
            guard block.entries != nil else {
                findings.error(
                    block, "'\(text)' must be a map of keys",
                    "write the settings that differ, or {}")
                continue
            }
            readBlock(
                block, key: name, keys: keys, path: "\(path).\(text)", inherited: inherited)
        }
        settings[path] = Setting(value: .tree, key: key, node: node)
    }

    private static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
    }

    private mutating func readValue(
        _ node: YAMLNode, key: YAMLNode, _ known: ConnectorKey, path: String
    ) {
        switch known.kind {
        case .block(let keys):
            guard let entries = node.entries else { return refuse(node, known) }
            // An empty block has no settings, but is one itself.
            if entries.isEmpty { settings[path] = Setting(value: .tree, key: key, node: node) }
            readBlock(node, key: key, keys: keys, path: path, inherited: [])
        case .notification, .policy, .pattern, .templates:
            guard node.entries != nil else { return refuse(node, known) }
            settings[path] = Setting(value: .tree, key: key, node: node)
        case .template:
            guard node.text != nil, !node.isNull else { return refuse(node, known) }
            settings[path] = Setting(value: .tree, key: key, node: node)
        case .notifications:
            guard node.elements != nil else { return refuse(node, known) }
            settings[path] = Setting(value: .tree, key: key, node: node)
        case .texts:
            readTexts(node, key: key, known, path: path)
        case .properties:
            readProperties(node, key: key, known, path: path)
        default:
            readScalar(node, key: key, known, path: path)
        }
    }

    private func resolver(at path: String) -> ReferenceResolver {
        var resolver = resolver
        resolver.mode = resolver.mode.mode(at: path)
        return resolver
    }

    private mutating func readTexts(
        _ node: YAMLNode, key: YAMLNode, _ known: ConnectorKey, path: String
    ) {
        guard let elements = node.elements else {
            let written = Secrets.isSecret(name: known.name) ? nil : node.text
            let shown = written.flatMap { Secrets.mayContainUser($0) ? nil : $0 }
            return refuse(node, known, remedy: shown.map { "write [\($0)]" })
        }
        guard !elements.isEmpty else {
            findings.error(
                node, "'\(known.name)' is empty", known.example.map { "write \($0)" })
            return
        }
        guard elements.count <= Self.entryLimit else {
            return findings.error(
                node, "'\(known.name)' has more than \(Self.entryLimit) elements", nil)
        }
        let resolver = self.resolver(at: path)
        var texts: [(text: String, node: YAMLNode)] = []
        for element in elements {
            guard element.text != nil, !element.isNull else {
                findings.error(
                    element, "'\(known.name)' contains something that is not a string", nil)
                continue
            }
            guard case .text(let text, _) = resolver.resolve(element) else { continue }
            texts.append((text, element))
        }
        settings[path] = Setting(
            value: texts.count == elements.count ? .texts(texts) : .unknown, key: key, node: node)
    }

    private mutating func readProperties(
        _ node: YAMLNode, key: YAMLNode, _ known: ConnectorKey, path: String
    ) {
        guard let entries = node.entries else { return refuse(node, known) }
        guard entries.count <= Self.entryLimit else {
            return findings.error(
                node, "'\(known.name)' has more than \(Self.entryLimit) properties", nil)
        }
        let resolver = self.resolver(at: path)
        var properties: [Setting.Property] = []
        for (name, value) in entries {
            guard let text = name.text else { continue }
            guard value.text != nil, !value.isNull else {
                findings.error(
                    value, "the property '\(text)' must be a string, a number or a boolean",
                    value.elements == nil
                        ? "write \"\" for an empty string" : "write one string with commas")
                continue
            }
            guard case .text(let resolved, let isReplaced) = resolver.resolve(value) else {
                continue
            }
            properties.append(
                Setting.Property(
                    name: text, value: resolved,
                    isSecret: isReplaced || Secrets.isSecret(name: text), key: name, node: value))
        }
        settings[path] = Setting(value: .properties(properties), key: key, node: node)
    }

    private mutating func readScalar(
        _ node: YAMLNode, key: YAMLNode, _ known: ConnectorKey, path: String
    ) {
        guard node.text != nil, !node.isNull else { return refuse(node, known) }
        switch resolver(at: path).resolve(node) {
        case .failed: settings[path] = Setting(value: .unknown, key: key, node: node)
        case .unknown: settings[path] = Setting(value: .unknown, key: key, node: node)
        case .text(let text, let isReplaced):
            guard let value = ScalarReader.value(of: text, as: known.kind) else {
                let remedy = ScalarReader.remedy(for: text, known, isSecret: isReplaced)
                return refuse(node, known, resolved: text, remedy: remedy)
            }
            settings[path] = Setting(value: value, key: key, node: node, isSecret: isReplaced)
        }
    }
}

extension SettingsReader {
    /// Rejects a key that the block does not have, or no longer has.
    private func refuse(unknown text: String, _ name: YAMLNode, keys: [ConnectorKey], path: String)
    {
        if let known = keys.first(where: { $0.formerName == text }) {
            findings.error(
                name, "'\(text)' has been renamed to '\(known.name)'", "write \(known.name)")
            return
        }
        findings.error(
            name, "unknown key '\(text)'\(Self.location(path))",
            remedy(for: text, keys: keys, path: path))
    }

    /// Rejects a value of the wrong type, out of range, or with an unknown word.
    private func refuse(
        _ node: YAMLNode, _ known: ConnectorKey, resolved: String? = nil, remedy: String? = nil
    ) {
        let found =
            switch node.kind {
            case .sequence: ", not a list"
            case .mapping: ", not a map"
            case .scalar where node.isNull: ", but has no value"
            case .scalar(let text, _) where text.isEmpty: ", but is empty"
            case .scalar(let text, _) where resolved?.isEmpty == true:
                ", but '\(text)' is empty"
            case .scalar where Secrets.isSecret(name: known.name): ""
            case .scalar(let text, _) where Secrets.mayContainUser(text): ""
            case .scalar(let text, _): text.contains("${") ? "" : ", not '\(text)'"
            }
        if case .word(_, let later) = known.kind, let text = node.text, later.contains(text) {
            findings.error(
                node, "'\(known.name): \(text)' is not supported yet",
                "write \(known.expectation)")
            return
        }
        let remedy = remedy ?? Self.remedy(for: known)
        findings.error(node, "'\(known.name)' must be \(known.expectation)\(found)", remedy)
    }

    /// What to write for a key; a small block that requires nothing takes any of its keys.
    private static func remedy(for known: ConnectorKey) -> String? {
        if let example = known.example { return "write \(known.name): \(example)" }
        let required = known.keys.filter(\.isRequired)
        let names = (required.isEmpty ? known.keys : required).map(\.name)
        guard let last = names.last, names.count < 5 else { return nil }
        let list = names.dropLast().joined(separator: ", ")
        let word = required.isEmpty ? "or" : "and"
        return "write \(known.name): with "
            + (list.isEmpty ? last : "\(list) \(word) \(last)")
    }

    private func report(_ missing: ConnectorKey, in key: YAMLNode?, path: String) {
        let message = "'\(missing.name)' is missing\(Self.location(path))"
        let remedy =
            if let example = missing.example {
                "write \(missing.name): \(example)"
            } else {
                "write \(missing.name): with "
                    + missing.keys.filter(\.isRequired).map(\.name).joined(separator: ", ")
            }
        if let key { findings.error(key, message, remedy) } else { findings.error(message, remedy) }
    }

    private static func intended(_ word: String, keys: [ConnectorKey]) -> String {
        let names = keys.map(\.name)
        return names.contains(word) ? word : Suggestion.nearest(to: word, among: names) ?? word
    }

    private static func location(_ path: String) -> String { path.isEmpty ? "" : " in \(path)" }

    private func remedy(
        for word: String, keys: [ConnectorKey], path: String
    ) -> String {
        let names = keys.map(\.name)
        let owners = Self.blocks(self.keys).filter { block in
            block.path != path && block.keys.contains { $0.name == word }
        }
        if let owner = owners.first, owners.count == 1 {
            let location = owner.path.isEmpty ? "at the top level" : "under '\(owner.path)'"
            return "'\(word)' belongs \(location)"
        }
        if let near = Suggestion.nearest(to: word, among: names) {
            return "did you mean '\(near)'?"
        }
        return "valid keys: \(names.joined(separator: ", "))"
    }

    /// Every block of the file with its path.
    private static func blocks(
        _ keys: [ConnectorKey], path: String = ""
    ) -> [(path: String, keys: [ConnectorKey])] {
        [(path, keys)]
            + keys.filter { !$0.keys.isEmpty }.flatMap { key in
                blocks(key.keys, path: path.isEmpty ? key.name : "\(path).\(key.name)")
            }
    }
}
