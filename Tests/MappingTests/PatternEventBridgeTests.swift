import Testing

/// The rules that AWS publishes for the event patterns of Amazon EventBridge, on data of our own.
///
/// Sources: Amazon EventBridge User Guide, *Event pattern syntax*, *Comparison operators for use in
/// event patterns*, *Arrays in event patterns* and *Null values and empty strings in event
/// patterns*; and the README of Event Ruler, the library behind it. Each case here was also put to
/// Event Ruler itself, with the same result.
@Suite struct `EventBridge's published rule` {
    private let order = #"""
        {"source":"shop.eu","kind":"Order State Change","time":"2026-01-01T16:24:49Z",
         "items":["sku-1","sku-2"],"order":{"count":5,"tries":3,"limit":301.8,"ip":"10.0.0.33",
         "id":"o-000a1234","state":"shipped","note":null,"file":"usr/bin/a.jar","empty":""}}
        """#

    @Test(
        arguments: [
            #"{"kind":["Order State Change"],"items":["sku-2"],"order":{"state":["n","shipped"]}}"#,
            #"{"time":[{"prefix":"2026-01-01"}]}"#, #"{"source":[{"suffix":".eu"}]}"#,
            #"{"source":[{"prefix":{"equals-ignore-case":"SHOP"}}]}"#,
            #"{"source":[{"suffix":{"equals-ignore-case":".EU"}}]}"#,
            #"{"source":[{"equals-ignore-case":"Shop.EU"}]}"#,
            #"{"source":[{"wildcard":"s*.*u"}]}"#,
            #"{"order":{"state":[{"anything-but":"new"}]}}"#,
            #"{"order":{"limit":[{"anything-but":123}]}}"#,
            #"{"order":{"state":[{"anything-but":["new","paid"]}]}}"#,
            #"{"order":{"limit":[{"anything-but":[100,200,300]}]}}"#,
            #"{"order":{"state":[{"anything-but":{"prefix":"init"}}]}}"#,
            #"{"order":{"state":[{"anything-but":{"prefix":["init","err"]}}]}}"#,
            #"{"order":{"id":[{"anything-but":{"suffix":"9999"}}]}}"#,
            #"{"order":{"state":[{"anything-but":{"equals-ignore-case":["NEW","Paid"]}}]}}"#,
            #"{"order":{"file":[{"anything-but":{"wildcard":"*/lib/*"}}]}}"#,
            #"{"order":{"count":[{"numeric":[">",0,"<=",5]}],"tries":[{"numeric":["<",10]}]}}"#,
            #"{"order":{"limit":[{"numeric":["=",3.018e2]}]}}"#,
            #"{"order":{"ip":[{"cidr":"10.0.0.0/24"}]}}"#,
            #"{"order":{"count":[{"exists":true}]}}"#,
            #"{"order":{"gone":[{"exists":false}]}}"#, #"{"order":{"note":[null]}}"#,
            #"{"order":{"empty":[""]}}"#, #"{"order":{"empty":[{"exists":true}]}}"#,
            #"{"$or":[{"source":["none"]},{"order":{"count":[5]}}]}"#,
            #"{"source":["shop.eu"],"$or":[{"a":[1]},{"items":["sku-1"],"b":[{"exists":false}]}]}"#,
            #"{"$or":[{"a":[1]},{"$or":[{"b":[2]},{"order":{"tries":[3]}}]}]}"#,
            #"{"order":{"$or":[{"id":[9]},{"tries":[3]}]},"$or":[{"x":[1]},{"items":["sku-1"]}]}"#,
        ])
    func `matches an event that fits`(_ when: String) throws {
        #expect(try matches(when, order))
    }

    @Test(
        arguments: [
            #"{"kind":["Order State Change"],"items":["sku-3"]}"#,
            #"{"kind":["order state change"]}"#,
            #"{"time":[{"prefix":"2027"}]}"#, #"{"order":{"count":[{"prefix":"5"}]}}"#,
            #"{"order":{"count":[{"suffix":"5"}]}}"#, #"{"order":{"count":[{"wildcard":"*"}]}}"#,
            #"{"order":{"count":[{"equals-ignore-case":"5"}]}}"#,
            #"{"source":[{"wildcard":"s*.*x"}]}"#,
            #"{"order":{"state":[{"anything-but":"shipped"}]}}"#,
            #"{"order":{"state":[{"anything-but":{"prefix":["sh","err"]}}]}}"#,
            #"{"order":{"file":[{"anything-but":{"wildcard":["*.class","*/bin/*.jar"]}}]}}"#,
            #"{"order":{"gone":[{"anything-but":"x"}]}}"#,
            #"{"order":{"count":[{"numeric":[">",5]}]}}"#, #"{"source":[{"numeric":[">",0]}]}"#,
            #"{"order":{"ip":[{"cidr":"10.0.1.0/24"}]}}"#, #"{"source":[{"cidr":"10.0.0.0/8"}]}"#,
            #"{"order":[{"exists":true}]}"#, #"{"order":{"gone":[{"exists":true}]}}"#,
            #"{"order":{"note":[""]}}"#, #"{"order":{"empty":[null]}}"#,
            #"{"order":{"note":[{"exists":false}]}}"#,
            #"{"$or":[{"source":["none"]},{"order":{"count":[6]}}]}"#,
            #"{"source":["shop.us"],"$or":[{"order":{"count":[5]}},{"order":{"tries":[3]}}]}"#,
            #"{"order":{"$or":[{"count":[9]},{"tries":[3]}]},"$or":[{"x":[1]},{"y":[1]}]}"#,
        ])
    func `does not match an event that does not fit`(_ when: String) throws {
        #expect(try !matches(when, order))
    }

    @Test(
        arguments: [
            ([#"{"k":1,"v":2}"#], true), ([#"{"k":1}"#, #"{"v":2}"#], false),
            ([#"{"k":1}"#, #"{"v":2}"#, #"{"k":1,"v":2}"#], true),
            ([#"{"k":1,"v":3}"#, #"{"k":3,"v":2}"#], false),
            ([#"[{"k":1}]"#, #"[{"v":2},{"k":1,"v":2}]"#], true),
            ([#"[{"k":1},{"v":2}]"#], false), ([#"{"k":[3,1],"v":[2]}"#], true), ([], false),
        ] as [([String], Bool)])
    func `checks all conditions below an array on one element`(
        _ elements: [String], _ isTaken: Bool
    ) throws {
        let event = "{\"a\":[\(elements.joined(separator: ","))],\"b\":[\"x\",\"y\"]}"
        #expect(try matches(#"{"a":{"k":[1],"v":[2]},"b":["y"]}"#, event) == isTaken)
        // The same, with one condition in a branch.
        let when = #"{"a":{"k":[1]},"$or":[{"c":[1]},{"a":{"v":[2]},"b":["y"]}]}"#
        #expect(try matches(when, event) == isTaken)
    }

    @Test(
        arguments: [
            (#"{"a":[{"n":"ann","i":[{"k":"c","v":1},{"k":"d","v":2}]}]}"#, true),
            (#"{"a":[{"n":"ann","i":[{"k":"c","v":2},{"k":"d","v":1}]}]}"#, false),
            (#"{"a":[{"n":"ann"},{"i":[{"k":"c","v":1}]}]}"#, false),
            (#"{"a":[{"n":"bob","i":{}},{"n":"ann","i":{"k":"c","v":1}}]}"#, true),
        ])
    func `does so at every depth`(_ event: String, _ isTaken: Bool) throws {
        #expect(try matches(#"{"a":{"n":["ann"],"i":{"k":["c"],"v":[1]}}}"#, event) == isTaken)
    }

    @Test(
        arguments: [
            (#"["x","y"]"#, true), (#"["x"]"#, false), ("[]", false), (#"[["x"],["z"]]"#, true),
        ])
    func `matches an array if one element is anything else`(_ value: String, _ isTaken: Bool)
        throws
    {
        #expect(try matches(#"{"a":[{"anything-but":"x"}]}"#, "{\"a\":\(value)}") == isTaken)
    }
}

/// Where patterns differ from what Event Ruler does, and why.
@Suite struct `A pattern that differs from EventBridge` {
    @Test func `compares numbers by value as Ruler does, against the words of its user guide`()
        throws
    {
        for written in ["300", "300.0", "3e2", "3.0E+2"] {
            #expect(try matches(#"{"a":[300]}"#, "{\"a\":\(written)}"))
        }
    }

    @Test func `compares numbers of any size and precision`() throws {
        #expect(try matches(#"{"a":[{"numeric":[">",1]}]}"#, #"{"a":1e999}"#))
        #expect(try !matches(#"{"a":[9007199254740993]}"#, #"{"a":9007199254740992}"#))
        #expect(try matches(#"{"a":[{"numeric":[">",5e9,"<",1e10]}]}"#, #"{"a":6e9}"#))
    }

    @Test func `accepts comparisons in any order, and equal limits`() throws {
        #expect(try matches(#"{"a":[{"numeric":["<",5,">",3]}]}"#, #"{"a":4}"#))
        #expect(try matches(#"{"a":[{"numeric":[">=",5,"<=",5]}]}"#, #"{"a":5}"#))
    }

    @Test func `checks absence on the same element, too`() throws {
        let when = #"{"devices":{"platform":["ios"],"revoked":[{"exists":false}]}}"#
        let event = #"{"devices":[{"platform":"ios","revoked":1},{"platform":"ios"}]}"#
        #expect(try matches(when, event))
        #expect(
            try !matches(when, #"{"devices":[{"platform":"ios","revoked":1},{"platform":"web"}]}"#))
    }

    @Test func `accepts anything-but with mixed lists, true, false and null`() throws {
        #expect(try !matches(#"{"a":[{"anything-but":["x",5]}]}"#, #"{"a":5}"#))
        #expect(try !matches(#"{"a":[{"anything-but":[true,null]}]}"#, #"{"a":null}"#))
        let prefix = #"{"a":[{"anything-but":{"prefix":{"equals-ignore-case":"TE"}}}]}"#
        #expect(try !matches(prefix, #"{"a":"test"}"#))
    }

    @Test func `accepts a range of one address`() throws {
        #expect(try matches(#"{"a":[{"cidr":"10.0.0.1/32"}]}"#, #"{"a":"10.0.0.1"}"#))
        #expect(try matches(#"{"a":[{"cidr":"::1/128"}]}"#, #"{"a":"::1"}"#))
    }

    @Test func `reads an IPv4 address in IPv6 form, as dual-stack servers log it`() throws {
        #expect(try matches(#"{"a":[{"cidr":"10.0.0.0/8"}]}"#, #"{"a":"::ffff:10.0.0.1"}"#))
        #expect(try !matches(#"{"a":[{"cidr":"::/0"}]}"#, #"{"a":"10.0.0.1"}"#))
    }

    @Test func `rejects addresses with leading zeros, which some read as octal`() throws {
        #expect(try !matches(#"{"a":[{"cidr":"10.0.0.0/8"}]}"#, #"{"a":"010.0.0.1"}"#))
    }

    @Test func `requires both lists of a member that is in $or and beside it`() throws {
        let when = #"{"type":[{"prefix":"order."}],"$or":[{"type":["a"]},{"vip":[true]}]}"#
        #expect(try !matches(when, #"{"type":"a"}"#))
        #expect(try matches(when, #"{"type":"order.paid","vip":true}"#))
    }

    @Test func `reads a dotted name as one member, as JSON does`() throws {
        #expect(try matches(#"{"a.b":["x"]}"#, #"{"a.b":"x"}"#))
        #expect(try !matches(#"{"a.b":["x"]}"#, #"{"a":{"b":"x"}}"#))
    }

    @Test func `always reads $or as an operator, never as a member`() throws {
        #expect(throws: Unplanned.self) {
            try matches(#"{"$or":{"a":[1],"b":[2]}}"#, #"{"$or":{"a":1,"b":2}}"#)
        }
        #expect(try matches(#"{"[\"$or\"]":{"a":[1]}}"#, #"{"$or":{"a":1}}"#))
    }
}
