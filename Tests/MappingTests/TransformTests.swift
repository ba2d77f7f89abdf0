import Delivery
import Mapping
import Testing

/// The result of a single template for an event, as JSON, or the reason of its drop.
func value(_ template: String, _ event: String) throws -> String {
    let found = try written(MappingSource(stringLiteral: template), of: event)
    return found.hasPrefix(",\"v\":") ? String(found.dropFirst(5)) : found
}

@Suite struct `A transform` {
    @Test(arguments: [
        ("upper", "1", "a string, not a number"), ("lower", "true", "a string, not a boolean"),
        ("trim", "{}", "a string, not an object"), ("truncate(3)", "[1]", "a string, not an array"),
        ("nonempty", "0", "a string, not a number"), ("hex", "12", "a string, not a number"),
        ("text", "[1]", "a string, a number or a boolean, not an array"),
        ("number", "true", "a number, or a string that is one, not a boolean"),
        ("fixed(2)", "\"1\"", "a number, not a string"),
        ("shift(1)", "{}", "a number, not an object"),
        ("date(\"%H\", \"UTC\")", "false", "a time, not a boolean"),
        ("join(\",\")", "\"a,b\"", "an array of strings, numbers and booleans, not a string"),
        ("length", "17", "a string, an array or an object, not a number"),
        ("map(a = 1)", "[]", "a string, a number or a boolean, not an array"),
    ])
    func `names the type that it does not accept`(
        _ transform: String, _ value: String, _ message: String
    ) throws {
        let template = MappingSource(stringLiteral: "${v | \(transform)}")
        let source = minimal.with(["payload": ["aps": ["badge": 1], "x": template]])
        let made = try notification("{\"token\":\"ab\",\"v\":\(value)}", source)
        let name = transform.prefix { $0 != "(" }
        #expect(
            made.drop
                == Drop(
                    .wrongType,
                    "connectors/orders.yaml:8:11: ${v | \(transform)}: '\(name)' takes \(message)"))
    }

    @Test(arguments: [
        ("truncate", 7, "'truncate' takes one whole number from 1 to 10000", "| truncate(40)"),
        ("truncate(0)", 16, "'truncate' takes one whole number from 1 to 10000", "| truncate(40)"),
        ("truncate(1.5)", 16, "'truncate' takes one whole number from 1 to 10000", nil),
        ("truncate(\"1\")", 16, "'truncate' takes one whole number from 1 to 10000", nil),
        ("fixed(31)", 13, "'fixed' takes one whole number from 0 to 30", "| fixed(2)"),
        ("fixed(-1)", 13, "'fixed' takes one whole number from 0 to 30", nil),
        ("shift(b)", 13, "'shift' takes one whole number from -30 to 30", "| shift(-2)"),
        ("join", 7, "'join' takes one string, the separator", "| join(\", \")"),
        ("join(b)", 12, "'join' takes one string, the separator", nil),
        ("hex(1)", 7, "'hex' takes no value", "| hex"),
        ("map", 7, "'map' is empty", nil),
        ("map(b)", 11, "'map' takes pairs: name = value", nil),
        ("map(b.c = 1)", 11, "'map' takes pairs: name = value", nil),
        ("map(b = 1, \"b\" = 2)", 18, "duplicate 'b' in 'map'", nil),
        ("map(else = 1, b = 2)", 21, "nothing can follow 'else' in 'map'", nil),
        ("upper(b = 1)", 13, "'=' is only valid in 'map'", "| upper"),
        ("default(1, 2)", 7, "'default' takes one value", nil),
    ])
    func `is validated when the file is read`(
        _ transform: String, _ column: Int, _ message: String, _ remedy: String?
    ) {
        let text = "${a | \(transform)}"
        let found = problems(minimal.with(["payload": ["aps": ["alert": .plain(text)]]]))
        #expect(found.map(\.message) == [message])
        #expect(found.first?.location == MappingLocation(line: 8, column: 9 + column))
        if let remedy { #expect(found.first?.remedy == "write \(remedy)") }
    }

    @Test(arguments: [
        "upper", "trim", "truncate(2)", "nonempty", "text", "number", "fixed(1)", "shift(1)",
        "date(\"%H\", \"UTC\")", "join(\",\")", "length", "json", "hex", "map(else = 1)",
    ])
    func `is skipped if its value is absent`(_ transform: String) throws {
        #expect(try value("${q | \(transform) | default(\"d\")}", "{\"a\":1}") == "\"d\"")
        #expect(try value("${q | \(transform)}", "{\"a\":1}") == "missing_field")
        #expect(try value("${q? | \(transform)}", "{\"a\":null}") == "")
    }

    @Test(arguments: [
        ("${a | number | text}", "\"1.50\""), ("${a | number | json | length}", "4"),
        ("${a | number | shift(2) | fixed(1) | text | lower}", "\"150.0\""),
        ("${@topic | upper | lower | json}", "\"\\\"shop.orders\\\"\""),
        ("${b | upper | lower | truncate(3) | upper}", "\"ÄB…\""),
        ("${a | text}${b | upper}${a | number}", "\"1.50ÄBCD1.50\""),
    ])
    func `is applied to the result of the previous one`(_ template: String, _ result: String) throws
    {
        #expect(try value(template, "{\"a\":\"1.50\",\"b\":\"äbcd\"}") == result)
    }

    @Test func `does not change the record's topic for the next template`() throws {
        #expect(
            try value("${@topic | upper} ${@topic}", "{\"a\":1}") == "\"SHOP.ORDERS shop.orders\"")
    }
}

@Suite struct `A value is looked up in a map` {
    static let map = """
        map(shipped = "On its way", "in transit" = "Moving", 3 = c, true = "yes", "true" = "text", \
        null = "n")
        """

    @Test(arguments: [
        ("\"shipped\"", "\"On its way\""), ("\"in transit\"", "\"Moving\""), ("3", "\"C\""),
        ("3.0", "\"C\""), ("30e-1", "\"C\""), ("true", "\"yes\""), ("\"true\"", "\"text\""),
        ("\"null\"", "\"n\""), ("\"ship\\u0070ed\"", "\"On its way\""),
        ("\"Shipped\"", "missing_field"),
        ("\"3\"", "missing_field"), ("false", "missing_field"), ("4", "missing_field"),
        ("null", "missing_field"), ("{}", "wrong_type"),
    ])
    func `by its type and value`(_ key: String, _ result: String) throws {
        #expect(try value("${a | \(Self.map)}", "{\"a\":\(key),\"c\":\"C\"}") == result)
    }

    @Test func `or else gets the value after else`() throws {
        let template = "${a | map(x = 1, else = c)}"
        #expect(try value(template, "{\"a\":\"y\",\"c\":{\"d\":1}}") == "{\"d\":1}")
        #expect(try value(template, "{\"a\":\"x\"}") == "1")
        #expect(try value(template, "{\"a\":\"y\"}") == "missing_field")
    }

    @Test func `under the name else only if that is quoted`() throws {
        #expect(try value("${a | map(\"else\" = 1, else = 2)}", "{\"a\":\"else\"}") == "1")
    }
}
