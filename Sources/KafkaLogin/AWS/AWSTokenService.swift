internal import Encoding
internal import HTTPClient

/// AWS's Security Token Service, which gives out the credentials of roles.
struct AWSTokenService {
    let environment: AWSEnvironment
    /// The wall-clock time, in milliseconds.
    let now: Int64

    /// The credentials of a role, for who presents a signed token of another issuer.
    func assumeRole(
        _ role: String, webIdentity token: String, named source: String, _ send: AWSRequest.Sender
    ) throws(TokenFault) -> AWSCredentials {
        let form = form([
            ("Action", "AssumeRoleWithWebIdentity"), ("RoleArn", role),
            ("RoleSessionName", environment.sessionName), ("WebIdentityToken", token),
        ])
        return try request(form, named: source, hiding: [token], send) { _ in [] }
    }

    /// The credentials of a role, for who has others already.
    func assumeRole(
        _ role: String, with credentials: AWSCredentials, _ send: AWSRequest.Sender
    ) throws(TokenFault) -> AWSCredentials {
        let form = form([
            ("Action", "AssumeRole"), ("RoleArn", role),
            ("RoleSessionName", environment.sessionName),
        ])
        let signature = AWSSignature(
            credentials: credentials, region: environment.region, service: "sts", now: now)
        return try request(
            form, named: "AWS role \(role), assumed with \(credentials.source)",
            hiding: credentials.secrets, send
        ) { endpoint in
            signature.header(host: endpoint.host, path: endpoint.path, form: form)
        }
    }

    private func form(_ fields: [(String, String)]) -> [UInt8] {
        let pairs = (fields + [("Version", "2011-06-15")]).map { name, value in
            name + "=" + PercentEncoding.formField(value)
        }
        return Array(pairs.joined(separator: "&").utf8)
    }

    private func request(
        _ form: [UInt8], named source: String, hiding secrets: [String],
        _ send: AWSRequest.Sender, _ signature: (AWSEndpoint) -> [String]
    ) throws(TokenFault) -> AWSCredentials {
        let endpoint = try endpoint()
        let response = send(
            AWSRequest(
                method: .post(form), url: endpoint.url,
                headers: ["Content-Type: \(AWSSignature.formType)"] + signature(endpoint),
                caFile: environment["AWS_CA_BUNDLE"]))
        let (status, body) = try response.received(from: endpoint.url)
        let text = String(decoding: body, as: UTF8.self)
        guard status == 200 else {
            throw Self.fault(status, text, endpoint.url, hiding: secrets)
        }
        guard let keyID = AWSXML.text(of: "AccessKeyId", in: text),
            let secret = AWSXML.text(of: "SecretAccessKey", in: text),
            let token = AWSXML.text(of: "SessionToken", in: text),
            let expires = AWSXML.text(of: "Expiration", in: text).flatMap(AWSTime.milliseconds)
        else { throw .unavailable("\(endpoint.url): the response has no credentials: is it STS?") }
        return try AWSCredentials(
            keyID: keyID, secret: secret, token: token, expires: expires, source: source, now: now)
    }

    private func endpoint() throws(TokenFault) -> AWSEndpoint {
        let names = ["AWS_ENDPOINT_URL_STS", "AWS_ENDPOINT_URL"]
        let found = names.lazy.compactMap { name in environment[name].map { (name, $0) } }.first
        guard let (name, written) = found else {
            return AWSEndpoint(scheme: "https", host: Self.host(in: environment.region), path: "/")
        }
        guard let endpoint = AWSEndpoint(written) else {
            throw .refused("\(name) is not the address of a service: write https://host")
        }
        // It would be signed as a part of the path, and stand in messages.
        guard !endpoint.path.contains("?") else {
            throw .refused(
                "\(name) has a query, which STS does not take: write"
                    + " \(endpoint.scheme)://\(endpoint.host)")
        }
        guard endpoint.scheme == "https" || Loopback.contains(endpoint.name) else {
            throw .refused(
                "\(name) would send credentials in clear text to \(endpoint.host): write"
                    + " https://\(endpoint.host)")
        }
        return endpoint
    }

    /// The host of the service in a region, which each partition of AWS has in a domain of its own.
    static func host(in region: String) -> String {
        let domains = [
            ("cn-", "amazonaws.com.cn"), ("eusc-", "amazonaws.eu"), ("us-iso-", "c2s.ic.gov"),
            ("us-isob-", "sc2s.sgov.gov"), ("eu-isoe-", "cloud.adc-e.uk"),
            ("us-isof-", "csp.hci.ic.gov"),
        ]
        let domain = domains.first { region.hasPrefix($0.0) }?.1 ?? "amazonaws.com"
        return "sts.\(region).\(domain)"
    }

    /// Errors that pass by themselves, although their status is one of a client's mistake.
    private static let passing = ["IDPCommunicationError", "Throttling", "RequestLimitExceeded"]

    private static func fault(
        _ status: Int, _ text: String, _ url: String, hiding secrets: [String]
    ) -> TokenFault {
        guard let code = AWSXML.text(of: "Code", in: text) else {
            let detail = "\(url): it responds \(status)"
            return [400, 401, 403].contains(status) ? .refused(detail) : .unavailable(detail)
        }
        let message = AWSXML.text(of: "Message", in: text).map { ", \($0)" } ?? ""
        // Of a signature that does not match, STS repeats all that was signed.
        let hidden = TokenFault.refused(code + message).without(secrets).detail
        let detail =
            "\(url): it responds \(status): " + SafeText.line(String(hidden.prefix(200)))
        let isPassing =
            status >= 500 || status == 429 || passing.contains { code.hasPrefix($0) }
        return isPassing ? .unavailable(detail) : .refused(detail)
    }
}
