/// The credentials in the files of AWS's tools.
extension AWSCredentialChain {
    /// The settings of a profile in one file, and how messages name them.
    private typealias Part = (settings: [String: String], source: String)

    /// What leads to credentials that the bridge does not look for.
    private static let unsupported = [
        "source_profile", "credential_source", "credential_process", "web_identity_token_file",
        "role_arn",
    ]

    mutating func profile() throws(TokenFault) -> AWSCredentials? {
        let profile = environment["AWS_PROFILE"] ?? "default"
        let files = [
            path("AWS_SHARED_CREDENTIALS_FILE", "credentials").map { ($0, [profile]) },
            path("AWS_CONFIG_FILE", "config").map { path in
                (path, profile == "default" ? ["profile default", profile] : ["profile \(profile)"])
            },
        ]
        var parts: [Part] = []
        for (path, names) in files.compactMap({ $0 }) {
            guard let file = try AWSProfileFile(path: path) else {
                skip("\(path) does not exist")
                continue
            }
            guard let settings = names.lazy.compactMap({ file[$0] }).first else {
                skip("\(path) has no profile '\(profile)'")
                continue
            }
            parts.append((settings, "AWS profile '\(profile)' in \(path)"))
        }
        // Whoever names a profile wants no other identity.
        if parts.isEmpty, environment["AWS_PROFILE"] != nil {
            throw .refused("no AWS profile '\(profile)': " + searched.joined(separator: "; "))
        }
        return try credentials(in: parts)
    }

    /// Both files describe one profile: the keys of one may only lead to the role in the other.
    private mutating func credentials(in parts: [Part]) throws(TokenFault) -> AWSCredentials? {
        for part in parts { try Self.refuseUnsupported(in: part) }
        for part in parts {
            if let found = try credentials(in: part) { return found }
            skip("\(part.source) has no aws_access_key_id")
        }
        return nil
    }

    private mutating func path(_ variable: String, _ name: String) -> String? {
        if let path = environment[variable] {
            guard path.hasPrefix("~/"), let home = environment["HOME"] else { return path }
            return home + path.dropFirst()
        }
        guard let home = environment["HOME"] else {
            skip("neither \(variable) nor HOME is set")
            return nil
        }
        return "\(home)/.aws/\(name)"
    }

    private static func refuseUnsupported(in part: Part) throws(TokenFault) {
        let other =
            unsupported.first { part.settings[$0] != nil }
            ?? part.settings.keys.sorted().first { $0.hasPrefix("sso_") }
        guard let other else { return }
        throw .refused(
            "\(part.source): '\(other)' is not supported: name a profile in AWS_PROFILE that has"
                + " only aws_access_key_id and aws_secret_access_key, and its role in role_arn of"
                + " aws_msk_iam")
    }

    private func credentials(in part: Part) throws(TokenFault) -> AWSCredentials? {
        let (settings, source) = part
        guard let id = settings["aws_access_key_id"] else { return nil }
        guard let secret = settings["aws_secret_access_key"] else {
            throw .refused("\(source) has aws_access_key_id, but no aws_secret_access_key")
        }
        return try AWSCredentials(
            keyID: id, secret: secret,
            token: settings["aws_session_token"] ?? settings["aws_security_token"],
            source: source, now: now)
    }
}
