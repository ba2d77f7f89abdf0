import Configuration
import Foundation
import Testing

@testable import KafkaLogin

/// AWS's services, as a process of the tests.
private final class AWSServer {
    let address: String
    private let process = Process()
    private let input = Pipe()

    init() throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "aws_server.py").path
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-B", script]
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = input
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let port = line.trimmingCharacters(in: .whitespacesAndNewlines)
        try #require(!port.isEmpty, "the server did not start")
        address = "http://127.0.0.1:\(port)"
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}

@Suite struct `AWS's services on loopback` {
    /// The source of the credentials, or why there are none.
    private func source(
        _ server: AWSServer, _ environment: [String: String], role: String? = nil
    ) -> String {
        var variables = environment
        variables["HOME"] = "/nonexistent"
        variables["AWS_ENDPOINT_URL_STS"] = server.address
        let settings = KafkaLoginSettings.AWSMSK(
            region: "eu-west-1", roleARN: role, environment: variables)
        var surroundings = AWSEnvironment(settings)
        surroundings.instanceAddress = server.address
        surroundings.containerAddress = server.address
        var signer = MSKTokenSigner(surroundings, settings)
        do throws(TokenFault) {
            let now = Int64(Date().timeIntervalSince1970 * 1000)
            let token = try signer.fetch(now: now) { $0.send { true } }
            return "\(signer.source) for \(token.life.components.seconds) s"
        } catch {
            return error.detail
        }
    }

    @Test func `give credentials to an instance, to a container and for a role`() throws {
        let server = try AWSServer()
        #expect(source(server, [:]) == "AWS instance role push for 900 s")
        #expect(
            source(server, [:], role: "arn:aws:iam::123456789012:role/bridge")
                == "AWS role arn:aws:iam::123456789012:role/bridge, assumed with AWS instance role"
                + " push for 900 s")
        #expect(
            source(server, [:], role: "arn:aws:iam::123456789012:role/forbidden")
                == "\(server.address)/: it responds 403: AccessDenied, not authorized")
        let container = [
            "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/v1/credentials",
            "AWS_CONTAINER_AUTHORIZATION_TOKEN": "let me in",
        ]
        #expect(
            source(server, container)
                == "AWS container credentials of \(server.address) for 900 s")
    }
}
