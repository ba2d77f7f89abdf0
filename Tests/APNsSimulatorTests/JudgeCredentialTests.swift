import Encoding
import TLS
import Testing

@testable import APNsSimulator

@Suite struct `The judge of credentials` {
    let fixture: JudgeFixture

    init() throws { fixture = try JudgeFixture() }

    private func response(_ authorization: String?) throws -> String {
        try fixture.response(["authorization": authorization])
    }

    @Test(arguments: [nil, "", "bearer", "bearer ", "basic abc"])
    func `rejects a missing token`(authorization: String?) throws {
        #expect(try response(authorization) == "403 MissingProviderToken")
    }

    @Test(arguments: ["bearer x", "bearer a.b", "bearer a.b.c", "bearer ..", "bearer e30.e30.e30"])
    func `rejects what is not a JSON web token`(authorization: String) throws {
        #expect(try response(authorization) == "403 InvalidProviderToken")
    }

    @Test func `rejects an incomplete token`() throws {
        let seconds = JudgeFixture.now / 1000
        let header = #"{"alg":"ES256","kid":"KEYNUMBER1"}"#
        let claims = #"{"iss":"TEAMNUMBR1","iat":\#(seconds)}"#
        #expect(try response(fixture.bearer(header: header, claims: claims)) == "200")
        for (header, claims) in [
            (#"{"alg":"HS256","kid":"KEYNUMBER1"}"#, claims), (#"{"kid":"KEYNUMBER1"}"#, claims),
            (#"{"alg":"ES256"}"#, claims), (header, #"{"iss":"TEAMNUMBR1"}"#),
            (header, #"{"iat":\#(seconds)}"#), (header, #"["iss"]"#), ("x", claims),
            (header, #"{"iss":"TEAMNUMBR1","iat":"\#(seconds).5"}"#),
            (header, #"{"iss":"TEAMNUMBR1","iat":"today"}"#),
            (header, #"{"iss":"TEAMNUMBR1","iat":1e300}"#),
            (header, #"{"iss":"TEAMNUMBR1","iat":true}"#),
            (header, #"{"iss":"TEAMNUMBR1","iat":-1}"#),
        ] {
            let bearer = try fixture.bearer(header: header, claims: claims)
            #expect(try response(bearer) == "403 InvalidProviderToken")
        }
    }

    @Test(arguments: ["1900000000", "1900000000.25", "1.9e9", "1899999999.999", "\"1900000000\""])
    func `accepts the time of issue as clients write it`(time: String) throws {
        let bearer = try fixture.bearer(
            header: #"{"alg":"ES256","kid":"KEYNUMBER1"}"#,
            claims: #"{"iss":"TEAMNUMBR1","iat":\#(time)}"#)
        #expect(try response(bearer) == "200")
    }

    @Test func `ignores the fraction of the time of issue`() throws {
        let bearer = try fixture.bearer(
            header: #"{"alg":"ES256","kid":"KEYNUMBER1"}"#,
            claims: #"{"iss":"TEAMNUMBR1","iat":1899996399.999}"#)
        #expect(try response(bearer) == "403 ExpiredProviderToken")
    }

    @Test func `rejects an unknown key`() throws {
        let header = #"{"alg":"ES256","kid":"KEYNUMBER9"}"#
        let claims = #"{"iss":"TEAMNUMBR1","iat":\#(JudgeFixture.now / 1000)}"#
        let bearer = try fixture.bearer(header: header, claims: claims)
        #expect(try response(bearer) == "403 InvalidProviderToken")
    }

    @Test func `rejects a team that does not own the key`() throws {
        let header = #"{"alg":"ES256","kid":"KEYNUMBER1"}"#
        let claims = #"{"iss":"TEAMNUMBR2","iat":\#(JudgeFixture.now / 1000)}"#
        let bearer = try fixture.bearer(header: header, claims: claims)
        #expect(try response(bearer) == "403 InvalidProviderToken")
    }

    @Test func `rejects a signature of another key`() throws {
        let header = #"{"alg":"ES256","kid":"KEYNUMBER2"}"#
        let claims = #"{"iss":"TEAMNUMBR2","iat":\#(JudgeFixture.now / 1000)}"#
        let bearer = try fixture.bearer(header: header, claims: claims)
        #expect(try response(bearer) == "403 InvalidProviderToken")
    }

    @Test func `accepts a token for one hour and not a second more`() throws {
        #expect(try response(fixture.bearer(age: 3600)) == "200")
        #expect(try response(fixture.bearer(age: 3601)) == "403 ExpiredProviderToken")
    }

    @Test func `rejects a token from the future`() throws {
        #expect(try response(fixture.bearer(age: -60)) == "403 ExpiredProviderToken")
    }

    @Test func `rejects a token that expired on the connection`() throws {
        var judge = fixture.judge()
        let request = try fixture.request()
        #expect(judge.judge(request, wallClock: JudgeFixture.now) == .accepted)
        let later = JudgeFixture.now + 3_601_000
        #expect(judge.judge(request, wallClock: later).message == "403 ExpiredProviderToken")
    }

    @Test func `rejects a second team on a connection`() throws {
        var judge = fixture.judge()
        let second = try fixture.request(["authorization": fixture.bearer(of: fixture.otherTeam)])
        #expect(judge.judge(try fixture.request(), wallClock: JudgeFixture.now) == .accepted)
        #expect(
            judge.judge(second, wallClock: JudgeFixture.now).message == "403 InvalidProviderToken")
        var another = fixture.judge()
        #expect(another.judge(second, wallClock: JudgeFixture.now) == .accepted)
    }

    @Test func `rejects a new token before the last was used for 20 minutes`() throws {
        var judge = fixture.judge()
        let first = try fixture.request(["authorization": fixture.bearer(age: 1800)])
        let second = try fixture.request(["authorization": fixture.bearer(age: 0)])
        let start = JudgeFixture.now
        #expect(judge.judge(first, wallClock: start) == .accepted)
        let message = judge.judge(second, wallClock: start + 1_199_999).message
        #expect(message == "429 TooManyProviderTokenUpdates")
        #expect(judge.judge(first, wallClock: start + 1_199_999) == .accepted)
        #expect(judge.judge(second, wallClock: start + 1_200_000) == .accepted)
    }

    @Test func `accepts a valid token at once after an expired one`() throws {
        var judge = fixture.judge()
        let old = try fixture.request(["authorization": fixture.bearer(age: 7200)])
        #expect(
            judge.judge(old, wallClock: JudgeFixture.now).message == "403 ExpiredProviderToken")
        #expect(judge.judge(try fixture.request(), wallClock: JudgeFixture.now) == .accepted)
    }

    @Test func `accepts the scheme in upper case`() throws {
        let bearer = try fixture.bearer()
        #expect(try response("Bearer" + bearer.dropFirst(6)) == "200")
    }

    @Test func `accepts a signature in DER`() throws {
        let parts = try fixture.bearer().split(separator: ".")
        let raw = try #require(Base64.url.decode([UInt8](parts[2].utf8)))
        let der = Base64.url.encode(Self.der(raw))
        let bearer = "\(parts[0]).\(parts[1])." + String(decoding: der, as: UTF8.self)
        #expect(try response(bearer) == "200")
    }

    /// A raw ECDSA signature as an ASN.1 sequence of two integers.
    private static func der(_ raw: [UInt8]) -> [UInt8] {
        let integers = [raw[..<32], raw[32...]].map { half -> [UInt8] in
            var bytes = [UInt8](half.drop { $0 == 0 })
            if bytes.isEmpty || bytes[0] >= 128 { bytes.insert(0, at: 0) }
            return [2, UInt8(bytes.count)] + bytes
        }
        let content = integers[0] + integers[1]
        return [0x30, UInt8(content.count)] + content
    }
}
