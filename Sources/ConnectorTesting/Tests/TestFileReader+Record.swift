internal import Configuration
internal import Encoding
internal import FoundationEssentials
internal import YAML

/// Reads the record of a test.
extension TestFileReader {
    private static let values = ["value", "value_file", "value_text", "value_base64"]

    func record(_ node: YAMLNode) -> TestRecord {
        var record = TestRecord()
        let keys = Self.values + ["key", "headers", "timestamp", "topic"]
        guard check(keys: keys, of: node, in: "record") else { return record }
        record.value = value(node)
        if let key = node["key"], !key.isNull {
            record.key = text(key, "key", mayBeEmpty: true).map { Array($0.utf8) }
        }
        if let headers = node["headers"], !headers.isNull { record.headers = self.headers(headers) }
        if let timestamp = node["timestamp"] {
            if timestamp.isNull {
                record.time = .none
            } else if let time = time(timestamp, "timestamp") {
                record.time = .at(time)
            }
        }
        if let topic = node["topic"], text(topic, "topic") != nil { record.topic = topic }
        return record
    }

    private func value(_ node: YAMLNode) -> [UInt8]? {
        let given = Self.values.compactMap { name in node[name].map { (name, $0) } }
        guard let (name, value) = given.first else {
            findings.error(
                node, "a record without a value",
                "write value: {…}, or one of value_file, value_text, value_base64")
            return nil
        }
        if given.count > 1 {
            let key = node.entries?.first { $0.key.text == given[1].0 }?.key
            findings.error(
                key ?? given[1].1, "the record already has a value, from '\(name)'",
                "remove '\(given[1].0)' or '\(name)'")
            return nil
        }
        switch name {
        case "value_file": return event(file(value), value)
        case "value_text": return text(value, name, mayBeEmpty: true).map { Array($0.utf8) }
        case "value_base64": return base64(value)
        default:
            guard !value.isNull else { return nil }
            return event(TestValue(value, findings: findings).json, value)
        }
    }

    private func file(_ node: YAMLNode) -> [UInt8]? {
        guard let path = text(node, "value_file") else { return nil }
        let folder = FilePath.folder(of: file)
        do throws(InputFile.Failure) {
            return try InputFile.read(path: besideFile(path))
        } catch {
            findings.error(
                node, "the file '\(path)' cannot be read: \(error.reason)",
                "paths are relative to the folder of this file: \(FilePath.shown(folder))")
            return nil
        }
    }

    private func base64(_ node: YAMLNode) -> [UInt8]? {
        guard let text = text(node, "value_base64", mayBeEmpty: true) else { return nil }
        let characters = text.utf8.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: " ") }
        guard let bytes = Base64.standard.decode(characters) else {
            findings.error(
                node, "'value_base64' is not valid Base64", "write what base64 -w0 FILE prints")
            return nil
        }
        return bytes
    }

    private func headers(_ node: YAMLNode) -> [(name: String, value: [UInt8]?)] {
        if let entries = node.entries {
            return entries.map { ($0.key.text ?? "", header($0.value)) }
        }
        guard let elements = node.elements else {
            findings.error(
                node, "'headers' must be a map or a list of pairs",
                "write {name: value}, or [[name, value], …] for repeats")
            return []
        }
        return elements.compactMap { element in
            guard let pair = element.elements, pair.count == 2, let name = pair[0].text else {
                findings.error(element, "a header must be a pair", "write [name, value]")
                return nil
            }
            return (name, header(pair[1]))
        }
    }

    /// The value of a header; nil for a null one.
    private func header(_ node: YAMLNode) -> [UInt8]? {
        if node.isNull { return nil }
        return text(node, "headers", mayBeEmpty: true).map { Array($0.utf8) }
    }
}
