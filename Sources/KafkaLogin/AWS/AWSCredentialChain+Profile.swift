/// The credentials in the files of AWS's tools.
extension AWSCredentialChain {
    /// What leads to credentials that the bridge does not look for.
    private static let unsupported = [
        "source_profile", "credential_source", "credential_process", "web_identity_token_file",
    ]

    mutating func profile() throws(TokenFault) -> AWSCredentials? {
        let profile = environment["AWS_PROFILE"] ?? "default"
        let files = [
            path("AWS_SHARED_CREDENTIALS_FILE", "credentials").map { ($0, [profile]) },
            path("AWS_CONFIG_FILE", "config").map { path in
                (path, profile == "default" ? ["profile default", profile] : ["profile \(profile)"])
            },
        ]
        var isKnown = false
        for (path, names) in files.compactMap({ $0 }) {
            guard let file = try AWSProfileFile(path: path) else {
                skip("\(path) does not exist")
                continue
            }
            guard let settings = names.lazy.compactMap({ file[$0] }).first else {
                skip("\(path) has no profile '\(profile)'")
                continue
            }
            isKnown = true
            let source = "AWS profile '\(profile)' in \(path)"
            if let found = try credentials(in: settings, source) { return found }
            skip("\(source) has no aws_access_key_id")
        }
        // Whoever names a profile wants no other identity.
        if !isKnown, environment["AWS_PROFILE"] != nil {
            throw .refused("no AWS profile '\(profile)': " + searched.joined(separator: "; "))
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

    private func credentials(
        in settings: [String: String], _ source: String
    ) throws(TokenFault) -> AWSCredentials? {
        let other = settings.keys.sorted().first {
            Self.unsupported.contains($0) || $0.hasPrefix("sso_")
        }
        let id = settings["aws_access_key_id"]
        if let other, id == nil || settings["role_arn"] != nil {
            throw .refused(
                "\(source): '\(other)' is not supported: write aws_access_key_id and"
                    + " aws_secret_access_key, or name a profile with them in AWS_PROFILE, and its"
                    + " role in role_arn of aws_msk_iam")
        }
        guard let id else { return nil }
        guard let secret = settings["aws_secret_access_key"] else {
            throw .refused("\(source) has aws_access_key_id, but no aws_secret_access_key")
        }
        return try AWSCredentials(
            keyID: id, secret: secret,
            token: settings["aws_session_token"] ?? settings["aws_security_token"],
            source: source, now: now)
    }
}
