internal import Encoding
internal import Glibc
internal import Mapping
internal import YAML

/// Reads `seal` and `seal_since`, which connectors and the feedback service have.
struct SealReader {
    let settings: [String: Setting]
    let findings: Findings
    /// What precedes the names of the two keys.
    let prefix: String

    /// The keys; nil without any. Every problem is reported.
    func read() -> SealKeys? {
        let since = since()
        guard let setting = settings[prefix + "seal"], case .texts(let texts) = setting.value else {
            return nil
        }
        var keys: [[UInt8]] = []
        for (text, node) in texts {
            let key = Array(text.trimmed.utf8)
            if !node.isReference { findings.keepSecret(text, written: "…") }
            // Without the line, which may contain the key.
            if key.count < SealKeys.minimumLength {
                findings.add(
                    .error, at: node.location, length: nil,
                    "a key of 'seal' has fewer than \(SealKeys.minimumLength) bytes",
                    "write one with: openssl rand -hex 32")
            } else if !node.isReference {
                findings.add(
                    .warning, at: node.location, length: nil,
                    "a key of 'seal' is written in this file",
                    "name its file: seal: [\"${file:seal.key}\"]")
            }
            keys.append(key)
        }
        return keys.isEmpty ? nil : SealKeys(keys: keys, since: since)
    }

    private func since() -> Int64? {
        guard let setting = settings[prefix + "seal_since"], let text = setting.text else {
            return nil
        }
        if settings[prefix + "seal"] == nil {
            findings.error(
                setting.key, "'seal_since' is only valid with 'seal'", "remove it, or write seal")
        }
        guard let time = EventTime.milliseconds(text) else {
            findings.error(
                setting.node, "'seal_since' must be a time",
                "write the time at which the first bridge began to seal: 2026-01-01T10:00:00Z")
            return nil
        }
        if settings[prefix + "seal"] != nil { advise(on: time, setting) }
        return time
    }

    /// Whoever may write can have a record of another time stored as long as this is set.
    private func advise(on time: Int64, _ setting: Setting) {
        let isAhead = time / 1000 > Int64(Glibc.time(nil))
        let message = isAhead ? "lies in the future: until then" : "is set:"
        findings.warning(
            setting.node,
            "'seal_since' \(message) records without a seal are accepted if a broker says that they"
                + " are older",
            isAhead
                ? "write the time at which the first bridge began to seal"
                : "remove it as soon as the records from before are gone")
    }
}

extension YAMLNode {
    /// True when it contains `${env:}` or `${file:}`.
    fileprivate var isReference: Bool { text?.contains("${") ?? false }
}
