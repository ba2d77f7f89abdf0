import Delivery
import Mapping
import Testing

@Suite struct `An event pattern` {
    @Test(
        arguments: [
            (#"{"a":["x","y"]}"#, #"{"a":"y"}"#, true),
            (#"{"a":["x"]}"#, #"{"a":"xx"}"#, false),
            (#"{"a":["x"]}"#, #"{"b":"x"}"#, false),
            (#"{"a":["é"]}"#, #"{"a":"\u00e9"}"#, true),
            (#"{"a":[1]}"#, #"{"a":"1"}"#, false),
            (#"{"a":["1"]}"#, #"{"a":1}"#, false),
            (#"{"a":[true]}"#, #"{"a":true}"#, true),
            (#"{"a":[true]}"#, #"{"a":false}"#, false),
            (#"{"a":[null]}"#, #"{"a":null}"#, true),
            (#"{"a":[null]}"#, #"{"a":""}"#, false),
            (#"{"a":[""]}"#, #"{"a":null}"#, false),
            (#"{"a":[""]}"#, #"{"a":""}"#, true),
            (#"{"a":["x"],"b":["y"]}"#, #"{"a":"x","b":"y"}"#, true),
            (#"{"a":["x"],"b":["y"]}"#, #"{"a":"x","b":"z"}"#, false),
            (#"{"a":{"b":["x"]}}"#, #"{"a":{"b":"x"}}"#, true),
            (#"{"a":{"b":["x"]}}"#, #"{"a":"x"}"#, false),
            (#"{"a":["x",{"prefix":"y"}]}"#, #"{"a":"yes"}"#, true),
            (#"{"a":["x"]}"#, #"{"a":"q","a":"x"}"#, true),
            (#"{"a":["x"]}"#, #"{"a":"x","a":"q"}"#, false),
            (#"{"[\"@type\"]":["x"]}"#, #"{"@type":"x"}"#, true),
            (#"{"[\"$or\"]":["x"]}"#, #"{"$or":"x"}"#, true),
            (#"{"a":{"@type":["x"]}}"#, #"{"a":{"@type":"x"}}"#, true),
            (#"{"a":["$${b}"]}"#, #"{"a":"${b}"}"#, true),
        ])
    func `matches the values of its lists`(_ when: String, _ event: String, _ isMatch: Bool) throws
    {
        #expect(try matches(when, event) == isMatch)
    }

    @Test(
        arguments: [
            (#"{"prefix":"or"}"#, #""order""#, true),
            (#"{"prefix":"or"}"#, #""o""#, false),
            (#"{"prefix":"or"}"#, "5", false),
            (#"{"prefix":""}"#, #""""#, true),
            (#"{"prefix":""}"#, "5", false),
            (#"{"suffix":"er"}"#, #""ord\u0065r""#, true),
            (#"{"suffix":"er"}"#, #""err""#, false),
            (#"{"prefix":{"equals-ignore-case":"EventB"}}"#, #""EVENTBRIDGE""#, true),
            (#"{"prefix":{"equals-ignore-case":"EventB"}}"#, #""even""#, false),
            (#"{"suffix":{"equals-ignore-case":".PNG"}}"#, #""logo.Png""#, true),
            (#"{"suffix":{"equals-ignore-case":".PNG"}}"#, #""logo.jpg""#, false),
            (#"{"equals-ignore-case":"Alice"}"#, #""aLICE""#, true),
            (#"{"equals-ignore-case":"Alice"}"#, #""alices""#, false),
            (#"{"equals-ignore-case":"Alice"}"#, "null", false),
            (#"{"equals-ignore-case":"straße"}"#, #""STRASSE""#, true),
            (#"{"equals-ignore-case":"ẞ"}"#, #""ss""#, true),
            (#"{"equals-ignore-case":"ΟΔΟΣ"}"#, #""οδος""#, true),
            (#"{"equals-ignore-case":"Žluťoučký"}"#, #""ŽLUŤOUČKÝ""#, true),
            (#"{"equals-ignore-case":"Ä"}"#, #""a""#, false),
            (#"{"equals-ignore-case":"👍"}"#, #""👍""#, true),
        ])
    func `compares strings`(_ operation: String, _ value: String, _ isMatch: Bool) throws {
        #expect(try matches("{\"a\":[\(operation)]}", "{\"a\":\(value)}") == isMatch)
    }

    @Test(
        arguments: [
            (#"{"exists":true}"#, "null", true), (#"{"exists":true}"#, #""""#, true),
            (#"{"exists":true}"#, #"{"b":1}"#, false), (#"{"exists":true}"#, "[]", false),
            (#"{"exists":true}"#, "[[],{}]", false), (#"{"exists":true}"#, "[[],[0]]", true),
            (#"{"exists":false}"#, #"{"b":1}"#, true), (#"{"exists":false}"#, "[]", true),
            (#"{"exists":false}"#, "[[]]", true), (#"{"exists":false}"#, "1", false),
            (#"{"exists":false}"#, "null", false), (#"{"exists":false},"x""#, #""x""#, true),
            (#"{"exists":false},"x""#, "{}", true), (#"{"exists":false},"x""#, #""y""#, false),
        ])
    func `checks what exists`(_ list: String, _ value: String, _ isMatch: Bool) throws {
        #expect(try matches("{\"a\":[\(list)]}", "{\"a\":\(value)}") == isMatch)
    }

    @Test func `matches absent members only if it asks for that`() throws {
        #expect(try matches(#"{"a":[{"exists":false}]}"#, "{}"))
        #expect(try matches(#"{"a":{"b":[{"exists":false}]}}"#, "{}"))
        #expect(try matches(#"{"a":{"b":[{"exists":false}]}}"#, #"{"a":1}"#))
        #expect(try !matches(#"{"a":[{"exists":true}]}"#, "{}"))
        #expect(try matches(#"{"a":[{"exists":false}]}"#, "[1]"))
        #expect(try !matches(#"{"a":["x"]}"#, "5"))
    }

    @Test(
        arguments: [
            (#""x""#, #""y""#, true), (#""x""#, #""x""#, false), (#""x""#, "5", true),
            (#""x""#, "null", true), (#""x""#, "{}", false), (#""x""#, "[]", false),
            (#"["x",5]"#, "5.0", false), (#"["x",5]"#, "6", true), (#"["x",5]"#, #""x""#, false),
            ("5", #""x""#, true), ("true", "true", false), ("null", "null", false),
            ("null", "0", true),
            (#"{"prefix":"te"}"#, #""test""#, false), (#"{"prefix":"te"}"#, #""rest""#, true),
            (#"{"prefix":["te","re"]}"#, #""rest""#, false), (#"{"prefix":"te"}"#, "5", true),
            (#"{"prefix":{"equals-ignore-case":"TE"}}"#, #""test""#, false),
            (#"{"suffix":".png"}"#, #""a.png""#, false),
            (#"{"suffix":[".png",".jpg"]}"#, #""a.gif""#, true),
            (#"{"equals-ignore-case":"Draft"}"#, #""DRAFT""#, false),
            (#"{"equals-ignore-case":["a","B"]}"#, #""b""#, false),
            (#"{"equals-ignore-case":["a","B"]}"#, #""c""#, true),
            (#"{"wildcard":"*/lib/*"}"#, #""usr/lib/x""#, false),
            (#"{"wildcard":["*a","b*"]}"#, #""bc""#, false),
            (#"{"wildcard":["*a","b*"]}"#, #""cb""#, true),
        ])
    func `matches anything but what is named`(_ denied: String, _ value: String, _ isMatch: Bool)
        throws
    {
        #expect(
            try matches("{\"a\":[{\"anything-but\":\(denied)}]}", "{\"a\":\(value)}") == isMatch)
    }

    @Test func `never matches absent members with anything-but`() throws {
        #expect(try !matches(#"{"a":[{"anything-but":"x"}]}"#, #"{"b":1}"#))
    }

    @Test(
        arguments: [
            (#"[">",0,"<=",5]"#, "5.0", true), (#"[">",0,"<=",5]"#, "0", false),
            (#"[">",0,"<=",5]"#, "0.000000000000000000000000001", true),
            (#"["=",300]"#, "3e2", true), (#"["=",300]"#, "300.00", true),
            (#"["=",0]"#, "-0.0e9", true), (#"["<",5]"#, #""4""#, false),
            (#"["<",0]"#, "-1e-400", true), (#"[">",1e308]"#, "1e999", true),
            (#"["<",5e9]"#, "6e9", false), (#"[">",5000000000]"#, "5000000001", true),
            (#"["=",9007199254740993]"#, "9007199254740992", false),
            (#"["=",18446744073709551616]"#, "18446744073709551616.0", true),
            (#"[">",18446744073709551616]"#, "18446744073709551617", true),
            (#"["=",0.1]"#, "0.1000000000000000055511151231257827", false),
            (#"["<",5,">",3]"#, "4", true), (#"["<",5,">",3]"#, "3", false),
            (#"[">=",5,"<=",5]"#, "5", true), (#"[">",3,">",5]"#, "4", false),
            (#"["=",5,"<",6]"#, "5", true),
        ])
    func `compares numbers exactly`(_ numeric: String, _ value: String, _ isMatch: Bool) throws {
        #expect(try matches("{\"a\":[{\"numeric\":\(numeric)}]}", "{\"a\":\(value)}") == isMatch)
    }

    @Test(
        arguments: [
            ("*", "", true), ("*", "any", true), ("", "", true), ("", "a", false),
            ("ab", "ab", true), ("ab", "abc", false), ("a*", "a", true), ("a*", "ba", false),
            ("*a", "ba", true), ("*a", "ab", false), ("a*a", "a", false), ("a*a", "aa", true),
            ("a*b*c", "abbc", true), ("a*b*c", "acb", false), ("*ab*ab*", "abab", true),
            ("*ab*ab*", "abb", false), ("*aba*aba*", "ababa", false),
            ("*aab*", "aaaab", true), ("*abcabd*", "abcabcabd", true),
            (#"a\\*b"#, "a*b", true), (#"a\\*b"#, "axb", false), (#"a\\\\b"#, #"a\\b"#, true),
            (#"\\**\\*"#, "*x*", true), ("é*ü", "éaü", true),
            ("*\u{1F44D}", "ok \u{1F44D}", true),
            ("dir/*.png", "dir/a/b.png", true), ("dir/*.png", "dir.png", false),
        ])
    func `matches any text with wildcards`(_ wildcard: String, _ text: String, _ isMatch: Bool)
        throws
    {
        let when = "{\"a\":[{\"wildcard\":\"\(wildcard)\"}]}"
        #expect(try matches(when, "{\"a\":\"\(text)\"}") == isMatch)
    }

    @Test(
        arguments: [
            ("10.0.0.0/24", "10.0.0.0", true), ("10.0.0.0/24", "10.0.0.255", true),
            ("10.0.0.0/24", "10.0.1.0", false), ("10.0.0.77/24", "10.0.0.1", true),
            ("0.0.0.0/0", "255.255.255.255", true), ("10.0.0.1/32", "10.0.0.1", true),
            ("10.0.0.1/32", "10.0.0.2", false), ("10.0.0.0/8", "10.0.0", false),
            ("10.0.0.0/8", "10.0.0.256", false), ("10.0.0.0/8", "10.0.0.0.0", false),
            ("10.0.0.0/8", "10.0.0.1 ", false), ("10.0.0.0/8", "", false),
            ("10.0.0.0/8", "010.0.0.1", false), ("10.0.0.0/8", "10.0.0.", false),
            ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("10.0.0.0/8", "::ffff:a01:203", true),
            ("::ffff:10.0.0.0/104", "10.9.9.9", true), ("::/0", "10.0.0.1", false),
            ("0.0.0.0/0", "::1", false), ("::/0", "::1", true), ("::/0", "::", true),
            ("2001:db8::/32", "2001:DB8:ffff:ffff:ffff:ffff:ffff:ffff", true),
            ("2001:db8::/32", "2001:db9::", false), ("2001:db8::1/128", "2001:db8:0:0::0:1", true),
            ("2001:db8::/32", "2001:db8:::1", false), ("2001:db8::/32", "2001:db8::1::2", false),
            ("2001:db8::/32", "2001:db8:1:2:3:4:5:6", true),
            ("2001:db8::/32", "2001:db8:1:2:3:4:5:6:7", false),
            ("2001:db8::/32", "2001:db8:1:2:3:4:5::6", false),
            ("2001:db8::/32", "2001:db8::1%eth0", false), ("2001:db8::/32", "2001:db8:", false),
            ("2001:db8::/32", "2001:db8::12345", false), ("64:ff9b::/96", "64:ff9b::1.2.3.4", true),
            ("fe80::/10", "febf::1", true), ("fe80::/10", "fec0::1", false),
        ])
    func `matches ranges of IP addresses`(_ range: String, _ address: String, _ isMatch: Bool)
        throws
    {
        let when = "{\"a\":[{\"cidr\":\"\(range)\"}]}"
        #expect(try matches(when, "{\"a\":\"\(address)\"}") == isMatch)
    }

    @Test(
        arguments: [
            (#"{"@topic":["shop.orders"]}"#, true), (#"{"@topic":[{"prefix":"other"}]}"#, false),
            (#"{"@key":["user-1"]}"#, true), (#"{"@key":[{"equals-ignore-case":"USER-1"}]}"#, true),
            (#"{"@headers":{"x":["1"]}}"#, true), (#"{"@headers":{"x":[1]}}"#, false),
            (#"{"@headers":{"none":[{"exists":false}]}}"#, true),
            (#"{"@headers":{"none":["1"]}}"#, false),
            (#"{"@headers":{"$or":[{"none":["1"]},{"x":["1"]}]}}"#, true),
            (#"{"$or":[{"@topic":["none"]},{"a":[1]}]}"#, true),
            (#"{"$or":[{"@topic":["none"]},{"a":[2]}]}"#, false),
            (#"{"@partition":[3]}"#, true), (#"{"@partition":[{"anything-but":3}]}"#, false),
            (#"{"@offset":[{"numeric":[">=",42]}]}"#, true),
            (#"{"@offset":[{"exists":true}]}"#, true),
            (#"{"@timestamp":[{"numeric":["<",1767261600000]}]}"#, false),
            (#"{"@timestamp":[1767261600000]}"#, true),
        ])
    func `checks the metadata of a record`(_ when: String, _ isMatch: Bool) throws {
        #expect(try matches(when, #"{"a":1}"#) == isMatch)
    }

    @Test(
        arguments: [
            (#"[{"exists":true}]"#, true), (#"[{"anything-but":"x"}]"#, true), (#"[""]"#, false),
            (#"[{"prefix":""}]"#, false), (#"[{"wildcard":"*"}]"#, false),
        ])
    func `finds bytes that are not a string equal to nothing`(_ list: String, _ isMatch: Bool)
        throws
    {
        #expect(try matches("{\"@headers\":{\"raw\":\(list)}}", "{}") == isMatch)
    }

    @Test func `checks for a missing key and timestamp`() throws {
        let record = TestRecord(json: "{}")
        record.timestamp = nil
        #expect(
            try matches(#"{"@key":[{"exists":false}],"@timestamp":[{"exists":false}]}"#, record))
        #expect(try !matches(#"{"@timestamp":[{"numeric":[">=",0]}]}"#, record))
    }

    @Test func `turns a filtered record into one dropped notification if asked to`() throws {
        let blocks: MappingSource = [minimal.with(["when": ["a": [1]]])]
        let compiled = MappingPlan.compile(
            notification: nil,
            notifications: MappingMember(
                key: "notifications", keyLocation: MappingLocation(line: 1, column: 1),
                value: blocks),
            when: nil, defaults: defaults, hash: sha256)
        let plan = try #require(compiled.plan)
        var mapper = Mapper(plan: plan)
        mapper.reportsFiltered = true
        var result = MappedRecord()
        mapper.map(patternRecord(#"{"a":2}"#).makeRecord(), now: 0, into: &result)
        #expect(result.isSkipped)
        #expect(result.count == 1)
        #expect(result.notifications[0].drop?.reason == .filtered)
        mapper.map(patternRecord(#"{"a":1,"token":"ab"}"#).makeRecord(), now: 0, into: &result)
        #expect(!result.isSkipped)
        #expect(result.notifications[0].drop == nil)
    }

    @Test func `checks the attributes of CloudEvents and their data`() throws {
        let event =
            #"{"specversion":"1.0","id":"1","source":"/s","type":"order.shipped","v":7,"#
            + #""data":{"type":"x","token":"ab"}}"#
        for (when, isMatch) in [
            (#"{"@ce":{"type":["order.shipped"]},"type":["x"]}"#, true),
            (#"{"@ce":{"type":[{"prefix":"order."}],"subject":[{"exists":false}]}}"#, true),
            (#"{"@ce":{"type":["x"]}}"#, false), (#"{"@ce":{"v":["7"]}}"#, true),
            (#"{"$or":[{"@ce":{"type":["y"]}},{"@ce":{"source":["/s"]}}]}"#, true),
        ] {
            let compiled = MappingPlan.compile(
                notification: minimal, when: try MappingSource(json: when), format: "cloudevents",
                defaults: defaults, hash: sha256)
            let plan = try #require(compiled.plan)
            var mapper = Mapper(plan: plan)
            var result = MappedRecord()
            mapper.map(TestRecord(json: event).makeRecord(), now: 0, into: &result)
            #expect(result.isSkipped == !isMatch, "\(when)")
        }
    }
}
