import Foundation
import HTTPClient
import Testing

@testable import KafkaLogin

private let xml = """
    <AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult>
    <Credentials><AccessKeyId>ASIA</AccessKeyId><SecretAccessKey>s</SecretAccessKey>
    <SessionToken>t</SessionToken><Expiration>2026-01-01T11:00:00Z</Expiration></Credentials>
    </AssumeRoleResult></AssumeRoleResponse>
    """

private func errorXML(_ code: String, _ message: String) -> String {
    "<ErrorResponse><Error><Type>Sender</Type><Code>\(code)</Code><Message>\(message)</Message>"
        + "</Error><RequestId>r</RequestId></ErrorResponse>"
}

@Suite struct `A role of AWS` {
    private static let address = "https://sts.eu-west-1.amazonaws.com/"
    private static let assumed =
        "AWS role \(role), assumed with AWS credentials of AWS_ACCESS_KEY_ID"

    private static let faults: [(response: HTTPResponse, expected: String)] = [
        (
            awsResponse(403, errorXML("AccessDenied", "User &quot;u&quot; is not authorized")),
            "refused: \(address): it responds 403: AccessDenied, User \"u\" is not authorized"
        ),
        (
            awsResponse(403, errorXML("SignatureDoesNotMatch", "x-amz-security-token:open+sesame")),
            "refused: \(address): it responds 403: SignatureDoesNotMatch, x-amz-security-token:…"
        ),
        (
            awsResponse(400, errorXML("ExpiredToken", "a\nb")),
            "refused: \(address): it responds 400: ExpiredToken, a\\nb"
        ),
        (
            awsResponse(400, errorXML("IDPCommunicationError", "retry")),
            "unavailable: \(address): it responds 400: IDPCommunicationError, retry"
        ),
        (awsResponse(503, "<html>"), "unavailable: \(address): it responds 503"),
        (
            awsResponse(200, "<html>"),
            "unavailable: \(address): the response has no credentials: is it STS?"
        ),
        (.failed("Timeout was reached"), "unavailable: \(address): Timeout was reached"),
        (
            awsResponse(200, xml.replacing("2026-01-01T11", with: "2026-01-01T09")),
            "refused: \(assumed): the credentials expired at 2026-01-01T09:00:00.000Z: is the clock"
                + " right?"
        ),
    ]

    @Test(arguments: faults)
    func `is refused in the words of STS, without secrets`(
        response: HTTPResponse, expected: String
    ) {
        #expect(searchResult(keys, role: role) { _ in response } == expected)
    }

    @Test func `is assumed with the credentials that were found`() throws {
        var sent: [AWSRequest] = []
        let found = searchResult(keys, role: role) { request in
            sent.append(request)
            return awsResponse(200, xml)
        }
        #expect(found == Self.assumed)
        let request = try #require(sent.first)
        #expect(sent.count == 1 && !request.isLocal)
        let form =
            "Action=AssumeRole&RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Fbridge"
            + "&RoleSessionName=apns-bridge&Version=2011-06-15"
        #expect(request.method == .post(Array(form.utf8)))
        #expect(request.headers.contains { $0.hasPrefix("Authorization: AWS4-HMAC-SHA256 ") })
    }

    @Test func `is given for a web identity, whose file is read each time`() throws {
        try withFile("a.b.c\n") { path in
            let variables = [
                "AWS_WEB_IDENTITY_TOKEN_FILE": path, "AWS_ROLE_ARN": role,
                "AWS_ROLE_SESSION_NAME": "push", "AWS_ENDPOINT_URL_STS": "http://127.0.0.1:4566",
            ]
            var sent: [AWSRequest] = []
            let found = searchResult(variables) { request in
                sent.append(request)
                return awsResponse(200, xml)
            }
            #expect(found == "AWS role \(role) by web identity of \(path)")
            #expect(sent.map(\.url) == ["http://127.0.0.1:4566/"])
            #expect(sent.first?.headers.contains { $0.hasPrefix("Authorization") } == false)
            let form =
                "Action=AssumeRoleWithWebIdentity"
                + "&RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Fbridge"
                + "&RoleSessionName=push&WebIdentityToken=a.b.c&Version=2011-06-15"
            #expect(sent.first?.method == .post(Array(form.utf8)))
            try Data("d.e.f\n".utf8).write(to: URL(filePath: path))
            _ = searchResult(variables) { request in
                if case .post(let form) = request.method {
                    #expect(String(decoding: form, as: UTF8.self).contains("=d.e.f&"))
                }
                return awsResponse(200, xml)
            }
        }
    }

    @Test(arguments: [
        (["AWS_ENDPOINT_URL": "https://aws.example.com"], "https://aws.example.com/"),
        (
            [
                "AWS_ENDPOINT_URL": "https://aws.example.com",
                "AWS_ENDPOINT_URL_STS": "https://sts.example.com",
            ], "https://sts.example.com/"
        ),
    ])
    func `comes from the address that the environment names`(
        addresses: [String: String], url: String
    ) {
        var sent: [String] = []
        _ = searchResult(keys.merging(addresses) { $1 }, role: role) { request in
            sent.append(request.url)
            return awsResponse(200, xml)
        }
        #expect(sent == [url])
    }

    @Test func `comes from a service whose authority the environment names`() {
        var files: [String?] = []
        _ = searchResult(keys.merging(["AWS_CA_BUNDLE": "/etc/ca.pem"]) { $1 }, role: role) {
            files.append($0.caFile)
            return awsResponse(200, xml)
        }
        #expect(files == ["/etc/ca.pem"])
    }

    /// What comes of an address of the service, which no request may reach.
    private func refusal(of address: String) -> String {
        searchResult(
            keys.merging(["AWS_ENDPOINT_URL_STS": address]) { $1 }, role: role
        ) { request in
            Issue.record("it asked \(request.url)")
            return .abandoned
        }
    }

    @Test(arguments: ["sts.example.com", "127.0.0.1.example.com", "169.254.170.2"])
    func `is not asked for in clear text on a network`(host: String) {
        #expect(
            refusal(of: "http://\(host)/")
                == "refused: AWS_ENDPOINT_URL_STS would send credentials in clear text to \(host):"
                + " write https://\(host)")
    }

    @Test(arguments: ["https://sts.example.com/?key=a", "https://sts.example.com?key=a"])
    func `is not asked for with a query, which no message repeats`(address: String) {
        #expect(
            refusal(of: address)
                == "refused: AWS_ENDPOINT_URL_STS has a query, which STS does not take: write"
                + " https://sts.example.com")
    }

    @Test(arguments: [
        ("eu-west-1", "sts.eu-west-1.amazonaws.com"),
        ("us-gov-west-1", "sts.us-gov-west-1.amazonaws.com"),
        ("cn-north-1", "sts.cn-north-1.amazonaws.com.cn"),
        ("eusc-de-east-1", "sts.eusc-de-east-1.amazonaws.eu"),
    ])
    func `comes from the service of the region`(region: String, host: String) {
        #expect(AWSTokenService.host(in: region) == host)
    }
}
