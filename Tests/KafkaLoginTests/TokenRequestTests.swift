import Configuration
import Encoding
import Foundation
import HTTPClient
import Testing

@testable import KafkaLogin

/// A wall clock of the tests, in milliseconds.
private let now: Int64 = 1_700_000_000_000
private let url = "https://login/token"

/// A token that expires at a time in seconds; its signature is not checked here.
private func webToken(_ body: String) -> String {
    let parts = [#"{"alg":"RS256"}"#, body, "signature"]
    return parts.map { String(decoding: Base64.url.encode(Array($0.utf8)), as: UTF8.self) }
        .joined(separator: ".")
}

private func response(_ status: Int, _ body: String) -> HTTPResponse {
    .responded(status: status, body: Array(body.utf8))
}

/// What a request comes to when the endpoint answers so.
private func result(_ response: HTTPResponse) -> String {
    var oauth = KafkaLoginSettings.OAuth(tokenURL: url, clientID: "bridge")
    oauth.clientSecret = "open sesame"
    var request = TokenRequest(.oauth(oauth))
    do throws(TokenFault) {
        let token = try request.fetch(oauth, now: now) { _, _ in response }
        return "\(token.value.prefix(20)) for \(token.life.components.seconds) s"
    } catch {
        return switch error {
        case .refused(let detail): "refused: \(detail)"
        case .unavailable(let detail): "unavailable: \(detail)"
        }
    }
}

@Suite struct `A token endpoint` {
    @Test(arguments: [
        (#"{"access_token":"t","expires_in":60}"#, "t for 60 s"),
        (#"{"access_token":"t","expires_in":"60"}"#, "t for 60 s"),
        (#"{"access_token":"t"}"#, "t for 300 s"),
        (#"{"access_token":"t","expires_in":9223372036854775807}"#, "t for 31536000 s"),
        (
            #"{"access_token":"t","expires_in":0}"#,
            "refused: \(url): the token has expired: is the clock right?"
        ),
        (
            #"{"access_token":"a\nb","expires_in":60}"#,
            "refused: \(url): the token has characters that no token has"
        ),
        (
            #"{"access_token":"","expires_in":60}"#,
            "unavailable: \(url): the token is empty"
        ),
        (#"{"token_type":"bearer"}"#, "unavailable: \(url): the response has no access_token"),
        (
            #"{"access_token":null}"#, "unavailable: \(url): the response has no access_token"
        ),
        (
            #"{"error":"invalid_scope","error_description":"no open sesame\u001b[1m"}"#,
            #"refused: \#(url): the response has no access_token: invalid_scope, no …\u001b[1m"#
        ),
        ("[]", "unavailable: \(url): the response is not JSON: is it a token endpoint?"),
        (
            "<html>sign in</html>",
            "unavailable: \(url): the response is not JSON: is it a token endpoint?"
        ),
        ("", "unavailable: \(url): the response is not JSON: is it a token endpoint?"),
    ])
    func `is understood when it responds 200`(body: String, expected: String) {
        #expect(result(response(200, body)) == expected)
    }

    @Test func `may leave the life of a token to the token itself`() {
        let token = webToken(#"{"exp":1700000090}"#)
        let body = #"{"access_token":"\#(token)"}"#
        #expect(result(response(200, body)).hasSuffix(" for 90 s"))
        let other = webToken(#"{"exp":"soon"}"#)
        #expect(result(response(200, #"{"access_token":"\#(other)"}"#)).hasSuffix(" for 300 s"))
    }

    @Test(arguments: [
        (#""exp":1700000090"#, "3600", 90), (#""exp":1700003700"#, "3600", 3600),
        (#""exp":1700000090.5"#, #""3600""#, 90), (#""exp":1.70000009e9"#, "3600.9", 90),
        (#""exp":1700000090000"#, "3600.9", 3600), (#""exp":"soon""#, "3600", 3600),
        (#""exp":1e400"#, "3600", 3600), (#""exp":-1"#, "3600", 3600),
        (#""exp":-9223372036854775808"#, "3600", 3600),
        // The endpoint has just given it out: the clock of this machine is wrong.
        (#""exp":1699999000"#, "3600", 3600),
    ])
    func `and the token itself say how long it is valid, and the earlier of both ends counts`(
        claim: String, written: String, expected: Int
    ) {
        let token = webToken("{\(claim)}")
        let body = #"{"access_token":"\#(token)","expires_in":\#(written)}"#
        #expect(result(response(200, body)).hasSuffix(" for \(expected) s"))
    }

    @Test func `may not give out a token of a megabyte`() {
        let token = String(repeating: "a", count: 100_000)
        #expect(
            result(response(200, #"{"access_token":"\#(token)"}"#))
                == "refused: \(url): the token is larger than 64 KiB")
        #expect(
            result(.tooLarge(status: 200, beginning: []))
                == "refused: \(url): the response is larger than 256 KiB")
        #expect(
            result(.tooLarge(status: 503, beginning: []))
                == "unavailable: \(url): it responds 503")
    }

    @Test(arguments: [
        (
            302, "",
            "refused: \(url): it responds 302, and redirects are not followed: write the"
                + " address that it redirects to"
        ),
        (
            400, #"{"error":"invalid_grant"}"#,
            "refused: \(url): it responds 400: invalid_grant"
        ),
        (401, "", "refused: \(url): it responds 401"),
        (403, "<html>", "refused: \(url): it responds 403"),
        (404, "<html>", "unavailable: \(url): it responds 404"),
        (429, #"{"error":"slow_down"}"#, "unavailable: \(url): it responds 429: slow_down"),
        (500, "", "unavailable: \(url): it responds 500"),
        (503, "", "unavailable: \(url): it responds 503"),
    ])
    func `is believed only where it speaks of the login`(
        status: Int, body: String, expected: String
    ) {
        #expect(result(response(status, body)) == expected)
    }

    @Test func `is asked again when it cannot be reached`() {
        #expect(result(.failed("Could not connect")) == "unavailable: \(url): Could not connect")
    }
}

@Suite struct `A request for a token` {
    private struct Sent: Equatable {
        var form: String
        var authorization: String?
    }

    private func send(
        _ change: (inout KafkaLoginSettings.OAuth) -> Void, _ responses: [HTTPResponse]
    ) throws -> (sent: [Sent], request: TokenRequest) {
        var oauth = KafkaLoginSettings.OAuth(tokenURL: url, clientID: "the bridge")
        change(&oauth)
        var request = TokenRequest(.oauth(oauth))
        var sent: [Sent] = []
        _ = try? request.fetch(oauth, now: now) { form, options in
            let line = options.headers.first { $0.hasPrefix("Authorization: ") }
            sent.append(Sent(form: String(decoding: form, as: UTF8.self), authorization: line))
            return responses[sent.count - 1]
        }
        return (sent, request)
    }

    private let good = response(200, #"{"access_token":"t","expires_in":60}"#)

    @Test func `names the client in its header, encoded as the standard says`() throws {
        let sent = try send(
            {
                $0.clientSecret = "p:ä+"
                $0.scope = "kafka read"
            }, [good]
        ).sent
        let pair = Base64.standard.encode(Array("the+bridge:p%3A%C3%A4%2B".utf8))
        #expect(
            sent == [
                Sent(
                    form: "grant_type=client_credentials&scope=kafka+read",
                    authorization: "Authorization: Basic " + String(decoding: pair, as: UTF8.self))
            ])
    }

    @Test func `is repeated with the secret in its form where the server wants it there`() throws {
        let refusal = response(401, #"{"error":"invalid_client"}"#)
        let (sent, request) = try send({ $0.clientSecret = "p w" }, [refusal, good])
        #expect(
            sent.last
                == Sent(
                    form: "grant_type=client_credentials&client_id=the+bridge&client_secret=p+w"))
        // The next one begins with what the server took.
        var oauth = KafkaLoginSettings.OAuth(tokenURL: url, clientID: "b")
        oauth.clientSecret = "p"
        var next = request
        var forms: [String] = []
        _ = try next.fetch(oauth, now: now) { form, _ in
            forms.append(String(decoding: form, as: UTF8.self))
            return good
        }
        #expect(forms == ["grant_type=client_credentials&client_id=b&client_secret=p"])
    }

    @Test func `carries an assertion that is read each time`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("a.b.c\n".utf8).write(to: file)
        let sent = try send({ $0.assertionFile = file.path }, [good]).sent
        #expect(
            sent == [
                Sent(
                    form: "grant_type=client_credentials&client_id=the+bridge"
                        + "&client_assertion_type=urn%3Aietf%3Aparams%3Aoauth"
                        + "%3Aclient-assertion-type%3Ajwt-bearer&client_assertion=a.b.c")
            ])
    }

    @Test func `takes a token from a file, whose life is its own`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        var request = TokenRequest(.file(path: file.path))
        func read() -> String {
            do throws(TokenFault) {
                return "\(try request.fetch(now: now) { true }.life.components.seconds) s"
            } catch {
                return error.detail
            }
        }
        #expect(read() == "\(file.path) cannot be read: no such file or directory")
        try Data((webToken(#"{"exp":1700000060}"#) + "\n").utf8).write(to: file)
        #expect(read() == "60 s")
        try Data(webToken(#"{"exp":1700000060.75}"#).utf8).write(to: file)
        #expect(read() == "60 s")
        try Data(webToken(#"{"exp":1699999999}"#).utf8).write(to: file)
        #expect(read() == "\(file.path): the token has expired: is the clock right?")
        try Data(webToken(#"{"exp":-9223372036854775808}"#).utf8).write(to: file)
        #expect(read() == "\(file.path): the token has expired: is the clock right?")
        try Data().write(to: file)
        #expect(read() == "\(file.path): the token is empty")
        try Data(webToken(#"{"exp":1700000060000}"#).utf8).write(to: file)
        #expect(read() == "300 s", "milliseconds say nothing")
        try Data("opaque".utf8).write(to: file)
        #expect(read() == "300 s")
        try Data("two words".utf8).write(to: file)
        #expect(read() == "\(file.path): the token has characters that no token has")
        #expect(request.maxWait == .seconds(30))
    }
}
