import Configuration
import Foundation
import HTTPClient
import Testing

@testable import KafkaLogin

/// 2026-01-01T10:00:00.123Z.
private let now: Int64 = 1_767_261_600_123

/// A home folder without files.
private let nowhere = "/nonexistent"

/// What the signer comes to: the source of its credentials, or why there are none.
private func result(
    _ environment: [String: String], role: String? = nil,
    _ respond: (AWSRequest) -> HTTPResponse = { _ in .failed("no route") }
) -> String {
    let settings = KafkaLoginSettings.AWSMSK(
        region: "eu-west-1", roleARN: role, environment: environment)
    var signer = MSKTokenSigner(AWSEnvironment(settings), settings)
    do throws(TokenFault) {
        _ = try signer.fetch(now: now, respond)
        return signer.source
    } catch {
        return switch error {
        case .refused(let detail): "refused: \(detail)"
        case .unavailable(let detail): "unavailable: \(detail)"
        }
    }
}

private func response(_ status: Int, _ body: String) -> HTTPResponse {
    .responded(status: status, body: Array(body.utf8))
}

private let json = """
    {"Code": "Success", "AccessKeyId": "ASIA", "SecretAccessKey": "open+sesame", "Token": "t/=",
    "Expiration": "2026-01-01T16:00:00Z"}
    """

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

private let keys = ["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "open+sesame"]
private let role = "arn:aws:iam::123456789012:role/bridge"

/// Runs with a file that has a text.
private func withFile<Result>(
    _ text: String, _ body: (String) throws -> Result
) throws -> Result {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(text.utf8).write(to: file)
    return try body(file.path)
}

@Suite struct `A search for AWS credentials` {
    @Test func `names all that was searched when there are none`() {
        #expect(
            result(["HOME": nowhere])
                == "refused: no AWS credentials: AWS_ACCESS_KEY_ID is not set;"
                + " AWS_WEB_IDENTITY_TOKEN_FILE is not set; /nonexistent/.aws/credentials does not"
                + " exist; /nonexistent/.aws/config does not exist;"
                + " AWS_CONTAINER_CREDENTIALS_FULL_URI is not set;"
                + " http://169.254.169.254: no route")
        #expect(
            result(["AWS_EC2_METADATA_DISABLED": "true", "AWS_ACCESS_KEY_ID": ""]).hasSuffix(
                "neither AWS_CONFIG_FILE nor HOME is set; AWS_CONTAINER_CREDENTIALS_FULL_URI is"
                    + " not set; AWS_EC2_METADATA_DISABLED is true"))
    }

    @Test(arguments: [
        (
            ["AWS_ACCESS_KEY_ID": "AKID"],
            "refused: AWS_ACCESS_KEY_ID is set, but AWS_SECRET_ACCESS_KEY is not"
        ),
        (
            ["AWS_SECRET_ACCESS_KEY": "s"],
            "refused: AWS_SECRET_ACCESS_KEY is set, but AWS_ACCESS_KEY_ID is not"
        ),
        (
            keys.merging(["AWS_SESSION_TOKEN": "two words"]) { $1 },
            "refused: AWS credentials of AWS_ACCESS_KEY_ID: the credentials have characters that"
                + " none have"
        ),
        (
            keys.merging(["AWS_CREDENTIAL_EXPIRATION": "2026-01-01T10:00:00Z"]) { $1 },
            "refused: AWS credentials of AWS_ACCESS_KEY_ID: the credentials expired at"
                + " 2026-01-01T10:00:00.000Z: is the clock right?"
        ),
        (
            ["AWS_WEB_IDENTITY_TOKEN_FILE": "/gone"],
            "refused: AWS_WEB_IDENTITY_TOKEN_FILE is set, but AWS_ROLE_ARN is not"
        ),
        (
            ["AWS_WEB_IDENTITY_TOKEN_FILE": "/gone", "AWS_ROLE_ARN": role],
            "unavailable: /gone cannot be read: no such file or directory"
        ),
        (
            ["HOME": nowhere, "AWS_PROFILE": "push"],
            "refused: no AWS profile 'push': AWS_ACCESS_KEY_ID is not set;"
                + " AWS_WEB_IDENTITY_TOKEN_FILE is not set; /nonexistent/.aws/credentials does not"
                + " exist; /nonexistent/.aws/config does not exist"
        ),
    ])
    func `ends with what is half set`(environment: [String: String], expected: String) {
        #expect(result(environment) == expected)
    }

    @Test func `begins with the variables of the process`() {
        let all = keys.merging(["AWS_WEB_IDENTITY_TOKEN_FILE": "/gone"]) { $1 }
        #expect(result(all) == "AWS credentials of AWS_ACCESS_KEY_ID")
    }

    @Test(arguments: [
        "sso_session = s", "credential_process = /bin/keys", "role_arn = r\nsource_profile = b",
        "role_arn = r\ncredential_source = Environment",
    ])
    func `does not follow what the files of AWS's tools may lead to, and says so`(
        line: String
    ) throws {
        let name = line.split(separator: "\n").last?.prefix { $0 != " " } ?? ""
        try withFile("[default]\nregion = eu-west-1\n\(line)\n") { path in
            let found = result(["AWS_CONFIG_FILE": path, "AWS_SHARED_CREDENTIALS_FILE": nowhere])
            #expect(
                found.hasPrefix(
                    "refused: AWS profile 'default' in \(path): '\(name)' is not supported"),
                "\(found)")
        }
    }

    @Test func `takes the profile that a variable names, from either file`() throws {
        let text = """
            # a comment
            [default]
            aws_access_key_id = AKID

            [profile push]
            s3 =
              aws_access_key_id = nested
            aws_access_key_id=AKIAPUSH
            AWS_SECRET_ACCESS_KEY = a=b
            [empty]
            """
        try withFile(text) { path in
            let files = ["AWS_CONFIG_FILE": path, "AWS_SHARED_CREDENTIALS_FILE": nowhere]
            func of(_ profile: String) -> String {
                result(files.merging(["AWS_PROFILE": profile]) { $1 })
            }
            #expect(of("push") == "AWS profile 'push' in \(path)")
            #expect(
                result(files)
                    == "refused: AWS profile 'default' in \(path) has aws_access_key_id, but no"
                    + " aws_secret_access_key")
            #expect(of("empty").hasPrefix("refused: no AWS profile 'empty'"))
            let credentials = ["AWS_SHARED_CREDENTIALS_FILE": path, "AWS_CONFIG_FILE": nowhere]
            #expect(
                result(credentials.merging(["AWS_PROFILE": "empty"]) { $1 })
                    .contains("AWS profile 'empty' in \(path) has no aws_access_key_id;"))
        }
    }
}

@Suite struct `A role of AWS` {
    private static let address = "https://sts.eu-west-1.amazonaws.com/"
    private static let assumed =
        "AWS role \(role), assumed with AWS credentials of AWS_ACCESS_KEY_ID"

    private static let faults: [(response: HTTPResponse, expected: String)] = [
        (
            response(403, errorXML("AccessDenied", "User &quot;u&quot; is not authorized")),
            "refused: \(address): it responds 403: AccessDenied, User \"u\" is not authorized"
        ),
        (
            response(403, errorXML("SignatureDoesNotMatch", "x-amz-security-token:open+sesame")),
            "refused: \(address): it responds 403: SignatureDoesNotMatch, x-amz-security-token:…"
        ),
        (
            response(400, errorXML("ExpiredToken", "a\nb")),
            "refused: \(address): it responds 400: ExpiredToken, a\\nb"
        ),
        (
            response(400, errorXML("IDPCommunicationError", "retry")),
            "unavailable: \(address): it responds 400: IDPCommunicationError, retry"
        ),
        (response(503, "<html>"), "unavailable: \(address): it responds 503"),
        (
            response(200, "<html>"),
            "unavailable: \(address): the response has no credentials: is it STS?"
        ),
        (.failed("Timeout was reached"), "unavailable: \(address): Timeout was reached"),
        (
            response(200, xml.replacing("2026-01-01T11", with: "2026-01-01T09")),
            "refused: \(assumed): the credentials expired at 2026-01-01T09:00:00.000Z: is the clock"
                + " right?"
        ),
    ]

    @Test(arguments: faults)
    func `is refused in the words of STS, without secrets`(
        response: HTTPResponse, expected: String
    ) {
        #expect(result(keys, role: role) { _ in response } == expected)
    }

    @Test func `is assumed with the credentials that were found`() throws {
        var sent: [AWSRequest] = []
        let found = result(keys, role: role) { request in
            sent.append(request)
            return response(200, xml)
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
            let found = result(variables) { request in
                sent.append(request)
                return response(200, xml)
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
            _ = result(variables) { request in
                if case .post(let form) = request.method {
                    #expect(String(decoding: form, as: UTF8.self).contains("=d.e.f&"))
                }
                return response(200, xml)
            }
        }
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

@Suite struct `The metadata of a container` {
    private static let full = "AWS_CONTAINER_CREDENTIALS_FULL_URI"

    @Test(arguments: [
        "http://example.com/", "http://169.254.170.2@example.com/", "http://127.0.0.1.example.com/",
        "http://169.254.170.2\\@example.com/", "http://169.254.170.24/", "http://[fd00:ec2::24]/",
        "http://169.254.170.2#@example.com/", "ftp://localhost/", "localhost", "http:///path",
        "http://localhost /", "http://169.254.169.254/",
    ])
    func `is not asked at an address that may be anyone's`(url: String) {
        let found = result([Self.full: url, "HOME": nowhere]) { request in
            Issue.record("it asked \(request.url)")
            return .abandoned
        }
        #expect(found.hasPrefix("refused: \(Self.full) is "), "\(found)")
    }

    @Test(arguments: [
        "http://169.254.170.2/v2", "http://169.254.170.23/v1/credentials",
        "http://[fd00:ec2::23]/v1/credentials", "http://localhost:1234/x", "http://127.0.0.2/x",
        "http://[::1]:80/x", "https://example.com/x",
    ])
    func `is asked at the addresses of AWS and of this machine, without a proxy`(url: String) {
        var sent: [AWSRequest] = []
        let found = result([
            Self.full: url, "HOME": nowhere, "AWS_CONTAINER_AUTHORIZATION_TOKEN": "Bearer a",
        ]) { request in
            sent.append(request)
            return response(200, json)
        }
        #expect(found == "AWS container credentials of \(url.replacing(":80/", with: "/"))")
        #expect(sent.map(\.headers) == [["Authorization: Bearer a"]])
        #expect(sent.map(\.isLocal) == [url.hasPrefix("http:")])
    }

    @Test(arguments: [
        (404, "{}", "refused: http://169.254.170.2/v2: it responds 404"),
        (
            400, #"{"code":"AccessDenied","message":"no token open sesame"}"#,
            "refused: http://169.254.170.2/v2: it responds 400: AccessDenied, no token …"
        ),
        (500, "", "unavailable: http://169.254.170.2/v2: it responds 500"),
        (200, "<html>", "unavailable: http://169.254.170.2/v2: the response is not JSON"),
        (
            200, #"{"AccessKeyId":"A","SecretAccessKey":"s","Expiration":"soon"}"#,
            "refused: http://169.254.170.2/v2: the response has no credentials"
        ),
        (
            200, json.replacing("T16", with: "T09"),
            "refused: AWS container credentials of http://169.254.170.2/v2: the credentials expired"
                + " at 2026-01-01T09:00:00.000Z: is the clock right?"
        ),
    ])
    func `is believed only where it speaks of credentials`(
        status: Int, body: String, expected: String
    ) throws {
        try withFile("open sesame\n") { path in
            let found = result([
                "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/v2?id=secret", "HOME": nowhere,
                "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": path,
            ]) { request in
                #expect(request.headers == ["Authorization: open sesame"])
                #expect(request.url == "http://169.254.170.2/v2?id=secret")
                return response(status, body)
            }
            #expect(found == expected)
        }
    }
}

@Suite struct `The metadata of an instance` {
    private func found(_ responses: [HTTPResponse]) -> (result: String, sent: [AWSRequest]) {
        var sent: [AWSRequest] = []
        let found = result(["HOME": nowhere]) { request in
            sent.append(request)
            return responses[sent.count - 1]
        }
        return (found.split(separator: "; ").last.map(String.init) ?? "", sent)
    }

    @Test func `may be switched off, out of reach, or without a role`() {
        let address = "http://169.254.169.254"
        #expect(found([response(403, "")]).result == "\(address): it responds 403")
        #expect(
            found([response(200, "tok"), response(404, "")]).result
                == "\(address) has no role: it responds 404")
        #expect(
            found([response(200, "tok"), response(200, "\n")]).result
                == "\(address) has no role: the response is empty")
        #expect(
            found([response(503, "")]).result == "unavailable: \(address): it responds 503")
        let failed = #"{"Code":"AssumeRoleUnauthorizedAccess","Message":"EC2 cannot assume tok"}"#
        #expect(
            found([response(200, "tok"), response(200, "push"), response(200, failed)]).result
                == "refused: \(address): the response has no credentials:"
                + " AssumeRoleUnauthorizedAccess, EC2 cannot assume …")
    }

    @Test func `is asked for a token first, without a proxy`() {
        let (result, sent) = found([
            response(200, "tok"), response(200, "push role\n"), response(200, json),
        ])
        #expect(result == "AWS instance role push")
        #expect(sent.map(\.isLocal) == [true, true, true])
        #expect(sent.map(\.method) == [.put, .get, .get])
        #expect(
            sent.map(\.url) == [
                "http://169.254.169.254/latest/api/token",
                "http://169.254.169.254/latest/meta-data/iam/security-credentials/",
                "http://169.254.169.254/latest/meta-data/iam/security-credentials/push",
            ])
        #expect(sent.dropFirst().allSatisfy { $0.headers == ["X-aws-ec2-metadata-token: tok"] })
    }
}
