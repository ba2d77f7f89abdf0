internal import Encoding
internal import HTTPClient
internal import JSON

/// What the response of a token endpoint means.
enum TokenResponse {
    /// The token in a response at a wall-clock time in milliseconds.
    static func token(
        in reply: HTTPResponse, from url: String, now: Int64
    ) throws(TokenFault) -> FetchedToken {
        switch reply {
        case .failed(let reason): throw .unavailable("\(url): \(reason)")
        case .abandoned: throw .unavailable("the process ends")
        case .tooLarge(200, _): throw .refused("\(url): the response is larger than 256 KiB")
        case .tooLarge(let status, let beginning): throw fault(status, beginning, url)
        case .responded(let status, let body):
            return try token(status, body, url, now)
        }
    }

    /// Whether another way to say who asks may succeed.
    static func refusesClient(_ reply: HTTPResponse) -> Bool {
        guard case .responded(let status, let body) = reply else { return false }
        if status == 401 { return true }
        guard status == 400, let response = try? JSONDocument(body) else { return false }
        return response.text("error") == "invalid_client"
    }

    private static func token(
        _ status: Int, _ body: [UInt8], _ url: String, _ now: Int64
    ) throws(TokenFault) -> FetchedToken {
        guard status == 200 else { throw fault(status, body, url) }
        guard let response = try? JSONDocument(body), response.isObject else {
            throw .unavailable("\(url): the response is not JSON: is it a token endpoint?")
        }
        guard let value = response.text("access_token") else {
            let error = explanation(in: response)
            let detail = "\(url): the response has no access_token\(error)"
            throw error.isEmpty ? .unavailable(detail) : .refused(detail)
        }
        let written =
            response.text("expires_in").flatMap { Int64($0) } ?? response.wholePart("expires_in")
        let seconds = life(written: written, WebToken.expiration(of: value), now: now / 1000)
        let life = seconds.map { Duration.seconds(min($0, 86_400 * 365)) }
        return try FetchedToken(value, life: life ?? FetchedToken.unknownLife, at: url)
    }

    /// How many seconds a token is valid: brokers read what it says itself, so that the earlier of
    /// both ends counts. If its own end has passed by the clock of this machine, although it was
    /// just given out, that clock is wrong or the broker says so: what the endpoint says counts.
    private static func life(written: Int64?, _ expiration: Int64?, now: Int64) -> Int64? {
        let own = expiration.map { $0 - now }
        guard let written, let own, own > 0 else { return written ?? own }
        return min(written, own)
    }

    private static func fault(_ status: Int, _ body: [UInt8], _ url: String) -> TokenFault {
        var error = ""
        if let response = try? JSONDocument(body) { error = explanation(in: response) }
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
    private static func explanation(in response: borrowing JSONDocument) -> String {
        guard let error = response.text("error") else { return "" }
        let message = response.text("error_description").map { ", \($0)" } ?? ""
        return ": " + SafeText.line(String((error + message).prefix(200)))
    }
}

/// What a JSON Web Token says about itself; nobody checks its signature here.
enum WebToken {
    /// When it expires, in seconds since 1970; nil if it does not say so, or is something else.
    static func expiration(of token: String) -> Int64? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64.url.decode(Array(parts[1].utf8)) else {
            return nil
        }
        guard let claims = try? JSONDocument(bytes) else { return nil }
        return claims.wholePart("exp").flatMap { $0 < lastSecond ? max($0, 0) : nil }
    }

    /// In the year 5138: what is later is in milliseconds.
    private static let lastSecond: Int64 = 100_000_000_000
}
