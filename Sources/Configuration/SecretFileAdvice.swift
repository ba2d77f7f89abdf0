internal import YAML

/// Warns of files with secrets that other users may read or write.
struct SecretFileAdvice {
    let folder: String
    let findings: Findings

    /// The keys of a legacy listener, whose names do not all say that they are secret.
    private static let listening: Set = [
        "listen.certificate", "listen.certificate_key", "listen.passphrase",
    ]
    /// The keys of credentials, which are checked once they can be read.
    private static let credentials: Set = ["key", "certificate", "certificate_key", "passphrase"]

    /// Checks the files of settings that are secret: keys of seals, passwords, tokens.
    func check(_ settings: [String: Setting]) {
        for (path, setting) in settings {
            switch setting.value {
            case .properties(let properties):
                for property in properties where Secrets.isSecret(name: property.name) {
                    check(property.node, property.name)
                }
            default:
                let name = path.split(separator: ".").last.map(String.init) ?? path
                let isCredential = path.hasPrefix("apns.") && Self.credentials.contains(name)
                guard
                    Self.listening.contains(path) || Secrets.isSecret(name: name) && !isCredential
                else { continue }
                for node in setting.node.elements ?? [setting.node] { check(node, name) }
            }
        }
    }

    /// Checks the files that the value of a secret names, by references or as a path.
    func check(_ node: YAMLNode, _ name: String, isPath: Bool = false) {
        guard let written = node.text else { return }
        for path in paths(in: written, isPath: isPath) {
            let file = FilePath.resolve(path, in: folder)
            let message =
                InputFile.isWritableByOthers(file)
                ? "write" : InputFile.isOpenToOthers(file) ? "read" : nil
            guard let message else { continue }
            findings.warning(
                node, "other users can \(message) the file of '\(name)'", "run: chmod 600 \(file)")
        }
    }

    private func paths(in written: String, isPath: Bool) -> [String] {
        if isPath, !written.contains("-----BEGIN") { return [written] }
        var scanner = ReferenceScanner(written)
        var files: [String] = []
        while let part = scanner.next() {
            guard case .reference(let reference, _) = part, case .file(let path) = reference.source
            else { continue }
            files.append(path)
        }
        return files
    }
}
