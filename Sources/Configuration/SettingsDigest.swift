internal import Encoding
internal import TLS
internal import YAML

/// A digest of what a connector file says, apart from credentials, trusted certificates and the
/// version of its keys: equal for files that differ in comments and layout only.
struct SettingsDigest {
    /// The keys whose values a running connector adopts by itself.
    private static let credentials = [
        "key", "key_id", "team_id", "certificate", "certificate_key", "passphrase", "ca_file",
    ]

    /// The digest as text.
    let text: String

    init(_ root: YAMLNode) {
        var bytes: [UInt8] = []
        Self.append(root, at: [], to: &bytes)
        text = String(decoding: Base64.url.encode(SHA256.hash(bytes)), as: UTF8.self)
    }

    private static func append(_ node: YAMLNode, at path: [String], to bytes: inout [UInt8]) {
        if let elements = node.elements {
            bytes.append(UInt8(ascii: "["))
            for element in elements { append(element, at: path + ["-"], to: &bytes) }
            bytes.append(UInt8(ascii: "]"))
        } else if let entries = node.entries {
            bytes.append(UInt8(ascii: "{"))
            for (key, value) in entries {
                let path = path + [key.text ?? ""]
                if isLeftOut(path) { continue }
                append(key, at: path, to: &bytes)
                append(value, at: path, to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        } else {
            appendScalar(node, to: &bytes)
        }
    }

    /// With its length in front, so that no text can look like another tree.
    private static func appendScalar(_ node: YAMLNode, to bytes: inout [UInt8]) {
        let text = node.text ?? ""
        let isPlain = if case .scalar(_, .plain) = node.kind { true } else { false }
        bytes += "\(isPlain ? "p" : "q")\(text.utf8.count):".utf8
        bytes += text.utf8
    }

    /// `version`, `apns.key`, `apns.apps.NAME.key`, or `results.seal`, whose keys are compared
    /// themselves.
    private static func isLeftOut(_ path: [String]) -> Bool {
        if path == ["results", "seal"] || path == ["version"] { return true }
        guard path.first == "apns", let last = path.last, credentials.contains(last) else {
            return false
        }
        return path.count == 2 || path.count == 4 && path[1] == "apps"
    }
}
