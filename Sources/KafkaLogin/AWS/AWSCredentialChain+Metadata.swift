internal import Encoding
internal import HTTPClient
internal import JSON

/// The credentials that AWS gives to a container or to a machine, at an address of its own.
extension AWSCredentialChain {
    /// Where AWS's own agents are, besides this machine.
    private static let agents = ["169.254.170.2", "169.254.170.23", "fd00:ec2::23"]

    mutating func container(_ send: AWSRequest.Sender) throws(TokenFault) -> AWSCredentials? {
        let (relative, full) = (
            "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI"
        )
        let endpoint: AWSEndpoint
        if let path = environment[relative] {
            guard path.hasPrefix("/"),
                let found = AWSEndpoint(environment.containerAddress + path)
            else { throw .refused("\(relative) is not a path: write /PATH") }
            endpoint = found
        } else if let url = environment[full] {
            endpoint = try Self.allowed(url, full)
        } else {
            skip("\(full) is not set")
            return nil
        }
        var request = AWSRequest(url: endpoint.url, isLocal: endpoint.scheme == "http")
        let token = try containerToken()
        if let token { request.headers = ["Authorization: \(token)"] }
        return try Self.credentials(
            in: send(request), from: endpoint.shown,
            named: "AWS container credentials of \(endpoint.shown)",
            hiding: token.map { [$0] } ?? [], now: now)
    }

    /// The token of a container would be sent to whoever is at the address.
    private static func allowed(_ url: String, _ name: String) throws(TokenFault) -> AWSEndpoint {
        guard let endpoint = AWSEndpoint(url) else {
            throw .refused("\(name) is not an address: write http://169.254.170.23/PATH")
        }
        let isAllowed =
            endpoint.scheme == "https" || agents.contains(endpoint.name)
            || Loopback.contains(endpoint.name)
        guard isAllowed else {
            throw .refused(
                "\(name) is an address of neither this machine nor AWS: \(endpoint.shown): write"
                    + " https://, or one of \(agents.joined(separator: ", "))")
        }
        return endpoint
    }

    private func containerToken() throws(TokenFault) -> String? {
        let name = "AWS_CONTAINER_AUTHORIZATION_TOKEN"
        let token: String
        if let path = environment["\(name)_FILE"] {
            token = try TokenFile.text(of: path)
        } else if let value = environment[name] {
            token = value
        } else {
            return nil
        }
        guard !token.isEmpty, token.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
            throw .refused("\(name) or its file has characters that no header has")
        }
        return token
    }

    mutating func instance(_ send: AWSRequest.Sender) throws(TokenFault) -> AWSCredentials? {
        let name = "AWS_EC2_METADATA_DISABLED"
        if environment[name]?.lowercased() == "true" {
            skip("\(name) is true")
            return nil
        }
        let address = environment.instanceAddress
        let session = send(
            AWSRequest(
                method: .put, url: "\(address)/latest/api/token",
                headers: ["X-aws-ec2-metadata-token-ttl-seconds: 300"], isLocal: true))
        guard let token = try text(session, address) else { return nil }
        func get(_ path: String) -> HTTPResponse {
            send(
                AWSRequest(
                    url: "\(address)/latest/meta-data/iam/security-credentials/\(path)",
                    headers: ["X-aws-ec2-metadata-token: \(token)"], isLocal: true))
        }
        guard let role = try text(get(""), "\(address) has no role") else {
            // Roles are attached to instances that run already.
            mayAppear = true
            return nil
        }
        let response = get(PercentEncoding.pathSegment(role))
        // It has forgotten the session, of which the next attempt asks for another one.
        if case .responded(401, _) = response {
            throw .unavailable("\(address): it responds 401")
        }
        return try Self.credentials(
            in: response, from: address, named: "AWS instance role \(role)", hiding: [token],
            now: now)
    }

    /// The first line of a response; nil, with a note of why, when it has none.
    private mutating func text(
        _ response: HTTPResponse, _ subject: String
    ) throws(TokenFault) -> String? {
        switch response {
        case .responded(200, let body):
            let line = body.prefix { $0 > 0x20 && $0 < 0x7F }
            if !line.isEmpty { return String(decoding: line, as: UTF8.self) }
            skip("\(subject): the response is empty")
        case .responded(let status, _) where Self.mayPass(status),
            .tooLarge(let status, _) where Self.mayPass(status):
            throw .unavailable("\(environment.instanceAddress): it responds \(status)")
        case .responded(let status, _): skip("\(subject): it responds \(status)")
        case .failed(let reason):
            // At boot, the network may be late.
            mayAppear = true
            skip("\(subject): \(reason)")
        case .tooLarge, .abandoned: _ = try response.received(from: subject)
        }
        return nil
    }

    /// True for a status that says nothing about the role; 401 says that a session is forgotten.
    private static func mayPass(_ status: Int) -> Bool {
        status >= 500 || status == 429 || status == 401
    }

    private static func credentials(
        in response: HTTPResponse, from address: String, named source: String,
        hiding secrets: [String], now: Int64
    ) throws(TokenFault) -> AWSCredentials {
        let (status, body) = try response.received(from: address)
        func fault(_ problem: String) -> String {
            "\(address): \(problem)\(explanation(in: body, hiding: secrets))"
        }
        guard status == 200 else {
            let detail = fault("it responds \(status)")
            let isRefused = (400..<500).contains(status) && status != 408 && status != 429
            throw isRefused ? .refused(detail) : .unavailable(detail)
        }
        guard let document = try? JSONDocument(body), document.isObject else {
            throw .unavailable("\(address): the response is not JSON")
        }
        let written = document.text("Expiration")
        let expires = written.flatMap(AWSTime.milliseconds)
        guard let keyID = document.text("AccessKeyId"),
            let secret = document.text("SecretAccessKey"), expires != nil || written == nil
        else { throw .refused(fault("the response has no credentials")) }
        return try AWSCredentials(
            keyID: keyID, secret: secret, token: document.text("Token"), expires: expires,
            source: source, now: now)
    }

    /// The error that a response names.
    private static func explanation(in body: [UInt8], hiding secrets: [String]) -> String {
        guard let document = try? JSONDocument(body), document.isObject else { return "" }
        let code = document.text("code") ?? document.text("Code")
        let message = document.text("message") ?? document.text("Message")
        let parts = [code, message].compactMap { $0 }.filter { !$0.isEmpty }
        guard !parts.isEmpty, code != "Success" else { return "" }
        let hidden = TokenFault.refused(parts.joined(separator: ", ")).without(secrets).detail
        return ": " + SafeText.line(String(hidden.prefix(200)))
    }
}
