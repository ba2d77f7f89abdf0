import Delivery
import Mapping
import Testing

@Suite struct `A mistake in an event pattern` {
    @Test(
        arguments: [
            (
                ["type": "order.shipped"], "'type' must be a list",
                "write [\"order.shipped\"]"
            ),
            (["type": .plain("order.shipped")], "'type' must be a list", "write [order.shipped]"),
            (["type": .plain("a, b")], "'type' must be a list", "write [\"a, b\"]"),
            (["type": []], "an empty list matches nothing", "write at least one value"),
            (["type": [:]], "'type' has no conditions", "write {name: [value]}"),
            ([:], "'when' is empty", "remove it to accept every event"),
            (
                ["type"], "'when' must be a map of names and lists",
                "write when: {type: [order.shipped]}"
            ),
            (
                ["type": ["prefix": .plain("order")]], "'type' must be a list",
                "write [{prefix: order}]"
            ),
            (["type": [["a"]]], "a list of values cannot contain a list", nil),
            (
                ["type": [["prefix": "a", "suffix": "b"]]],
                "an operator must be the only key of its map",
                "write [{prefix: \"a\"}, {prefix: \"b\"}]"
            ),
            (["type": [["prefx": "a"]]], "unknown operator 'prefx'", "did you mean 'prefix'?"),
            (
                ["type": [["equals-ignorecase": "a"]]], "unknown operator 'equals-ignorecase'",
                "did you mean 'equals-ignore-case'?"
            ),
            (
                ["type": [["contains": "a"]]], "unknown operator 'contains'",
                "write {wildcard: \"*text*\"}"
            ),
            (
                ["type": [["regex": "a"]]], "unknown operator 'regex'",
                "regular expressions are not supported; write {wildcard: \"order.*\"}"
            ),
            (
                ["type": [["not": "a"]]], "unknown operator 'not'",
                "write {anything-but: [a, b]}"
            ),
            (
                ["type": [["x1": "a"]]], "unknown operator 'x1'",
                "the operators are prefix, suffix, equals-ignore-case, wildcard, numeric,"
                    + " version, exists, "
                    + "cidr, anything-but"
            ),
            (
                ["type": [["exists": "true"]]], "'exists' must be true or false",
                "write {exists: true}"
            ),
            (["type": [["exists": ["a": "b"]]]], "'exists' must be true or false", nil),
            (
                ["type": ["${a}"]], "a pattern cannot contain templates",
                "write the value itself"
            ),
            (["type": [["suffix": "a${b}"]]], "a pattern cannot contain templates", nil),
            (["${a}": ["b"]], "a name cannot contain templates", "write the name itself"),
            (
                ["type": [.plain("yes")]], "'yes' is ambiguous: YAML parsers read it differently",
                nil
            ),
        ] as [(MappingSource, String, String?)])
    func `is reported with what to write`(
        _ when: MappingSource, _ message: String, _ remedy: String?
    ) {
        let found = problems(minimal, when: when)
        #expect(found.map(\.message) == [message])
        if let remedy { #expect(found.first?.remedy == remedy) }
    }

    @Test(
        arguments: [
            (["prefix": ["a", "b"]], "'prefix' takes one string"),
            (["prefix": .plain("")], "'prefix' needs a string"),
            (["prefix": ["equals": "a"]], "'prefix' takes a string or equals-ignore-case"),
            (["suffix": ["equals-ignore-case": ["a"]]], "'suffix' takes one string"),
            (
                ["suffix": ["equals-ignore-case": ["equals-ignore-case": "a"]]],
                "'suffix' takes a string or equals-ignore-case"
            ),
            (["equals-ignore-case": ["prefix": "a"]], "'equals-ignore-case' takes a string"),
            (["wildcard": ["prefix": "a"]], "'wildcard' takes a string"),
            (["wildcard": "a**b"], "'**' in a wildcard"),
            (["wildcard": "a\\n"], "a '\\' that is not followed by '*' or '\\'"),
            (["wildcard": "a\\"], "a '\\' that is not followed by '*' or '\\'"),
            (["anything-but": []], "'anything-but' needs a value"),
            (
                ["anything-but": ["a", ["prefix": "b"]]],
                "'anything-but' takes a list of values or one map"
            ),
            (
                ["anything-but": ["numeric": [">", 1]]],
                "'anything-but' takes values or one operator, not 'numeric'"
            ),
            (
                ["anything-but": ["prefix": "a", "suffix": "b"]],
                "'anything-but' takes values or one operator"
            ),
            (["anything-but": ["prefix": []]], "'prefix' needs a string"),
            (["cidr": ["10.0.0.0/8"]], "'cidr' takes one range"),
            (["cidr": "shop"], "'shop' is not a range of IP addresses"),
            (["cidr": "10.0.0/8"], "'10.0.0/8' is not a range of IP addresses"),
            (["cidr": "10.0.0.1"], "'10.0.0.1' is a single address, not a range"),
            (["cidr": "10.0.0.0/33"], "'/33' is not a valid prefix length"),
            (["cidr": "10.0.0.0/-1"], "'/-1' is not a valid prefix length"),
            (["cidr": "10.0.0.0/"], "'/' is not a valid prefix length"),
            (["cidr": "2001:db8::/129"], "'/129' is not a valid prefix length"),
        ] as [(MappingSource, String)])
    func `in an operator is rejected`(_ operation: MappingSource, _ message: String) {
        let found = problems(minimal, when: ["type": [operation]])
        #expect(found.map(\.message) == [message])
        #expect(found.first?.remedy != nil)
        #expect(found.first?.isWarning == false)
    }

    @Test(
        arguments: [
            (5, "'numeric' needs a list of comparisons and numbers", "write [\">\", 0, \"<=\", 5]"),
            ([">"], "'numeric' needs one or two comparisons, each with a number", nil),
            ([">", 1, "<"], "'numeric' needs one or two comparisons, each with a number", nil),
            (["=>", 1], "'=>' is not a comparison", "did you mean \">=\"?"),
            (["==", 1], "'==' is not a comparison", "did you mean \"=\"?"),
            (["!=", 1], "'!=' is not a comparison", "write {anything-but: 5}"),
            ([1, ">"], "'1' is not a comparison", "the comparisons are <, <=, =, >= and >"),
            ([">", "1"], "'1' is a string here", "write 1 without quotation marks"),
            ([">", .plain("one")], "'one' is not a number", "write it as in JSON: 5, -1.5 or 1e6"),
            ([">", .plain("0x10")], "'0x10' is not a number", nil),
            ([">", [1]], "missing number", "write [\">\", 0, \"<=\", 5]"),
            ([">", "${a}"], "a pattern cannot contain templates", nil),
            (
                [">", 5, "<", 3], "no number is both > 5 and < 3",
                "write the smaller number with '>' and the larger one with '<'"
            ),
            ([">", 5, "<", .plain("5.0")], "no number is both > 5 and < 5.0", nil),
            (["=", 1, "=", 2], "no number is both = 1 and = 2", nil),
        ] as [(MappingSource, String, String?)])
    func `in numeric is reported with what to write`(
        _ list: MappingSource, _ message: String, _ remedy: String?
    ) {
        let found = problems(minimal, when: ["total": [["numeric": list]]])
        #expect(found.first?.message == message)
        if let remedy { #expect(found.first?.remedy == remedy) }
    }

    @Test(
        arguments: [
            (["$or": ["a": ["b"]]], "'$or' must be a list of maps"),
            (["$or": [["a": ["b"]]]], "'$or' needs at least two maps"),
            (["$or": [["a": ["b"]], "c"]], "a branch of '$or' must be a map"),
            (["$or": [["a": ["b"]], [:]]], "a branch of '$or' has no conditions"),
            (["$or": [["a": ["b"]], ["c": "d"]]], "'c' must be a list"),
            (["@topic": ["a": ["b"]]], "'@topic' must be a list"),
            (["@headers": ["a"]], "'@headers' must be a map"),
            (["@headers": "a"], "'@headers' must be a map"),
            (["@headers": ["x": ["y": ["z"]]]], "'x' must be a list"),
            (["@ce": ["type": ["a"]]], "'@ce' is only valid with CloudEvents"),
        ] as [(MappingSource, String)])
    func `in its structure is rejected`(_ when: MappingSource, _ message: String) {
        let found = problems(minimal, when: when)
        #expect(found.map(\.message) == [message])
        #expect(found.first?.remedy != nil)
    }

    @Test func `in the name of metadata is distinguished from a member`() {
        let found = problems(minimal, when: ["@topci": ["a"]])
        #expect(found.first?.message == "unknown metadata '@topci' in when")
        #expect(
            found.first?.remedy
                == "did you mean \"@topic\"? For a member of the event write '[\"@topci\"]'")
    }

    @Test func `that multiplies its conditions is rejected before it fills memory`() {
        var when: MappingSource = ["a": ["y": [1]]]
        for index in 0..<12 {
            let branch: MappingSource = ["a": ["x": [.plain("\(index)")]]]
            when = ["a": ["y": [1]], "$or": [branch, when]]
        }
        #expect(problems(minimal, when: when).isEmpty)
        let choice: MappingSource = ["$or": [["a": ["x": [1]]], ["a": ["x": [2]]]]]
        var deep = choice
        for _ in 0..<12 { deep = ["$or": [choice, choice], "a": ["y": [1], "z": deep]] }
        when = ["$or": [deep, deep], "a": ["b": [1]], "c": deep]
        for _ in 0..<6 { when = ["$or": [when, when], "a": ["y": [1]]] }
        let found = problems(minimal, when: when)
        #expect(found.first?.message == "'when' expands to more than 1000 conditions")
    }

    @Test func `is reported at its position`() throws {
        let found = try patternProblems(#"{"a":[{"wildcard":"ab**"}],"b":[{"numeric":[">","x"]}]}"#)
        #expect(found.map(\.location.column) == [22, 49])
    }
}

@Suite struct `An event pattern that is valid but unwise` {
    @Test(
        arguments: [
            (["a.b": ["c"]], "'a.b' is the name of one member, not a path"),
            (
                ["a": ["numeric": [">", 1]]],
                "'numeric' is treated as the name of a member here"
            ),
            (["@key": [5]], "'@key' is a string: this never equals it"),
            (["@key": [.plain("null")]], "'@key' is never null"),
            (
                ["@headers": ["x": [["numeric": [">", 1]]]]],
                "'x' is a string: 'numeric' never matches it"
            ),
            (["@offset": ["5"]], "'@offset' is a number: a string never equals it"),
            (["@partition": [true]], "'@partition' is a number: this never equals it"),
            (
                ["a": [["cidr": "10.0.0.77/24"]]],
                "'10.0.0.77/24' does not start with the first address of its range"
            ),
        ] as [(MappingSource, String)])
    func `causes a warning`(_ when: MappingSource, _ message: String) {
        let found = problems(minimal, when: when)
        #expect(found.map(\.message) == [message])
        #expect(found.map(\.isWarning) == [true])
        #expect(found.first?.remedy != nil)
    }

    @Test func `causes no warning about a dotted name that is written as one`() throws {
        #expect(try patternProblems(#"{"[\"a.b\"]":["c"]}"#).isEmpty)
    }
}
