import Configuration
import Encoding
import HTTPClient
import Testing

@testable import KafkaLogin

/// 2026-01-01T10:00:00.123Z.
private let now: Int64 = 1_767_261_600_123
private let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"

private func credentials(
    _ keyID: String, token: String? = nil, expires: Int64? = nil
) throws -> AWSCredentials {
    try AWSCredentials(
        keyID: keyID, secret: secret, token: token, expires: expires, source: "tests", now: now)
}

@Suite struct `A token for Amazon MSK` {
    /// As aws-msk-iam-sasl-signer-python 1.0.2 signs it, without its last parameter, `User-Agent`.
    private static let vectors: [(keyID: String, token: String?, query: String)] = [
        (
            "AKIAIOSFODNN7EXAMPLE", nil,
            "%2F20260101%2Feu-west-1%2Fkafka-cluster%2Faws4_request&X-Amz-Date=20260101T100000Z"
                + "&X-Amz-Expires=900&X-Amz-SignedHeaders=host&X-Amz-Signature="
                + "16f8fc07cc52d656131c90b77aff8c30ad0403b4daf2375d8075841cb138672c"
        ),
        (
            "ASIAIOSFODNN7EXAMPLE", "IQoJb3JpZ2lu+/==",
            "%2F20260101%2Feu-west-1%2Fkafka-cluster%2Faws4_request&X-Amz-Date=20260101T100000Z"
                + "&X-Amz-Expires=900&X-Amz-SignedHeaders=host"
                + "&X-Amz-Security-Token=IQoJb3JpZ2lu%2B%2F%3D%3D&X-Amz-Signature="
                + "bc28246461117fa47a49773e39dff6a42601e4fdf69cc1f2ae54ce7703dc6293"
        ),
    ]

    @Test(arguments: vectors.indices)
    func `is the address that AWS's signer signs`(index: Int) throws {
        let vector = Self.vectors[index]
        let token = MSKTokenSigner.token(
            try credentials(vector.keyID, token: vector.token), region: "eu-west-1", now: now)
        let url = try #require(Base64.url.decode(Array(token.utf8)))
        #expect(
            String(decoding: url, as: UTF8.self)
                == "https://kafka.eu-west-1.amazonaws.com/?Action=kafka-cluster%3AConnect"
                + "&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=" + vector.keyID
                + vector.query)
    }

    @Test(arguments: [
        ("AKIAIOSFODNN7EXAMPLE", nil, "aec18e0b1a60f0e997a145869f2d92735bb6d0daf8602fd20d5e503fb0"),
        (
            "ASIAIOSFODNN7EXAMPLE", "IQoJb3JpZ2lu+/==",
            "aec958701a11c5177aa41ad6fe33a5394b31ba3d3f1c05a5b55d757663"
        ),
    ])
    func `may need a request for a role, which botocore would sign alike`(
        keyID: String, token: String?, signature: String
    ) throws {
        let form =
            "Action=AssumeRole&RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Fbridge"
            + "&RoleSessionName=apns-bridge&Version=2011-06-15"
        let lines = AWSSignature(
            credentials: try credentials(keyID, token: token), region: "eu-west-1", service: "sts",
            now: now
        ).header(host: "sts.eu-west-1.amazonaws.com", path: "/", form: Array(form.utf8))
        #expect(lines.first == "x-amz-date: 20260101T100000Z")
        #expect(lines.last?.contains("Signature=\(signature)") == true, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("x-amz-security-token: ") } == (token != nil))
    }

    private func signer(_ environment: [String: String]) -> MSKTokenSigner {
        let settings = KafkaLoginSettings.AWSMSK(
            region: "eu-west-1", environment: environment)
        return MSKTokenSigner(AWSEnvironment(settings), settings)
    }

    @Test func `is valid for 900 seconds, or until its credentials expire`() throws {
        var variables = ["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": secret]
        var fixed = signer(variables)
        let token = try fixed.fetch(now: now) { _ in .abandoned }
        #expect(token.life == .seconds(900))
        #expect(fixed.note == "the credentials do not expire")
        variables["AWS_CREDENTIAL_EXPIRATION"] = "2026-01-01T10:05:00Z"
        var ending = signer(variables)
        #expect(try ending.fetch(now: now) { _ in .abandoned }.life == .milliseconds(299_877))
        #expect(ending.note == "the credentials expire at 2026-01-01T10:05:00.000Z")
    }

    @Test func `looks for credentials again after a broker has rejected a login`() throws {
        var signer = signer(["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/v2/credentials"])
        var requests = 0
        func fetch(_ response: (Int) -> HTTPResponse) throws {
            _ = try signer.fetch(now: now) { _ in
                requests += 1
                return response(requests)
            }
        }
        func good(_ number: Int) -> HTTPResponse {
            let text = """
                {"AccessKeyId": "AKID\(number)", "SecretAccessKey": "s", "Token": "t",
                "Expiration": "2026-01-01T11:00:00Z"}
                """
            return .responded(status: 200, body: Array(text.utf8))
        }
        try fetch(good)
        signer.rejected()
        // A source that fails meanwhile does not bring the rejected credentials back.
        #expect(throws: TokenFault.self) { try fetch { _ in .failed("reset") } }
        try fetch(good)
        #expect(requests == 3)
        try fetch(good)
        #expect(requests == 3)
    }

    @Test func `keeps its credentials as long as they outlive the next one`() throws {
        let response = """
            {"AccessKeyId": "AKID", "SecretAccessKey": "s", "Token": "t",
            "Expiration": "2026-01-01T11:00:00Z"}
            """
        var signer = signer(["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/v2/credentials"])
        var requests = 0
        for minutes in [0, 11, 22, 33, 44, 46, 58] {
            _ = try signer.fetch(now: now + Int64(minutes) * 60_000) { _ in
                requests += 1
                return .responded(status: 200, body: Array(response.utf8))
            }
        }
        #expect(requests == 3)
        #expect(throws: TokenFault.self) {
            try signer.fetch(now: now + 3_600_000) { _ in
                .responded(status: 200, body: Array(response.utf8))
            }
        }
    }
}

@Suite struct `A time of AWS` {
    @Test(arguments: [
        ("2026-01-01T10:00:00Z", 1_767_261_600_000), ("1970-01-01T00:00:00Z", 0),
        ("2024-02-29T23:59:59.123Z", 1_709_251_199_000),
        ("2024-02-29T23:59:59+00:00", 1_709_251_199_000),
        ("2024-02-29T23:59:59+01:00", nil), ("2024-13-29T23:59:59Z", nil), ("2024-02-29", nil),
        ("soon", nil), ("2024-02-29 23:59:59Z", nil), ("2024-02-29T2b:59:59Z", nil),
    ] as [(String, Int64?)])
    func `is read, or is not one`(text: String, expected: Int64?) {
        #expect(AWSTime.milliseconds(of: text) == expected)
    }
}
