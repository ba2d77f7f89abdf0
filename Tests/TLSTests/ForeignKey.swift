/// Keys of kinds that provider tokens cannot use, made only for these tests.
enum ForeignKey: String {
    case p384 = """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDC+jwIjf9nkNAvN57q4
        jIc4rcG8lJXs8BdVBlnMQ8PGoM/xEE1qpiNapy2mHs4mg7WhZANiAARoyieke6H+
        jMGFEK2Hzmqf5ZK9S6NB1KZ23N9q6L8BPZjm+XXKpXBH4MlmCu4Fkq6BvM3yEbPe
        mmeSXitAGutGlRR5qdJ27Jv6svh+xd3IAXHKDAyEpczFPQ+WIbITTLM=
        -----END PRIVATE KEY-----
        """
    case secp256k1 = """
        -----BEGIN PRIVATE KEY-----
        MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQgMFNGz+jyYCf9MXxAhP7L
        r2cbhiYWrRy+J0/DriT0P8ihRANCAARItE/R9IHGyFI3WScY6JF3t0A+nSrxi/2n
        j2neCiGAr1/f2svpMj4KTCGMXZjosOe5b8IY9Mug8ATG80lUJXcR
        -----END PRIVATE KEY-----
        """
    case ed25519 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIME0NMwR1v4L07Af7tmrsLZpnLI3lU19cPKjhcvGP2T7
        -----END PRIVATE KEY-----
        """
    case rsa = """
        -----BEGIN PRIVATE KEY-----
        MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBALOD/ksgxKpDEBo/
        k95rdu7JmEpsdjuTlDXOE1cWtP/cEbgpambQu8Arf8LqqMo/Lje38i9DBuWwS8zq
        z9xbXByfztSu35aQzlCDp+2xBVuIo0PUtVRGIlbVInIKFVhqYSCkSuiO2k1c3C7d
        i14AEMzf1Noq6Hy3ip9ZzTuYi0vFAgMBAAECgYBZKXsZh5oG0y5hSyi/tXKqIbkh
        ZgPHjYJ0wvk6LU4TMxQd+3wcuxo11aUsg+74HS9wf02sCceYN9s+WXaKhVoXDIz7
        XejWgJDfiysH3VjY63NpW2RfeuQsONjLwVkTFkduj4S1yumb66UiO9yvDqnltsgN
        Ikde/eizb4mAsyDWNQJBANreXZtnMU2fGE0Hbf4IaJdspAnwFBoM9vgMD+0mos0S
        YtGLNzOfGnJUEQyMxTZpQ3cGFvijjVqTkmCCxzdY4fcCQQDR+H7a4Aol6NatMFmB
        e5keVnYmkWqNZw4cc8U6rXonzH1TgW8vzsdx01+kmX+OLs35sNqpY99FHz5spiVZ
        9REjAkEAgFrcBqET9vOQaswqo0oHHJan9PQIteZYh8t7I5b+7skTjtPYAbwS5G2M
        uhFsLqa42/qESjiQU0gsFdFcR4cmrQJAb3ZAsSQZfwJZY9q0yP25zNcNJXAwZhv8
        67GxU3Lf09zD8t5VDcXxLkWNEi3B/tJt2Uy+5wjzbxgk5TxVu6lSjQJAaBxiNbZU
        LL9GCuWiEMBYpjnE1QybTReEtam3zHWOrkWZAfMW+9RfcDxeGW1SeMwWPpp9LkFI
        CmAAuqwqvM8ANg==
        -----END PRIVATE KEY-----
        """
}
