import HTTPClient
import Testing

@testable import KafkaLogin

@Suite struct `The metadata of a container` {
    private static let full = "AWS_CONTAINER_CREDENTIALS_FULL_URI"

    @Test(arguments: [
        "http://example.com/", "http://169.254.170.2@example.com/", "http://127.0.0.1.example.com/",
        "http://169.254.170.2\\@example.com/", "http://169.254.170.24/", "http://[fd00:ec2::24]/",
        "http://169.254.170.2#@example.com/", "ftp://localhost/", "localhost", "http:///path",
        "http://localhost /", "http://169.254.169.254/",
    ])
    func `is not asked at an address that may be anyone's`(url: String) {
        let found = searchResult([Self.full: url, "HOME": nowhere]) { request in
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
        let found = searchResult([
            Self.full: url, "HOME": nowhere, "AWS_CONTAINER_AUTHORIZATION_TOKEN": "Bearer a",
        ]) { request in
            sent.append(request)
            return awsResponse(200, awsJSON)
        }
        let host = url.split(separator: "/")[1].replacing("]:80", with: "]")
        #expect(found.hasPrefix("AWS container credentials of http"))
        #expect(found.hasSuffix("://\(host)"), "\(found)")
        #expect(sent.map(\.headers) == [["Authorization: Bearer a"]])
        #expect(sent.map(\.isLocal) == [url.hasPrefix("http:")])
    }

    @Test(arguments: [
        (404, "{}", "refused: http://169.254.170.2: it responds 404"),
        (
            400, #"{"code":"AccessDenied","message":"no token open sesame"}"#,
            "refused: http://169.254.170.2: it responds 400: AccessDenied, no token …"
        ),
        (500, "", "unavailable: http://169.254.170.2: it responds 500"),
        (200, "<html>", "unavailable: http://169.254.170.2: the response is not JSON"),
        (
            200, #"{"AccessKeyId":"A","SecretAccessKey":"s","Expiration":"soon"}"#,
            "refused: http://169.254.170.2: the response has no credentials"
        ),
        (
            200, awsJSON.replacing("T16", with: "T09"),
            "refused: AWS container credentials of http://169.254.170.2: the credentials expired"
                + " at 2026-01-01T09:00:00.000Z: is the clock right?"
        ),
    ])
    func `is believed only where it speaks of credentials`(
        status: Int, body: String, expected: String
    ) throws {
        try withFile("open sesame\n") { path in
            let found = searchResult([
                "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/v2/secret?id=secret", "HOME": nowhere,
                "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": path,
            ]) { request in
                #expect(request.headers == ["Authorization: open sesame"])
                #expect(request.url == "http://169.254.170.2/v2/secret?id=secret")
                return awsResponse(status, body)
            }
            #expect(found == expected)
        }
    }
}

@Suite struct `The metadata of an instance` {
    private func found(_ responses: [HTTPResponse]) -> (result: String, sent: [AWSRequest]) {
        var sent: [AWSRequest] = []
        let found = searchResult(["HOME": nowhere]) { request in
            sent.append(request)
            return responses[sent.count - 1]
        }
        return (found.split(separator: "; ").last.map(String.init) ?? "", sent)
    }

    @Test(arguments: [
        [.failed("Timeout was reached")], [awsResponse(200, "tok"), .failed("reset")],
        [awsResponse(200, "tok"), awsResponse(404, "")],
        [awsResponse(200, "tok"), awsResponse(200, "")],
    ] as [[HTTPResponse]])
    func `are waited for while they do not respond or have no role`(responses: [HTTPResponse]) {
        var rest = responses
        let found = searchResult(["HOME": nowhere]) { _ in rest.removeFirst() }
        #expect(
            found.hasPrefix("unavailable: no AWS credentials: AWS_ACCESS_KEY_ID is not set;"),
            "\(found)")
    }

    @Test(arguments: [404, 403])
    func `are not waited for where the machine has no such address`(status: Int) {
        let found = searchResult(["HOME": nowhere]) { _ in awsResponse(status, "") }
        #expect(found.hasPrefix("refused: no AWS credentials: "), "\(found)")
    }

    @Test func `may be switched off, out of reach, or without a role`() {
        let address = "http://169.254.169.254"
        #expect(found([awsResponse(403, "")]).result == "\(address): it responds 403")
        #expect(
            found([awsResponse(200, "tok"), awsResponse(404, "")]).result
                == "\(address) has no role: it responds 404")
        #expect(
            found([awsResponse(200, "tok"), awsResponse(200, "\n")]).result
                == "\(address) has no role: the response is empty")
        #expect(
            found([awsResponse(503, "")]).result == "unavailable: \(address): it responds 503")
        let failed = #"{"Code":"AssumeRoleUnauthorizedAccess","Message":"EC2 cannot assume tok"}"#
        #expect(
            found([
                awsResponse(200, "tok"), awsResponse(200, "push"), awsResponse(200, failed),
            ]).result
                == "refused: \(address): the response has no credentials:"
                + " AssumeRoleUnauthorizedAccess, EC2 cannot assume …")
    }

    @Test func `are asked for another session once they have forgotten the first one`() {
        let forgotten = "unavailable: http://169.254.169.254: it responds 401"
        let replies = [awsResponse(200, "tok"), awsResponse(200, "push"), awsResponse(401, "")]
        #expect(found(replies).result == forgotten)
        #expect(found([replies[0], replies[2]]).result == forgotten)
    }

    @Test func `is asked for a token first, without a proxy`() {
        let (result, sent) = found([
            awsResponse(200, "tok"), awsResponse(200, "push role\n"), awsResponse(200, awsJSON),
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
