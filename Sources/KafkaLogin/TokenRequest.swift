internal import Configuration
internal import Encoding
internal import HTTPClient

/// Asks the source of a login for a token.
struct TokenRequest: Sendable {
    let settings: KafkaLoginSettings
    /// Whether the password goes into the form; most servers take it from the header.
    private var hasSecretInForm = false

    private var signer: MSKTokenSigner?

    init(_ settings: KafkaLoginSettings) {
        self.settings = settings
        if case .awsMSK(let aws) = settings { signer = MSKTokenSigner(AWSEnvironment(aws), aws) }
    }

    /// Where tokens come from.
    var source: String {
        switch settings {
        case .oauth(let oauth): oauth.tokenURL
        case .file(let path): path
        case .awsMSK: signer?.source ?? ""
        }
    }

    /// What else is to be known of the last token; nil when that is nothing.
    var note: String? { signer?.note }

    /// How long to wait at most before the source is asked again.
    var maxWait: Duration {
        switch settings {
        case .oauth, .awsMSK: .seconds(86_400)
        // Whoever writes the file does so at times of its own.
        case .file: .seconds(30)
        }
    }

    /// How long a token must have been in use before a rejected login has it replaced.
    var minAge: Duration {
        switch settings {
        case .oauth, .awsMSK: TokenPace.minAge
        // It may have been read while it was being written.
        case .file: TokenPace.minAgeOfFile
        }
    }

    /// A broker has rejected a login: nothing of the last token is used again.
    mutating func rejected() { signer?.rejected() }

    /// Asks for a token at a wall-clock time in milliseconds, on the calling thread.
    mutating func fetch(
        now: Int64, while mayContinue: () -> Bool
    ) throws(TokenFault) -> FetchedToken {
        switch settings {
        case .file(let path): return try Self.read(path, now: now)
        case .oauth(let oauth):
            return try fetch(oauth, now: now) { (form, options) in
                guard var client = HTTPGetter(options) else { return .failed("out of memory") }
                return client.post(form, to: oauth.tokenURL, while: mayContinue)
            }
        case .awsMSK(let aws):
            var signer = signer ?? MSKTokenSigner(AWSEnvironment(aws), aws)
            defer { self.signer = signer }
            return try signer.fetch(now: now) { $0.send(while: mayContinue) }
        }
    }

    /// The same, with `send` in place of the network.
    mutating func fetch(
        _ oauth: KafkaLoginSettings.OAuth, now: Int64,
        _ send: ([UInt8], HTTPGetterOptions) -> HTTPResponse
    ) throws(TokenFault) -> FetchedToken {
        let assertion = try oauth.assertionFile.map { path throws(TokenFault) in
            try TokenFile.text(of: path)
        }
        func ask(_ hasSecretInForm: Bool) -> HTTPResponse {
            let form = Self.form(oauth, assertion: assertion, hasSecret: hasSecretInForm)
            return send(form, Self.options(oauth, hasSecret: !hasSecretInForm))
        }
        var response = ask(hasSecretInForm)
        if TokenResponse.refusesClient(response), oauth.clientSecret != nil {
            let other = ask(!hasSecretInForm)
            if case .responded(200, _) = other {
                hasSecretInForm.toggle()
                response = other
            }
        }
        do throws(TokenFault) {
            return try TokenResponse.token(in: response, from: oauth.tokenURL, now: now)
        } catch {
            throw error.without([oauth.clientSecret, assertion].compactMap { $0 })
        }
    }

    private static func options(
        _ oauth: KafkaLoginSettings.OAuth, hasSecret: Bool
    ) -> HTTPGetterOptions {
        var options = HTTPGetterOptions()
        options.caFile = oauth.caFile
        options.maxBytes = 256 << 10
        // Without the second line, libcurl asks before it sends a larger body.
        options.headers = ["Content-Type: application/x-www-form-urlencoded", "Expect:"]
        if hasSecret, let secret = oauth.clientSecret {
            let pair = [oauth.clientID, secret].map(PercentEncoding.formField)
                .joined(separator: ":")
            let text = String(decoding: Base64.standard.encode(Array(pair.utf8)), as: UTF8.self)
            options.headers.append("Authorization: Basic \(text)")
        }
        return options
    }

    private static func form(
        _ oauth: KafkaLoginSettings.OAuth, assertion: String?, hasSecret: Bool
    ) -> [UInt8] {
        var fields = [("grant_type", "client_credentials")]
        if let scope = oauth.scope { fields.append(("scope", scope)) }
        if let assertion {
            fields.append(("client_id", oauth.clientID))
            fields.append(
                (
                    "client_assertion_type",
                    "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
                ))
            fields.append(("client_assertion", assertion))
        } else if hasSecret, let secret = oauth.clientSecret {
            fields.append(("client_id", oauth.clientID))
            fields.append(("client_secret", secret))
        }
        let pairs = fields.map { name, value in
            PercentEncoding.formField(name) + "=" + PercentEncoding.formField(value)
        }
        return Array(pairs.joined(separator: "&").utf8)
    }

    private static func read(_ path: String, now: Int64) throws(TokenFault) -> FetchedToken {
        let value = try TokenFile.text(of: path)
        let seconds = WebToken.expiration(of: value).map { $0 - now / 1000 }
        return try FetchedToken(
            value, life: seconds.map { .seconds($0) } ?? FetchedToken.unknownLife, at: path)
    }
}
