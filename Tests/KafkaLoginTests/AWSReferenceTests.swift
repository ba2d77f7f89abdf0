import Encoding
import EventLoop
import Foundation
import JSON
import Testing

@testable import KafkaLogin

/// The Python of `make python-clients`, or the machine's own, if it has AWS's signer.
private let python: String? = {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    let own = root.appending(path: ".build/python-clients/bin/python3").path
    return [own, "/usr/bin/python3"].first { path in
        FileManager.default.isExecutableFile(atPath: path)
            && (try? output(path, ["-c", "import aws_msk_iam_sasl_signer"])) != nil
    }
}()

/// What a program writes; throws if it fails.
private func output(_ program: String, _ arguments: [String]) throws -> [UInt8] {
    let ending = try ChildProcess.run(program, arguments, limit: 1 << 30)
    try #require(ending.exitCode == 0)
    return [UInt8](ending.output)
}

@Suite struct `A token of AWS's own signer` {
    @Test(
        .enabled(
            if: python != nil,
            "Python has no aws_msk_iam_sasl_signer: make python-clients installs it"))
    func `is the bridge's, with the name of the signer behind it`() throws {
        let program = try #require(python)
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "signed_tokens.py").path
        let lines = try output(program, ["-B", script, "200", "1"])
            .split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == 200)
        for line in lines { try check(JSONDocument([UInt8](line))) }
    }

    private func check(_ line: consuming JSONDocument) throws {
        let now = line.integer("now") ?? 0
        let region = line.text("region") ?? ""
        let credentials = try AWSCredentials(
            keyID: line.text("key") ?? "", secret: line.text("secret") ?? "",
            token: line.text("session"), source: "tests", now: now)
        let theirs = try decoded(line.text("token") ?? "")
        let agent = try #require(theirs.firstRange(of: "&User-Agent="))
        let token = MSKTokenSigner.token(credentials, region: region, now: now)
        #expect(try decoded(token) == theirs[..<agent.lowerBound])
    }

    private func decoded(_ token: String) throws -> String {
        String(decoding: try #require(Base64.url.decode(Array(token.utf8))), as: UTF8.self)
    }
}
