/// A certificate whose key is encrypted with the passphrase `secret`, made only for these tests.
enum EncryptedKey {
    static let pem = Array(
        """
        -----BEGIN CERTIFICATE-----
        MIIBgDCCASWgAwIBAgIUNZI1Dm/Y//zTYZVOm//RtSXID2IwCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJZW5jcnlwdGVkMCAXDTI2MTEyMTIxNTA0NFoYDzIxMjYxMDI4
        MjE1MDQ0WjAUMRIwEAYDVQQDDAllbmNyeXB0ZWQwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAARb2EHRPXLKmU8g/QL0G772TOBHBmA7OiVhRPHeI2tOCe2vdnwqE7xB
        IDWz3IGBPmt2cTZ+3ZwuiGs0F+8LaYGFo1MwUTAdBgNVHQ4EFgQUbb5uQKNJD5U/
        j52JrdMHD7/BaUgwHwYDVR0jBBgwFoAUbb5uQKNJD5U/j52JrdMHD7/BaUgwDwYD
        VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEA5pUNj8mXzGS0C+9HEV4s
        wu62bwnimdHNYM8bpeFp1UECIQCRQlIAghCBsJ5/SJkUVoABoTjn8McOcR+hr/iE
        HK1CPg==
        -----END CERTIFICATE-----
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHjME4GCSqGSIb3DQEFDTBBMCkGCSqGSIb3DQEFDDAcBAhaZQPSaTSGKQICCAAw
        DAYIKoZIhvcNAgkFADAUBggqhkiG9w0DBwQIC+i15uEpR2gEgZDZL3nlgvEZHZy9
        1Qg2VWCtzxXxmz8WvvWdAV4Hznd7z32zRqG6e3ZY++27ABXVZNPjrVye75OrIdrO
        oM/czndIUQcvSRH+Lp4ZEyzhrBHgezaDD+xPzT7Z9z9GTof2rV+v4UtiPCmJLzLy
        5ULDC2xoUvFd22CZDg994ghTpkculoyz8i82A+lReIN0F2rO/6c=
        -----END ENCRYPTED PRIVATE KEY-----
        """.utf8)
}
