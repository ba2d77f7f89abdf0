import Encoding
import Testing

@Suite struct `Base64 of RFC 4648` {
    @Test(arguments: [
        ("", "", ""), ("f", "Zg==", "Zg"), ("fo", "Zm8=", "Zm8"), ("foo", "Zm9v", "Zm9v"),
        ("foob", "Zm9vYg==", "Zm9vYg"), ("fooba", "Zm9vYmE=", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy", "Zm9vYmFy"), (">>>???", "Pj4+Pz8/", "Pj4-Pz8_"),
    ])
    func `writes the published examples in both alphabets`(
        plain: String, standard: String, url: String
    ) {
        #expect(Base64.standard.encode(Array(plain.utf8)) == Array(standard.utf8))
        #expect(Base64.url.encode(Array(plain.utf8)) == Array(url.utf8))
    }

    @Test(arguments: 0..<200)
    func `reads back bytes of every length`(length: Int) {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ length) }
        #expect(Base64.standard.decode(Base64.standard.encode(bytes)) == bytes)
        #expect(Base64.url.decode(Base64.url.encode(bytes)) == bytes)
    }

    @Test(arguments: ["A", "AB=", "AB==", "A+/A", "AB CD", "AAAA=", "AB\n", "AH", "AAB", "Ä"])
    func `for URLs rejects what it would not write`(text: String) {
        #expect(Base64.url.decode(Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        "A", "AA", "AAA", "A===", "====", "AA=A", "AAAA=", "AA==AAAA", "A-_A", "AB CD", "AB==",
        "AAB=", "AAA\n", "Ä",
    ])
    func `with padding rejects what it would not write`(text: String) {
        #expect(Base64.standard.decode(Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        ("dHN0", true), ("dHM=", true), ("dHM", true), ("dA==", true), ("dA", true),
        ("d", false), ("dHN0d", false), ("", false), ("=", false), ("dHM==", false),
        ("dA=", false), ("dHN0====", false), ("dH-0", false), ("dHN0 ", false),
    ])
    func `may lack its padding, and encodes whole bytes`(text: String, isText: Bool) {
        #expect(Base64.standard.isText(Array(text.utf8)) == isText)
    }
}
