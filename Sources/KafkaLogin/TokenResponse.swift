internal import Encoding
internal import HTTPClient
internal import JSON

/// What the response of a token endpoint means.
enum TokenResponse {
    /// The token in a response at a wall-clock time in milliseconds.
    static func token(
        in answer: HTTPAnswer, from url: String, now: Int64
    ) throws(TokenFault) -> FetchedToken {
        switch answer {
        case .failed(let reason): throw .unavailable("\(url): \(reason)")
        case .abandoned: throw .unavailable("the process ends")
        case .tooLarge: throw .refused("\(url): the response is larger than 256 KiB")
        case .responded(let status, let body):
            return try token(status, body, url, now)
        }
    }

    /// Whether another way to say who asks may succeed.
    static func refusesClient(_ answer: HTTPAnswer) -> Bool {
        guard case .responded(let status, let body) = answer else { return false }
        return status == 401 || status == 400 && text("error", in: body) == "invalid_client"
    }

    private static func token(
        _ status: Int, _ body: [UInt8], _ url: String, _ now: Int64
    ) throws(TokenFault) -> FetchedToken {
        guard status == 200 else { throw fault(status, body, url) }
        var tape = JSONTape()
        guard (try? tape.read(body)) != nil, tape[0].kind == .object else {
            throw .unavailable("\(url): the response is not JSON: is it a token endpoint?")
        }
        guard let value = text("access_token", in: body) else {
            let error = explanation(in: body)
            throw .refused("\(url): the response has no access_token\(error)")
        }
        let seconds =
            number("expires_in", in: body)
            ?? WebToken.expiration(of: value).map { $0 - now / 1000 }
        let life = seconds.map { Duration.seconds(min($0, 86_400 * 365)) }
        return try FetchedToken(value, life: life ?? FetchedToken.unknownLife, at: url)
    }

    private static func fault(_ status: Int, _ body: [UInt8], _ url: String) -> TokenFault {
        let error = explanation(in: body)
        switch status {
        case 300..<400:
            return .refused(
                "\(url): it responds \(status), and redirects are not followed: write the address"
                    + " that it redirects to")
        case 400..<500 where status != 408 && status != 429 && !error.isEmpty:
            return .refused("\(url): it responds \(status)\(error)")
        case 401, 403: return .refused("\(url): it responds \(status)")
        default: return .unavailable("\(url): it responds \(status)\(error)")
        }
    }

    /// The error that a response names, as RFC 6749 has it.
    private static func explanation(in body: [UInt8]) -> String {
        guard let error = text("error", in: body) else { return "" }
        let message = text("error_description", in: body).map { ", \($0)" } ?? ""
        return ": " + SafeText.line(String((error + message).prefix(200)))
    }

    private static func text(_ name: String, in body: [UInt8]) -> String? {
        var tape = JSONTape()
        guard (try? tape.read(body)) != nil, tape[0].kind == .object else { return nil }
        return body.withBytes { bytes in
            tape.member(name, of: 0, in: bytes).flatMap { tape.text(of: $0, in: bytes) }
        }
    }

    /// A number, which some servers write as a string.
    private static func number(_ name: String, in body: [UInt8]) -> Int64? {
        if let text = text(name, in: body) { return Int64(text) }
        var tape = JSONTape()
        guard (try? tape.read(body)) != nil, tape[0].kind == .object else { return nil }
        return body.withBytes { bytes in
            tape.member(name, of: 0, in: bytes).flatMap { tape.integer(of: $0, in: bytes) }
        }
    }
}
