/// Looks for credentials where AWS's own clients look for them, in their order.
struct AWSCredentialChain {
    let environment: AWSEnvironment
    /// The wall-clock time, in milliseconds.
    let now: Int64
    /// Where there were none, and why.
    private(set) var searched: [String] = []
    /// True when what was asked may have credentials in a while, as at boot.
    var mayAppear = false

    init(_ environment: AWSEnvironment, now: Int64) {
        self.environment = environment
        self.now = now
    }

    /// The first credentials that are found; an error names everything that was searched.
    mutating func credentials(_ send: AWSRequest.Sender) throws(TokenFault) -> AWSCredentials {
        if let found = try variables() { return found }
        if let found = try webIdentity(send) { return found }
        if let found = try profile() { return found }
        if let found = try container(send) { return found }
        if let found = try instance(send) { return found }
        let message = "no AWS credentials: " + searched.joined(separator: "; ")
        throw mayAppear ? .unavailable(message) : .refused(message)
    }

    /// Notes that there were none.
    mutating func skip(_ reason: String) { searched.append(reason) }

    private mutating func variables() throws(TokenFault) -> AWSCredentials? {
        let (idName, secretName) = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")
        switch (environment[idName], environment[secretName]) {
        case (nil, nil):
            skip("\(idName) is not set")
            return nil
        case (_?, nil): throw .refused("\(idName) is set, but \(secretName) is not")
        case (nil, _?): throw .refused("\(secretName) is set, but \(idName) is not")
        case (let id?, let secret?):
            return try AWSCredentials(
                keyID: id, secret: secret, token: environment["AWS_SESSION_TOKEN"],
                expires: expiration(),
                source: "AWS credentials of \(idName)", now: now)
        }
    }

    /// When the credentials of variables expire; nil when they do not.
    private func expiration() throws(TokenFault) -> Int64? {
        let name = "AWS_CREDENTIAL_EXPIRATION"
        guard let text = environment[name] else { return nil }
        guard let time = AWSTime.milliseconds(of: text) else {
            throw .refused("\(name) is not a time in UTC: write 2026-01-01T10:00:00Z")
        }
        return time
    }

    private mutating func webIdentity(
        _ send: AWSRequest.Sender
    ) throws(TokenFault) -> AWSCredentials? {
        let name = "AWS_WEB_IDENTITY_TOKEN_FILE"
        guard let path = environment[name] else {
            skip("\(name) is not set")
            return nil
        }
        guard let role = environment["AWS_ROLE_ARN"] else {
            throw .refused("\(name) is set, but AWS_ROLE_ARN is not")
        }
        let token = try TokenFile.text(of: path)
        guard !token.isEmpty else { throw .refused("\(path) is empty") }
        return try AWSTokenService(environment: environment, now: now).assumeRole(
            role, webIdentity: token, named: "AWS role \(role) by web identity of \(path)", send)
    }
}
