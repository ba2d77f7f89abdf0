import Delivery
import Mapping
import Testing

@Suite struct `The language of a locale` {
    @Test(arguments: [
        ("de", "de"), ("de-AT", "de"), ("de_AT", "de"), ("DE_at.UTF-8", "de"), ("de.UTF-8", "de"),
        ("de_DE@euro", "de"), ("en-US-posix", "en"), ("zh-Hant-TW", "zh-Hant"),
        ("ZH_hANT_hk", "zh-Hant"), ("zh-TW", "zh-Hant"), ("zh-HK", "zh-Hant"),
        ("zh_mo", "zh-Hant"), ("zh-CN", "zh-Hans"), ("zh_SG.UTF-8", "zh-Hans"), ("zh", "zh"),
        ("zh-Hans-HK", "zh-Hans"), ("zh-US", "zh"), ("sr-Latn-RS", "sr-Latn"),
        ("es-419", "es"), ("pt-BR", "pt"), ("C.UTF-8", "c"), ("", ""), ("-", ""), ("fil-PH", "fil"),
        ("de-1996", "de"), ("zh-yue-HK", "zh-Hant"),
    ])
    func `is what texts are keyed by`(_ locale: String, _ language: String) throws {
        #expect(
            try written("${l | language}", of: #"{"l":"\#(locale)"}"#) == ",\"v\":\"\(language)\"")
    }

    @Test(arguments: ["5", "[\"de\"]", "{}", "true"])
    func `is that of a string`(_ value: String) throws {
        #expect(try written("${l | language}", of: "{\"l\":\(value)}") == "wrong_type")
        #expect(try written("${q? | language}", of: "{\"l\":\(value)}") == "")
    }
}

@Suite struct `A version in a pattern` {
    private func matches(_ wanted: String, _ value: String) throws -> Bool {
        let when: MappingSource = ["v": [["version": .text(wanted)]]]
        return try !mapped(
            TestRecord(json: #"{"token":"ab","v":\#(value)}"#), minimal, when: when
        ).isSkipped
    }

    @Test(arguments: [
        (">=5.10 <6", "\"5.10\"", true), (">=5.10 <6", "\"5.9\"", false),
        (">=5.10 <6", "\"5.100.1\"", true), (">=5.10 <6", "\"6.0.0\"", false),
        (">=5.10", "5.10", true), (">=5.10", "5.9", false), ("5.1", "5.10", false),
        ("1.2", "\"1.2.0.0\"", true), ("=v1.2", "\"V1.02\"", true), ("!=1.2", "\"1.2.0\"", false),
        ("!=1.2", "\"1.3\"", true), (">1", "\"1.0.1\"", true), ("<=1", "\"1.0\"", true),
        ("<1", "\"1.0.0-rc.1\"", true), (">=1.0.0-rc.2", "\"1.0.0-rc.10\"", true),
        (">1.0.0-alpha", "\"1.0.0-alpha.1\"", true), (">1.0.0-1", "\"1.0.0-a\"", true),
        ("1.0+7", "\"1.0+8\"", true), ("1.0-a+7", "\"1.0-a+8\"", true),
        ("<99999999999999999999", "\"99999999999999999998\"", true),
        (">99999999999999999999", "\"100000000000000000000\"", true),
    ])
    func `is compared part by part`(_ wanted: String, _ value: String, _ isMatch: Bool) throws {
        #expect(try matches(wanted, value) == isMatch)
    }

    @Test(arguments: [
        "\"\"", "\"v\"", "\"1.\"", "\".1\"", "\"1..2\"", "\"1.x\"", "\"latest\"", "\"1.2-\"", "1e3",
        "-1", "true", "null", "\" 1\"",
    ])
    func `does not match what is no version`(_ value: String) throws {
        #expect(try !matches(">=0", value))
        #expect(try !matches("!=0", value))
    }

    @Test(arguments: [
        ("", "'version' needs a comparison"), ("=>1", "'=>' is not a comparison"),
        ("> 1", "'' is not a version"), (">=x", "'x' is not a version"),
        ("~1.2", "'~1.2' is not a version"), ("1 2.", "'2.' is not a version"),
    ])
    func `is checked in the file`(_ wanted: String, _ message: String) {
        let found = problems(minimal, when: ["v": [["version": .text(wanted)]]])
        #expect(found.map(\.message) == [message])
        #expect(found.allSatisfy { $0.remedy != nil })
    }
}
