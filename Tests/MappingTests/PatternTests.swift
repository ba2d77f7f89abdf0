import Delivery
import Mapping
import Testing

@Suite struct `An event pattern` {
    @Test(
        arguments: [
            (["type": "order.shipped"], "'type' must be a list", "write [order.shipped]"),
            (["type": []], "an empty list matches nothing", "write at least one value"),
            (["type": [["wildcard": "a*"]]], "the operator 'wildcard' is not there yet", nil),
            (["type": [["cidr": "10.0.0.0/8"]]], "the operator 'cidr' is not there yet", nil),
            (
                ["type": [["equals-ignore-case": "a"]]],
                "the operator 'equals-ignore-case' is not there yet", nil
            ),
            (["$or": [["a": ["b"]], ["c": ["d"]]]], "'$or' is not there yet", nil),
            (["@ce": ["type": ["x"]]], "'@ce' is not there yet", nil),
            (
                ["@offset": [1]], "unknown metadata '@offset' in when",
                "write \"@topic\", \"@key\" or \"@headers\""
            ),
            (["type": [["prefx": "a"]]], "unknown operator 'prefx'", "did you mean 'prefix'?"),
            (["type": [["exists": "true"]]], "'exists' is true or false", "write {exists: true}"),
            (
                ["type": [["numeric": [">", "x"]]]],
                "'numeric' needs <, <=, =, >= or > and a number", nil
            ),
            (["type": ["${a}"]], "a pattern can not hold templates", nil),
            (["type": [.plain("yes")]], "'yes' means different things to different readers", nil),
        ] as [(MappingSource, String, String?)])
    func `is refused with the reason`(_ when: MappingSource, _ message: String, _ remedy: String?) {
        let found = problems(minimal, when: when)
        #expect(found.first?.message == message)
        if let remedy { #expect(found.first?.remedy == remedy) }
    }

    @Test func `with a dotted name is warned about`() {
        #expect(problems(minimal, when: ["a.b": ["c"]]).map(\.isWarning) == [true])
    }

    @Test(
        arguments: [
            (["a": ["x", "y"]], "{\"a\":\"y\"}", true),
            (["a": ["x"]], "{\"a\":\"xx\"}", false),
            (["a": ["x"]], "{\"b\":\"x\"}", false),
            (["a": ["é"]], "{\"a\":\"\\u00e9\"}", true),
            (["a": [1]], "{\"a\":\"1\"}", false),
            (["a": ["1"]], "{\"a\":1}", false),
            (["a": [300]], "{\"a\":3.0e2}", true),
            (["a": [true]], "{\"a\":true}", true),
            (["a": [true]], "{\"a\":false}", false),
            (["a": [.plain("null")]], "{\"a\":null}", true),
            (["a": [.plain("null")]], "{\"a\":\"\"}", false),
            (["a": [""]], "{\"a\":null}", false),
            (["a": [""]], "{\"a\":\"\"}", true),
            (["a": ["x"], "b": ["y"]], "{\"a\":\"x\",\"b\":\"y\"}", true),
            (["a": ["x"], "b": ["y"]], "{\"a\":\"x\",\"b\":\"z\"}", false),
            (["a": ["b": ["x"]]], "{\"a\":{\"b\":\"x\"}}", true),
            (["a": ["b": ["x"]]], "{\"a\":\"x\"}", false),
            (["a": ["x"]], "{\"a\":[\"w\",\"x\"]}", true),
            (["a": ["x"]], "{\"a\":[]}", false),
            (["a": ["b": ["x"], "c": ["y"]]], "{\"a\":[{\"b\":\"x\"},{\"c\":\"y\"}]}", false),
            (["a": ["b": ["x"], "c": ["y"]]], "{\"a\":[{},{\"b\":\"x\",\"c\":\"y\"}]}", true),
            (["a": [["prefix": "or"]]], "{\"a\":\"order\"}", true),
            (["a": [["prefix": "or"]]], "{\"a\":\"o\"}", false),
            (["a": [["suffix": "er"]]], "{\"a\":\"ord\\u0065r\"}", true),
            (["a": [["suffix": "er"]]], "{\"a\":5}", false),
            (["a": [["exists": true]]], "{\"a\":null}", true),
            (["a": [["exists": true]]], "{\"a\":{\"b\":1}}", false),
            (["a": [["exists": true]]], "{\"a\":[]}", false),
            (["a": [["exists": false]]], "{\"b\":1}", true),
            (["a": [["exists": false]]], "{\"a\":{\"b\":1}}", true),
            (["a": [["exists": false]]], "{\"a\":[]}", true),
            (["a": [["exists": false]]], "{\"a\":1}", false),
            (["a": ["b": [["exists": false]]]], "{\"c\":1}", true),
            (["a": [["anything-but": "x"]]], "{\"a\":\"y\"}", true),
            (["a": [["anything-but": "x"]]], "{\"a\":\"x\"}", false),
            (["a": [["anything-but": "x"]]], "{\"b\":1}", false),
            (["a": [["anything-but": ["x", 5]]]], "{\"a\":5.0}", false),
            (["a": [["anything-but": ["x", 5]]]], "{\"a\":6}", true),
            (["a": [["anything-but": ["prefix": "te"]]]], "{\"a\":\"test\"}", false),
            (["a": [["anything-but": "x"]]], "{\"a\":[\"x\",\"y\"]}", true),
            (["a": [["numeric": [">", 0, "<=", 5]]]], "{\"a\":5.0}", true),
            (["a": [["numeric": [">", 0, "<=", 5]]]], "{\"a\":0}", false),
            (["a": [["numeric": ["=", 300]]]], "{\"a\":3e2}", true),
            (["a": [["numeric": ["<", 5]]]], "{\"a\":\"4\"}", false),
            (["a": ["x", ["prefix": "y"]]], "{\"a\":\"yes\"}", true),
            (["a": ["x"]], "{\"a\":\"q\",\"a\":\"x\"}", true),
            (["@topic": ["shop.orders"]], "{\"a\":1}", true),
            (["@topic": [["prefix": "other"]]], "{\"a\":1}", false),
            (["@key": ["user-1"]], "{\"a\":1}", true),
            (["@headers": ["x": ["1"]]], "{\"a\":1}", true),
            (["@headers": ["x": [1]]], "{\"a\":1}", false),
            (["@headers": ["none": [["exists": false]]]], "{\"a\":1}", true),
            (["@headers": ["none": ["1"]]], "{\"a\":1}", false),
        ] as [(MappingSource, String, Bool)])
    func `matches as EventBridge does`(_ when: MappingSource, _ event: String, _ matches: Bool)
        throws
    {
        let record = TestRecord(json: event)
        record.key = Array("user-1".utf8)
        record.headers = [("x", Array("1".utf8))]
        let result = try mapped(record, minimal, when: when)
        #expect(result.isFiltered == !matches)
        #expect(result.count == (matches ? 1 : 0))
    }
}
