import Arguments
import Testing

@Suite struct `The manual page of a command` {
    private func text(of name: String, in command: Command = Shop.command) -> String? {
        command.manualPages().first { $0.name == name }?.text
    }

    @Test func `has what the help has`() {
        #expect(
            text(of: "shop-buy") == #"""
                .TH SHOP-BUY 1
                .SH NAME
                shop\-buy \- Buys things.
                .SH SYNOPSIS
                shop buy [OPTION...] ITEM...
                .SH DESCRIPTION
                Buys things.
                .SH EXAMPLES
                .br
                shop buy tea
                .SH OPTIONS
                .TP
                .B ITEM...
                What to buy.
                .TP
                .B \-n, \-\-count COUNT
                How many. (default: 3)
                .TP
                .B \-\-size SIZE
                Which size. (one of: small, medium, large)
                .TP
                .B \-\-tag TAG
                A tag. (may be repeated)
                .TP
                .B \-q, \-\-quiet
                Says nothing.
                .TP
                .B \-h, \-\-help
                Show this help.
                .SH SEE ALSO
                .BR shop (1)

                """#)
    }

    @Test func `exists on every level`() {
        #expect(
            Shop.command.manualPages().map(\.name)
                == ["shop", "shop-buy", "shop-transfer", "shop-keys", "shop-keys-add"])
    }

    @Test func `names the pages above and below`() throws {
        let page = try #require(text(of: "shop-keys"))
        #expect(page.hasSuffix(".SH SEE ALSO\n.BR shop (1)\n.BR shop\\-keys\\-add (1)\n"))
    }

    @Test func `shows characters that the formatter would interpret`() throws {
        let command = Command(
            "talk", abstract: "Talks.",
            discussion: """
                .hidden starts with a dot.
                'quoted' too, with a \\ and --dashes…

                  - one
                """)
        let page = try #require(text(of: "talk", in: command))
        #expect(
            page.contains(
                #"""

                \&.hidden starts with a dot.
                \&'quoted' too, with a \e and \-\-dashes…
                .PP
                .br
                \&  \- one

                """#))
    }
}
