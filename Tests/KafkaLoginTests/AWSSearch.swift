import Configuration
import Foundation
import HTTPClient

@testable import KafkaLogin

/// 2026-01-01T10:00:00.123Z.
private let now: Int64 = 1_767_261_600_123

/// A home folder without files.
let nowhere = "/nonexistent"

/// What the signer comes to: the source of its credentials, or why there are none.
func searchResult(
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

/// What a service of AWS responds.
func awsResponse(_ status: Int, _ body: String) -> HTTPResponse {
    .responded(status: status, body: Array(body.utf8))
}

/// Credentials as metadata have them.
let awsJSON = """
    {"Code": "Success", "AccessKeyId": "ASIA", "SecretAccessKey": "open+sesame", "Token": "t/=",
    "Expiration": "2026-01-01T16:00:00Z"}
    """

/// Credentials as variables have them.
let keys = ["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "open+sesame"]
/// A role.
let role = "arn:aws:iam::123456789012:role/bridge"

/// Runs with a file that has a text.
func withFile<Result>(
    _ text: String, _ body: (String) throws -> Result
) throws -> Result {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(text.utf8).write(to: file)
    return try body(file.path)
}
