import Testing

@Suite struct `Text is changed` {
    @Test(arguments: [
        ("upper", "straße", "STRASSE"), ("upper", "ǆ ﬁ ŉ ΰ", "Ǆ FI ʼN Ϋ́"), ("upper", "ı i", "I I"),
        ("upper", "", ""), ("upper", "a1_z{", "A1_Z{"), ("lower", "A1_Z[@", "a1_z[@"),
        ("lower", "İI", "i̇i"), ("lower", "ΟΔΥΣΣΕΥΣ", "οδυσσευς"), ("lower", "ΑΣ. Σ ΣΑ", "ας. σ σα"),
        ("lower", "Α'Σ'Α Σ", "α'σ'α σ"), ("lower", "ΑΣ\u{301}", "ας\u{301}"),
        ("trim", "  a b\t\r\n", "a b"), ("trim", "\u{A0}\u{3000}é\u{2003}", "é"),
        ("trim", " \n", ""),
        ("trim", "\u{200B}a", "\u{200B}a"),
    ])
    func `after Unicode's rules in no language`(
        _ transform: String, _ text: String, _ result: String
    ) throws {
        let event = "{\"a\":\"" + text.map(escape).joined() + "\"}"
        #expect(try value("${a | \(transform)}", event) == "\"\(result)\"")
    }

    private func escape(_ character: Character) -> String {
        character.unicodeScalars.map {
            $0.value < 0x20
                ? "\\u00" + ($0.value < 16 ? "0" : "") + String($0.value, radix: 16)
                : String($0)
        }.joined()
    }

    @Test(arguments: [
        (3, "abc", "abc"), (3, "abcd", "ab…"), (1, "ab", "…"), (1, "a", "a"), (2, "", ""),
        (3, "👩‍👩‍👧‍👦👨‍👩‍👦🇩🇪🇫🇷", "👩‍👩‍👧‍👦👨‍👩‍👦…"), (2, "e\u{301}e\u{301}", "e\u{301}e\u{301}"),
        (2, "e\u{301}e\u{301}e", "e\u{301}…"), (4, "naïve!", "naï…"), (2, "🏳️‍🌈ab", "🏳️‍🌈…"),
        (2, "각각각", "각…"),
    ])
    func `and cut between what people see as characters`(
        _ count: Int, _ text: String, _ result: String
    ) throws {
        #expect(try value("${a | truncate(\(count))}", "{\"a\":\"\(text)\"}") == "\"\(result)\"")
    }

    @Test func `and a line's end is one character`() throws {
        #expect(try value("${a | length}", #"{"a":"a\r\nb"}"#) == "3")
        #expect(try value("${a | truncate(2)}", #"{"a":"a\r\nb"}"#) == "\"a…\"")
    }

    @Test(arguments: [
        ("\"AQID\"", "\"010203\""), ("\"AQI=\"", "\"0102\""), ("\"AQI\"", "\"0102\""),
        ("\"AQ==\"", "\"01\""), ("\"AQ\"", "\"01\""), ("\"-_8\"", "\"fbff\""),
        ("\"+/8=\"", "\"fbff\""), ("\"\"", "\"\""), ("\"abcd\"", "\"69b71d\""),
        ("\"A\"", "wrong_type"), ("\"AQ=\"", "wrong_type"), ("\"AQID=\"", "wrong_type"),
        ("\"AR==\"", "wrong_type"), ("\"+_8=\"", "wrong_type"), ("\"AQ ID\"", "wrong_type"),
        ("\"AQID\\n\"", "wrong_type"), ("\"====\"", "wrong_type"), ("\"é\"", "wrong_type"),
    ])
    func `from base64 to hexadecimal digits`(_ text: String, _ result: String) throws {
        #expect(try value("${a | hex}", "{\"a\":\(text)}") == result)
    }

    @Test func `to hexadecimal digits unless it is a device token already`() throws {
        let token = String(repeating: "Ab", count: 32)
        #expect(try value("${a | hex}", "{\"a\":\"\(token)\"}") == "\"\(token.lowercased())\"")
        let bytes = String(repeating: "+", count: 64)
        #expect(try value("${a | hex | length}", "{\"a\":\"\(bytes)\"}") == "96")
        let short = String(repeating: "a", count: 60)
        #expect(try value("${a | hex | length}", "{\"a\":\"\(short)\"}") == "90")
    }
}
