import Arguments
import Testing

@Suite struct `A command line that is not understood` {
    @Test func `names an unknown command and the nearest one`() {
        #expect(Shop.complaint("byu", "tea") == "unknown command 'byu'; did you mean 'buy'?")
    }

    @Test func `names an unknown command alone when none is near`() {
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

    @Test func `suggests what a beginning stands for`() {
        #expect(
            Shop.complaint("transfer", "--own", "me")
                == "unknown option '--own'; did you mean '--owner'?")
    }

    @Test func `lists the words that an option takes`() {
        #expect(
            Shop.complaint("buy", "--size", "larg", "tea")
                == "--size: 'larg' is not one of: small, medium, large; did you mean 'large'?")
    }

    @Test func `says what kind of value an option takes`() {
        #expect(
            Shop.complaint("buy", "--count", "few", "tea")
                == "--count: 'few' is not a whole number")
    }

    @Test func `says what kind of value an argument takes`() {
        #expect(
            Shop.complaint("transfer", "--owner", "me", "few")
                == "AMOUNT: 'few' is not a whole number")
    }

    @Test func `misses the value of an option at the end`() {
        #expect(Shop.complaint("buy", "tea", "--count") == "--count needs a value: COUNT")
    }

    @Test func `does not take the next option for a value`() {
        #expect(
            Shop.complaint("buy", "--tag", "--quiet", "tea")
                == "--tag needs a value: TAG; if '--quiet' is the value, write '--tag=--quiet'")
    }

    @Test func `gives no value to a flag`() {
        #expect(
            Shop.complaint("buy", "--quiet=yes", "tea")
                == "--quiet takes no value, but 'yes' was given")
    }

    @Test func `misses an argument`() {
        #expect(Shop.complaint("buy") == "ITEM is missing: what to buy")
    }

    @Test func `misses a required option`() {
        #expect(Shop.complaint("transfer", "5") == "--owner is missing: whose it is")
    }

    @Test func `misses a command`() {
        #expect(Shop.complaint() == "missing command: one of buy, transfer, keys")
    }

    @Test func `has a word too many`() {
        #expect(
            Shop.complaint("transfer", "--owner=me", "5", "rent", "now") == "unexpected 'now'")
    }

    @Test func `gets the usage of the command that it reached`() {
        let error = #expect(throws: UsageError.self) { try Shop.parse("transfer") }
        #expect(
            error?.description == """
                error: AMOUNT is missing: how much
                Usage: shop transfer --owner OWNER AMOUNT [NOTE]
                See 'shop transfer --help'.
                """)
    }
}
