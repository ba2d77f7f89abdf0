import Mapping
import Testing

@Suite struct `Arrays are taken` {
    let event = """
        {"devices":[{"token":"t1"},{"x":1},{"token":null},{"token":"t\\n2"}],"none":[],"one":["a"],\
        "mixed":["a",1.10,true,null,"b"],"deep":["a",["b"]],"o":{"a":1,"b":2,"a":3}}
        """

    @Test(arguments: [
        ("${devices[*].token | join(\", \")}", "\"t1, t\\n2\""),
        ("${mixed | join(\"-\")}", "\"a-1.10-true-b\""),
        ("${mixed[*] | join(\"\")}", "\"a1.10trueb\""), ("${none | join(\",\")}", "\"\""),
        ("${one | join(\"\\u2028\")}", "\"a\""), ("${deep | join(\",\")}", "wrong_type"),
        ("${devices | join(\",\")}", "wrong_type"), ("${o | join(\",\")}", "wrong_type"),
        ("Items: ${mixed | join(\" & \")}!", "\"Items: a & 1.10 & true & b!\""),
        ("${devices[*].token | join(\"${q}\")}", "refused"),
    ])
    func `joined with a string between them`(_ template: String, _ result: String) throws {
        do {
            #expect(try value(template, event) == result)
        } catch let error as Unplanned {
            #expect(result == "refused")
            #expect(error.problems.first?.message == "templates cannot be nested")
        }
    }

    @Test(arguments: [
        ("${devices[*].token | length}", "2"), ("${devices | length}", "4"),
        ("${mixed | length}", "5"), ("${mixed[*] | length}", "4"), ("${none | length}", "0"),
        ("${none[*] | length}", "0"), ("${o | length}", "3"),
        ("${nothing[*] | length}", "missing_field"),
        ("${o[*] | length}", "missing_field"),
    ])
    func `counted one by one`(_ template: String, _ result: String) throws {
        #expect(try value(template, event) == result)
    }

    @Test(arguments: [
        ("${devices[*].token | json}", "\"[\\\"t1\\\",\\\"t\\\\n2\\\"]\""),
        ("${none[*] | json}", "\"[]\""),
        ("${devices[*].token}", "[\"t1\",\"t\\n2\"]"), ("${devices[*].gone}", "[]"),
        ("${o | json}", "\"{\\\"a\\\":1,\\\"b\\\":2,\\\"a\\\":3}\""),
        ("${mixed | upper}", "wrong_type"), ("${mixed | text}", "wrong_type"),
    ])
    func `whole, as JSON`(_ template: String, _ result: String) throws {
        #expect(try value(template, event) == result)
    }
}
