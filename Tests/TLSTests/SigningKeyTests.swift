internal import Encoding
internal import TLS
internal import Testing

@Suite struct `A signing key` {
    @Test(arguments: [
        (ForeignKey.p384, "EC P-384"), (.secp256k1, "EC secp256k1"), (.ed25519, "ED25519"),
        (.rsa, "RSA 1024"),
    ])
    func `of another kind is rejected by name`(key: ForeignKey, kind: String) throws {
        let pem = Array(key.rawValue.utf8)
        let error = #expect(throws: TLSError.self) { try SigningKey(pem: pem) }
        #expect(error?.code == .badKey)
        #expect(
            error?.detail
                == "the key type is \(kind); provider tokens need EC P-256 (ES256)")
    }

    @Test(arguments: [
        ("", "the private key is empty"),
        ("hello", "no -----BEGIN PRIVATE KEY----- found"),
        ("-----BEGIN CERTIFICATE-----\nMIIB\n", "this is a certificate"),
        ("-----BEGIN PUBLIC KEY-----\nMIIB\n", "this is a public key"),
        ("-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n", "the private key is encrypted"),
        ("-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n", "its PEM is damaged"),
    ])
    func `that cannot be read is reported as what it is instead`(text: String, message: String)
        throws
    {
        let error = #expect(throws: TLSError.self) { try SigningKey(pem: Array(text.utf8)) }
        #expect(error?.code == .badKey)
        #expect(error?.detail.contains(message) == true)
    }

    @Test func `never crashes on a damaged file`() throws {
        let pem = try SigningKey.generate().privateKeyPEM
        var random = SeededGenerator(seed: 42)
        for _ in 0..<2000 { _ = try? SigningKey(pem: random.damage(pem)) }
    }

    @Test func `survives a round trip through its file`() throws {
        let key = try SigningKey.generate()
        let again = try SigningKey(pem: key.privateKeyPEM)
        let message = Array("header.claims".utf8)
        #expect(try key.publicKey.verify(message, signature: again.sign(message)))
        #expect(try key.privateKeyPEM.starts(with: Array("-----BEGIN PRIVATE KEY-----".utf8)))
    }

    @Test func `signs the same bytes identically wherever it is read`() throws {
        let key = try SigningKey.generate()
        let again = try SigningKey(pem: key.privateKeyPEM)
        for number in 0..<100 {
            let message = Array("message \(number)".utf8)
            #expect(try key.sign(message) == again.sign(message))
        }
    }

    /// RFC 6979, A.2.5: P-256, SHA-256.
    @Test(arguments: [
        (
            "sample",
            "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
                + "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"
        ),
        (
            "test",
            "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367"
                + "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083"
        ),
    ])
    func `signs as in the examples of RFC 6979`(message: String, signature: String) throws {
        let pem = """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgya+p2EW6dRZrXCFX
            Z7HWk05Qw9s26JsSe4piKxIPZyGhRANCAARg/tS6JVqdMclh63TGNW1owEm4kjth
            +mzmaWIuYPKftnkD/hAIuLyZpBrp6VYovGTy8bIMLX6fUXejwpTURiKZ
            -----END PRIVATE KEY-----
            """
        let signed = try SigningKey(pem: Array(pem.utf8)).sign(Array(message.utf8))
        let digits = Array("0123456789ABCDEF")
        let text = signed.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        #expect(String(text) == signature)
    }

    @Test func `signs with r and s of 32 bytes each`() throws {
        let key = try SigningKey.generate()
        for number in 0..<300 {
            let message = Array("message \(number)".utf8)
            let signature = try key.sign(message)
            #expect(signature.count == 64)
            #expect(try key.publicKey.verify(message, signature: signature))
        }
    }
}

@Suite struct `A verifying key` {
    /// RFC 6979, A.2.5: P-256, SHA-256, message "sample".
    static let pem = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYP7UuiVanTHJYet0xjVtaMBJuJI7
        Yfps5mliLmDyn7Z5A/4QCLi8maQa6elWKLxk8vGyDC1+n1F3o8KU1EYimQ==
        -----END PUBLIC KEY-----
        """
    static let r = "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
    static let s = "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"

    @Test func `rejects the signature of another message`() throws {
        let key = try SigningKey.generate()
        let signature = try key.sign(Array("one".utf8))
        #expect(try !key.publicKey.verify(Array("two".utf8), signature: signature))
    }

    @Test func `rejects the signature of another key`() throws {
        let message = Array("one".utf8)
        let signature = try SigningKey.generate().sign(message)
        #expect(try !SigningKey.generate().publicKey.verify(message, signature: signature))
    }

    @Test func `rejects malformed signatures`() throws {
        let key = try SigningKey.generate().publicKey
        for length in [0, 1, 63, 64, 65, 72, 1000] {
            for byte in [UInt8(0), 0x30, 0xFF] {
                let signature = [UInt8](repeating: byte, count: length)
                #expect(!key.verify([1], signature: signature))
            }
        }
    }

    @Test func `rejects the file of a private key`() throws {
        let pem = try SigningKey.generate().privateKeyPEM
        let error = #expect(throws: TLSError.self) { try VerifyingKey(pem: pem) }
        #expect(error?.code == .badKey)
    }

    @Test func `accepts a published signature as r and s`() throws {
        let key = try VerifyingKey(pem: Array(Self.pem.utf8))
        let signature = bytes(Self.r) + bytes(Self.s)
        #expect(key.verify(Array("sample".utf8), signature: signature))
    }

    @Test func `accepts a published signature as DER`() throws {
        let key = try VerifyingKey(pem: Array(Self.pem.utf8))
        let signature =
            [0x30, 0x46, 0x02, 0x21, 0x00] + bytes(Self.r) + [0x02, 0x21, 0x00] + bytes(Self.s)
        #expect(key.verify(Array("sample".utf8), signature: signature))
    }

    private func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.utf8.map { $0 < 65 ? $0 - 48 : $0 - 55 }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
