import Configuration
import Foundation
import TLS
import Testing

@Suite struct `The signing key of a connector` {
    @Test func `is rejected if it is a path, with the reference to write`() throws {
        #expect(
            try Example.findings(["  key:": "  key: AuthKey.p8"])
                == ["8:8: error: 'key' is not a PEM key | write key: \"${file:AuthKey.p8}\""])
    }

    @Test func `is rejected if what it refers to is not a key`() throws {
        #expect(
            try Example.findings(environment: ["KEY": "garbage"]) == [
                "8:8: error: 'key' is not a PEM key"
                    + " | name the .p8 file of an APNs key: its first line contains BEGIN PRIVATE"
                    + " KEY"
            ])
    }

    @Test func `is rejected if what it refers to is empty`() throws {
        #expect(
            try Example.findings(environment: ["KEY": ""]) == [
                "8:8: error: 'key' must be a string, but '${env:KEY}' is empty"
                    + " | write key: \"${file:AuthKey.p8}\""
            ])
    }

    @Test func `is understood as environment variables and secret stores hold it`() throws {
        let pem = String(decoding: try SigningKey.generate().privateKeyPEM, as: UTF8.self)
        func credential(_ key: String) throws -> String? {
            let found = try Example.load(environment: ["KEY": key])
            #expect(found.diagnostics.isEmpty, "\(Diagnostic.report(found.diagnostics))")
            return found.connector?.apns.apps[0].credential.fingerprint
        }
        let plain = try #require(try credential(pem))
        let lines = pem.split(separator: "\n")
        let inside = lines.dropFirst().dropLast()
        let forms = [
            lines.joined(separator: #"\n"#), lines.joined(separator: #"\r\n"#) + #"\n"#,
            Data(pem.utf8).base64EncodedString(),
            Data(pem.utf8).base64EncodedString(options: .lineLength76Characters) + "\n",
            inside.joined(), inside.joined(separator: "\n") + "\n",
        ]
        for form in forms {
            #expect(try credential(form) == plain, "\(form.prefix(30))")
        }
    }

    @Test(arguments: ["secp384r1", "rsa", "damaged"])
    func `is rejected if it is not an EC P-256 key`(kind: String) throws {
        let findings = try Example.load(environment: ["KEY": try #require(Self.bad[kind])])
        let text = Diagnostic.report(findings.diagnostics)
        #expect(text.hasPrefix("orders.yaml:8:8: error: 'key' is not usable: "))
        #expect(
            text.hasSuffix(
                """
                      key: "${env:KEY}"
                           ^~~~~~~~~~~~
                  name the .p8 file of an APNs key: an EC key on the curve P-256
                """))
    }

    @Test(arguments: ["secp384r1", "rsa", "damaged"])
    func `is checked by lint if it exists`(kind: String) throws {
        let findings = try Example.load(
            environment: ["KEY": try #require(Self.bad[kind])], mode: .lint)
        #expect(findings.diagnostics.map(\.severity) == [.error])
    }

    static let bad = [
        "secp384r1": """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDBionqZiine3Y9Erhlf
        r1KQgLSt5b83oVdOP2/cB3ch7emH2PAc4Cb5Q48WhinKkW2hZANiAAQoSHYSVvbj
        k9r3cFOtBqCCGHNzavNVogPBsWw+DrOFKA6Kmkdg6MwXBwJwaTMh/l8jlkMPHWiu
        Z70eeIqukhVDVZqTmpXWfrWcURpxemsmkMSAJCEALlR3TaqY7WTDRvE=
        -----END PRIVATE KEY-----
        """,
        "rsa": """
        -----BEGIN PRIVATE KEY-----
        MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBAK0lwjlts9XnEu/v
        kCiewUFK9/HbaHYKE2vR4Rqp5vnQHKxegf+wdpwmzeFxkGG5bo4j9DcPKgg4CX8t
        kxOvtYJpk6CG/xm9nVg5SN8YWR4GwzvhzvhazpWuAefATMgh2aeqg3JLjM+InkOn
        SflWuvCM7ozhioXiy8EroqwRB1KNAgMBAAECgYACpQX/bI6HoNzoL0eLZ0laXvPE
        jO5ehy7ewbjneFrfy+70LwlbR224WttgKyTiaTuoDiKHyMKCl6CFgcOyVEe4bMED
        KCgYU8wk2uCLVnoXrP/FLutyGLgf0fB+EdgHVfz6N8ekF+BvHq0aW+6KZRQkCZ1a
        QgNJrH1fTsjd22z3oQJBAOa+xRDuNqIh68R6wgvie6QaVw0wrVCHt6dLb6uCiVA3
        w+CS1AxcWdc7Ty8G46R9eZkKYOuFfwMwQUUrHcjlS8UCQQDAGSnudQPewA1QYyhL
        xyeazzV4IkDEqGx1oDeMMosGvz9oSB15nq+3+pou45vNuTcURWMbuvDvtSA2NvGx
        CHApAkApLgKdcuXtKYCaIA5hcJoAP3Mpt3Y22QG9qYjUYwd+eXVLruiJDDI8ZylK
        i0A1Ku94kJGbdsekGgiL/5XhNIrBAkAHPiulkQXnVShrWoG/ca/dl2h1shztDUih
        mrvdbl5tj7JtVSK/XitT7X/4up46QHyCKCeXeRHyh8rCIIo2WZIZAkEAuybsJwyl
        5xEl5nkheBBWEWUfEV6PM32Xt1Qz8NoTqwMZjSPfKQpzJZeExt/A+Ch4NkjK8BhC
        gwLPqDOiCBiA7Q==
        -----END PRIVATE KEY-----
        """,
        "damaged": """
        -----BEGIN PRIVATE KEY-----
        AAAA
        -----END PRIVATE KEY-----
        """,
    ]
}
