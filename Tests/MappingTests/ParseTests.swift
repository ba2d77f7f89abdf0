import Delivery
import Mapping
import Testing

@Suite struct `JSON in a string of the event` {
    @Test(arguments: [
        (#"{\"a\": [1, 2.50]}"#, #"{"a":[1,2.50]}"#), (#"\"x\""#, #""x""#), ("7", "7"),
        ("true", "true"), ("null", "null"), (#"[\"\\u00e9\"]"#, #"["é"]"#),
        (" {} ", "{}"), (#"[\"\\ud800\"]"#, "[\"\u{FFFD}\"]"),
    ])
    func `becomes its value`(_ text: String, _ value: String) throws {
        let made = try written("${t | parse}", of: #"{"t":"\#(text)"}"#)
        #expect(made == #","v":\#(value)"#)
    }

    @Test func `is the whole payload, as SNS writes it`() throws {
        let event = #"{"token":"ab","APNS":"{\"aps\":{\"alert\":\"Hi\",\"badge\":2.0},\"id\":7}"}"#
        let made = try notification(event, minimal.with(["payload": "${APNS | parse}"]))
        #expect(made.drop == nil)
        #expect(made.body == #"{"aps":{"alert":"Hi","badge":2},"id":7}"#)
    }

    @Test(arguments: [
        (#""{\"aps\":{\"badge\":\"x\"}}""#, "wrong_type"), (#""{\"aps\":{}}""#, "alert_empty"),
        (#""[1]""#, "wrong_type"), (#""7""#, "wrong_type"), (#"{"aps":{}}"#, "wrong_type"),
        (#""{""#, "unparsable"), (#""""#, "unparsable"), (#""{} {}""#, "unparsable"),
    ])
    func `is checked like any other payload`(_ text: String, _ reason: String) throws {
        let made = try notification(
            #"{"token":"ab","t":\#(text)}"#, minimal.with(["payload": "${t | parse}"]))
        #expect(made.drop?.reason.rawValue == reason)
    }

    @Test func `is dropped with its path if it is invalid or too deep`() throws {
        let deep = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
        for (text, message) in [
            ("nope", "the string is not valid JSON"),
            (deep, "the JSON in the string is nested deeper than 64 levels"),
        ] {
            let made = try payload("${t | parse}", of: #"{"t":"\#(text)"}"#)
            #expect(
                made.drop
                    == Drop(
                        .unparsable,
                        "connectors/orders.yaml:8:11: ${t | parse}: \(message)"))
        }
    }

    @Test func `is skipped if it is absent`() throws {
        #expect(try written("${q? | parse}", of: #"{"t":1}"#) == "")
        #expect(try written("${q ?? t | parse}", of: #"{"t":"[1]"}"#) == #","v":[1]"#)
        #expect(try written("${q | parse}", of: #"{"t":1}"#) == "missing_field")
    }

    @Test(arguments: [
        ("${t | parse | json}", "'parse' must come last"),
        ("x ${t | parse}", "'parse' must be alone in its string"),
        ("${t | parse}${t}", "'parse' must be alone in its string"),
        ("${t | parse(1)}", "'parse' takes no value"),
    ])
    func `stands alone and last`(_ template: String, _ message: String) {
        let source = minimal.with(["payload": ["aps": ["badge": 1], "v": .text(template)]])
        #expect(problems(source).map(\.message) == [message])
    }

    @Test func `is only for values of any type`() {
        let collapse = problems(minimal.with(["collapse_id": "${t | parse}"]))
        #expect(
            collapse.map(\.message) == ["'parse' is not valid here: only a payload can contain it"])
        let badge = problems(minimal.with(["payload": ["aps": ["badge": "${t | parse}"]]]))
        #expect(
            badge.map(\.message) == [
                "'parse' is not valid here: this must be a whole number of at least 0"
            ])
        #expect(problems(minimal.with(["payload": ["aps": ["alert": "${t | parse}"]]])) == [])
    }
}

@Suite struct `The members of an object in a payload` {
    private func body(
        _ payload: MappingSource, of event: String, _ changes: MappingSource = minimal
    ) throws -> String {
        let made = try notification(
            #"{"token":"ab",\#(event.dropFirst())"#, changes.with(["payload": payload]))
        return made.drop?.reason.rawValue ?? made.body
    }

    @Test func `are added next to aps`() throws {
        let payload: MappingSource = ["aps": ["badge": 1], "...": "${data}"]
        #expect(
            try body(payload, of: #"{"data":{"a":1,"b":{"c":null}}}"#)
                == #"{"aps":{"badge":1},"a":1,"b":{"c":null}}"#)
        #expect(try body(payload, of: #"{"data":{}}"#) == #"{"aps":{"badge":1}}"#)
    }

    @Test func `yield to keys that are written, and the last of the same name counts`() throws {
        let payload: MappingSource = [
            "...": "${data}", "aps": ["badge": 1], "a": "${own}", "b": "${none?}",
        ]
        #expect(
            try body(payload, of: #"{"own":5,"data":{"a":1,"\u0062":2,"c":3,"d":1,"\u0064":2}}"#)
                == #"{"c":3,"d":2,"aps":{"badge":1},"a":5}"#)
        #expect(
            try body(payload, of: #"{"own":5,"data":{"a":1}}"#) == #"{"aps":{"badge":1},"a":5}"#)
    }

    @Test func `may come from a string, and stand deeper`() throws {
        let payload: MappingSource = [
            "aps": ["badge": 1], "data": ["x": 0, "...": "${text | parse}"],
        ]
        #expect(
            try body(payload, of: #"{"text":"{\"x\": 1, \"aps\": 2, \"y\": \"ü\"}"}"#)
                == #"{"aps":{"badge":1},"data":{"x":0,"aps":2,"y":"ü"}}"#)
        #expect(try body(payload, of: #"{"text":"[1]"}"#) == "wrong_type")
        #expect(try body(payload, of: #"{"text":"{"}"#) == "unparsable")
    }

    @Test(arguments: [
        (#"{"data":null}"#, "${data?}", #"{"aps":{"badge":1}}"#),
        (#"{"x":1}"#, "${data?}", #"{"aps":{"badge":1}}"#),
        (#"{"x":1}"#, "${data}", "missing_field"), (#"{"data":[1]}"#, "${data}", "wrong_type"),
        (#"{"data":"x"}"#, "${data}", "wrong_type"), (#"{"data":7}"#, "${data?}", "wrong_type"),
        (#"{"data":{"aps":{}}}"#, "${data}", "payload_rule"),
        (#"{"data":{"\u0061ps":{}}}"#, "${data}", "payload_rule"),
    ])
    func `must be those of an object without aps`(
        _ event: String, _ path: String, _ result: String
    ) throws {
        let payload: MappingSource = ["aps": ["badge": 1], "...": .text(path)]
        #expect(try body(payload, of: event) == result)
    }

    @Test func `count for the limit, and cost no more than other events`() throws {
        let payload: MappingSource = ["aps": ["badge": 1], "...": "${data}"]
        let long = String(repeating: "x", count: 5000)
        #expect(try body(payload, of: #"{"data":{"a":"\#(long)"}}"#) == "payload_too_large")
        let many = (0..<20_000).map { "\"m\($0)\":1" }.joined(separator: ",")
        #expect(try body(payload, of: "{\"data\":{\(many)}}") == "too_expensive")
    }

    @Test func `can satisfy what a push type requires`() throws {
        let file = minimal.with(["push_type": "fileprovider"])
        let event = #"{"data":{"container-identifier":"c","domain":"d"}}"#
        #expect(
            try body(["...": "${data}"], of: event, file)
                == #"{"container-identifier":"c","domain":"d"}"#)
        let half = #"{"data":{"domain":"d"}}"#
        #expect(try body(["...": "${data}"], of: half, file) == "payload_rule")
    }

    @Test(arguments: [
        (["aps": ["badge": 1, "...": "${data}"]], "'...' is not valid in 'aps'"),
        (
            ["aps": ["badge": 1, "content-state": ["...": "${data}"]]],
            "'...' is not valid in 'aps'"
        ),
        (["aps": ["badge": 1], "...": "data"], "'...' must be the path of an object"),
        (["aps": ["badge": 1], "...": ["a": 1]], "'...' must be the path of an object"),
        (["aps": ["badge": 1], "...": "${a} ${b}"], "'...' must be the path of an object"),
    ] as [(MappingSource, String)])
    func `are checked in the file`(_ payload: MappingSource, _ message: String) {
        #expect(problems(minimal.with(["payload": payload])).map(\.message) == [message])
    }
}
