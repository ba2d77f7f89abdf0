import Arguments
import Testing

@Suite struct `An invalid command line` {
    @Test func `names an unknown command and the nearest one`() {
        #expect(Shop.complaint("byu", "tea") == "unknown command 'byu'; did you mean 'buy'?")
    }

    @Test func `names an unknown command alone if none is near`() {
        #expect(Shop.complaint("xylophone") == "unknown command 'xylophone'")
    }

    @Test func `names an unknown option and the nearest one`() {
        #expect(
            Shop.complaint("buy", "--cuont=4", "tea")
                == "unknown option '--cuont'; did you mean '--count'?")
    }

    @Test func `guesses no single letters`() {
        #expect(Shop.complaint("buy", "-x", "tea") == "unknown option '-x'")
    }

    @Test func `suggests the completion of an abbreviation`() {
        #expect(
            Shop.complaint("transfer", "--own", "me")
                == "unknown option '--own'; did you mean '--owner'?")
    }

    @Test func `lists the values that an option accepts`() {
        #expect(
            Shop.complaint("buy", "--size", "larg", "tea")
                == "--size: 'larg' is not one of: small, medium, large; did you mean 'large'?")
    }

    @Test func `names the kind of value of an option`() {
        #expect(
            Shop.complaint("buy", "--count", "few", "tea")
                == "--count: 'few' is not a whole number")
    }

    @Test func `names the kind of value of an argument`() {
        #expect(
            Shop.complaint("transfer", "--owner", "me", "few")
                == "AMOUNT: 'few' is not a whole number")
    }

    @Test func `reports a missing value of an option at the end`() {
        #expect(Shop.complaint("buy", "tea", "--count") == "--count needs a value: COUNT")
    }

    @Test func `does not take the next option as a value`() {
        #expect(
            Shop.complaint("buy", "--tag", "--quiet", "tea")
                == "--tag needs a value: TAG; if '--quiet' is the value, write '--tag=--quiet'")
    }

    @Test func `rejects a value of a flag`() {
        #expect(
            Shop.complaint("buy", "--quiet=yes", "tea")
                == "--quiet takes no value, but 'yes' was given")
    }

    @Test func `reports a missing argument`() {
        #expect(Shop.complaint("buy") == "ITEM is missing: what to buy")
    }

    @Test func `reports a missing option`() {
        #expect(Shop.complaint("transfer", "5") == "--owner is missing: whose it is")
    }

    @Test func `reports a missing command`() {
        #expect(Shop.complaint() == "missing command: one of buy, transfer, keys")
    }

    @Test func `reports an extra argument`() {
        #expect(
            Shop.complaint("transfer", "--owner=me", "5", "rent", "now") == "unexpected 'now'")
    }

    @Test func `is answered with the usage of its command`() {
        let error = #expect(throws: UsageError.self) { try Shop.parse("transfer") }
        #expect(
            error?.description == """
                error: AMOUNT is missing: how much
                Usage: shop transfer --owner OWNER AMOUNT [NOTE]
                See 'shop transfer --help'.
                """)
    }
}
