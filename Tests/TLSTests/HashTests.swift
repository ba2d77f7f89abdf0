internal import TLS
internal import Testing

@Suite struct `SHA-256` {
    @Test(arguments: [
        ("", "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"),
        ("abc", "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0"),
    ])
    func `gives the published hash`(text: String, hash: String) {
        #expect(Base64URL.encode(SHA256.hash(Array(text.utf8))) == Array(hash.utf8))
    }
}

@Suite struct `Base64 for URLs` {
    @Test(arguments: ["A", "AB=", "AB==", "A+/A", "AB CD", "AAAA=", "AB\n", "AH", "AAB", "Ä"])
    func `refuses what it would not write`(text: String) {
        #expect(Base64URL.decode(Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
        ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"), (">>>???", "Pj4-Pz8_"),
    ])
    func `writes the published examples`(plain: String, text: String) {
        #expect(Base64URL.encode(Array(plain.utf8)) == Array(text.utf8))
    }

    @Test func `reads back every length of bytes`() {
        for length in 0..<200 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ length) }
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
    }
}
