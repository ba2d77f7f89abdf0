internal import Encoding
internal import TLS
internal import Testing

@Suite struct `SHA-256` {
    @Test(arguments: [
        ("", "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"),
        ("abc", "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0"),
    ])
    func `gives the published hash`(text: String, hash: String) {
        #expect(Base64.url.encode(SHA256.hash(Array(text.utf8))) == Array(hash.utf8))
    }
}
