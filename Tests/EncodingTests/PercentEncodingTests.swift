import Encoding
import Testing

@Suite struct `Text in a URL or a form` {
    private static let letters = "AZaz09"

    @Test(arguments: [
        (letters, letters), ("-._~", "-._~"), ("a b", "a%20b"), ("a/b?c", "a%2Fb%3Fc"),
        ("*+%", "%2A%2B%25"), ("ü", "%C3%BC"), ("", ""),
    ])
    func `is one part of a path`(text: String, encoded: String) {
        #expect(PercentEncoding.pathSegment(text) == encoded)
    }

    @Test(arguments: [
        (letters, letters), ("*-._", "*-._"), ("a b", "a+b"), ("a+b&c=d", "a%2Bb%26c%3Dd"),
        ("~", "%7E"), ("ü", "%C3%BC"), ("", ""),
    ])
    func `is a field of a form`(text: String, encoded: String) {
        #expect(PercentEncoding.formField(text) == encoded)
    }
}
