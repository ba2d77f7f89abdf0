import Mapping
import Testing

/// The findings in a scalar without quotation marks, as `column: severity: message | remedy`.
private func findings(_ text: String) -> [String] {
    problems(minimal.with(["payload": ["aps": ["alert": .plain(text)]]])).map { problem in
        let severity = problem.isWarning ? "warning" : "error"
        let remedy = problem.remedy.map { " | \($0)" } ?? ""
        return "\(problem.location.column - 9): \(severity): \(problem.message)\(remedy)"
    }
}

/// Questions that every reader of the grammar should be able to answer, one by one.
@Suite struct `The grammar says` {
    let event = """
        {"a":"A","b":"B","name":null,"price":5,"detail-type":"DT","@timestamp":"ECS",\
        "devices":[{"token":"t1"},{"x":1},{"token":null},{"token":"t2"}]}
        """

    @Test func `01 that the first present value counts`() throws {
        #expect(findings("${a ?? b ?? \"text\"}") == [])
        #expect(try value("${a ?? b ?? \"text\"}", event) == "\"A\"")
        #expect(try value("${q ?? b ?? \"text\"}", event) == "\"B\"")
        #expect(try value("${q ?? name ?? \"text\"}", event) == "\"text\"")
    }

    @Test func `02 that two question marks do not mean optional twice`() {
        #expect(
            findings("${a??}") == [
                "6: error: expected a value after '??' | write ${a ?? \"text\"}, or ${a?}"
            ])
    }

    @Test func `03 that a key is omitted if all of its values are absent`() throws {
        #expect(try value("${q ?? r? | upper}", event) == "")
        #expect(try value("${a ?? r? | lower}", event) == "\"a\"")
    }

    @Test func `04 that a question mark comes last`() {
        #expect(
            findings("${a? ?? b}") == [
                "6: error: '?' must come last | put '?' last: ${a ?? b?}"
            ])
    }

    @Test func `05 that a default comes before the transforms`() {
        #expect(
            findings("${a | upper ?? \"x\"}") == [
                "13: error: '??' must come before '|'"
                    + " | write ${a ?? \"x\" | upper}, or | default(\"x\")"
            ])
    }

    @Test func `06 that the whole key is omitted, text and all`() throws {
        #expect(try value("Hi ${name?}", event) == "")
        #expect(try value("Hi ${a?}", event) == "\"Hi A\"")
    }

    @Test func `07 that two dollar signs are literal, with a warning`() throws {
        #expect(
            findings("$${a}") == [
                "1: warning: '$${' is the literal text '${', not a template"
                    + " | for a dollar sign before a value write ${\"$\"}${…}"
            ])
        #expect(try value("$${a}", event) == "\"${a}\"")
    }

    @Test func `08 that three dollar signs are a dollar sign and a literal`() throws {
        #expect(try value("$$${a}", event) == "\"$${a}\"")
        #expect(findings("$$${a}").count == 1)
    }

    @Test func `09 how to write a dollar sign before a value`() throws {
        #expect(findings("Total: ${\"$\"}${price}") == [])
        #expect(try value("Total: ${\"$\"}${price}", event) == "\"Total: $5\"")
        #expect(findings("Total: $${price}").first?.contains("write ${\"$\"}${…}") == true)
    }

    @Test func `10 that a brace in quotation marks ends nothing`() throws {
        #expect(try value("${q ?? \"}\"}", event) == "\"}\"")
    }

    @Test func `11 that templates are not nested`() {
        #expect(
            findings("${a ?? \"${b}\"}") == [
                "9: error: templates cannot be nested | write ${a ?? b}"
            ])
    }

    @Test func `12 that an unquoted word is a path, with a question`() throws {
        #expect(
            findings("${a ?? Guest}") == [
                "8: warning: 'Guest' is interpreted as a path | did you mean \"Guest\"?"
            ])
        #expect(try value("${q ?? Guest}", event) == "missing_field")
    }

    @Test func `13 that an index is in brackets`() {
        #expect(
            findings("${a.0.b}") == [
                "4: error: a name cannot start with a digit"
                    + " | write [0] for an element, [\"0\"] for a member named 0"
            ])
    }

    @Test func `14 that indices start at 0`() {
        #expect(
            findings("${a[-1]}") == [
                "5: error: indices start at 0 | write [0] for the first element"
            ])
    }

    @Test func `15 that a hyphen is part of a name`() throws {
        #expect(try value("${detail-type}", event) == "\"DT\"")
    }

    @Test func `16 that a member may be named like metadata`() throws {
        #expect(try value("${[\"@timestamp\"]}", event) == "\"ECS\"")
        #expect(try value("${@timestamp}", event) == "1767261600000")
    }

    @Test func `17 that a header's name with a dot requires brackets`() {
        #expect(
            findings("${@headers.x.trace}") == [
                "13: error: nothing can follow a header's name | write @headers[\"x.trace\"]"
            ])
    }

    @Test func `18 that a star selects a member of every element`() throws {
        #expect(try value("${devices[*].token}", event) == "[\"t1\",\"t2\"]")
        #expect(try value("${nothing[*].token?}", event) == "")
        #expect(try value("${nothing[*].token}", event) == "missing_field")
    }

    @Test func `19 that space inside is ignored, and outside is text`() throws {
        #expect(try value("${ price }", event) == "5")
        #expect(try value(" ${price}", event) == "\" 5\"")
    }

    @Test(arguments: [
        (
            "${}",
            "1: error: '${}' is empty"
                + " | write a path: ${order.id}; for the text '${}' write $${}"
        ),
        ("ab ${a", "4: error: '${' is not closed | write '}' after it"),
        (
            "${true}",
            "3: error: expected a path first"
                + " | write the value without ${ }, or [\"name\"] for a member of that name"
        ),
    ])
    func `20 that a template has a path and is closed`(_ text: String, _ finding: String) {
        #expect(findings(text) == [finding])
    }

    @Test func `24 that single quotation marks need no backslash in YAML`() throws {
        #expect(try value("${q ?? 'it\\'s'}", event) == "\"it's\"")
        #expect(try value("${q ?? 'say \"hi\"'}", event) == "\"say \\\"hi\\\"\"")
    }

    @Test func `25 that only variables and files come before a colon`() {
        #expect(
            findings("${config:HOME}") == [
                "1: error: unknown source 'config:': only 'env:' and 'file:' are available"
                    + " | for an environment variable write ${env:HOME}"
            ])
    }
}

@Suite struct `A user of another template language` {
    @Test(arguments: [
        (
            "Order <orderId> shipped",
            "7: warning: '<orderId>' is literal text here and is sent unchanged"
                + " | for a value of the event write ${orderId}"
        ),
        (
            "<detail.id>",
            "1: warning: '<detail.id>' is literal text here and is sent unchanged"
                + " | for a value of the event write ${detail.id}"
        ),
        (
            "${! json(\"a.b\") }",
            "1: error: '${!' is Redpanda syntax, which is not supported here | write ${a.b}"
        ),
        (
            "${!json(\"a\")}",
            "1: error: '${!' is Redpanda syntax, which is not supported here | write ${a}"
        ),
        (
            "${! meta(\"x\") }",
            "1: error: '${!' is Redpanda syntax, which is not supported here"
                + " | write ${@headers.x}"
        ),
        (
            "${! metadata('x.y') }",
            "1: error: '${!' is Redpanda syntax, which is not supported here"
                + " | write ${@headers[\"x.y\"]}"
        ),
        (
            "${! this.a.b }",
            "1: error: '${!' is Redpanda syntax, which is not supported here | write ${a.b}"
        ),
        (
            "${! content() }",
            "1: error: '${!' is Redpanda syntax, which is not supported here"
                + " | write ${a.b} for json(\"a.b\"), ${@headers.x} for meta(\"x\")"
        ),
        (
            "${VAR:default}",
            "1: error: unknown source 'VAR:': only 'env:' and 'file:' are available"
                + " | for an environment variable write ${env:VAR ?? \"default\"}"
        ),
        (
            "${VAR:-d e}",
            "1: error: unknown source 'VAR:': only 'env:' and 'file:' are available"
                + " | for an environment variable write ${env:VAR ?? \"d e\"}"
        ),
        (
            "${VAR:}",
            "1: error: unknown source 'VAR:': only 'env:' and 'file:' are available"
                + " | for an environment variable write ${env:VAR}"
        ),
        (
            "${a | parse_json}",
            "7: error: unknown transform 'parse_json'"
                + " | write | parse; if the whole event is in a string, event: ${path} in 'source'"
        ),
        (
            "${a | parse_json()}",
            "7: error: unknown transform 'parse_json'"
                + " | write | parse; if the whole event is in a string, event: ${path} in 'source'"
        ),
        (
            "${parse_json(a).b}",
            "3: error: unknown function 'parse_json'"
                + " | write | parse; if the whole event is in a string, event: ${path} in 'source'"
        ),
        ("${upper(a)}", "3: error: unknown function 'upper' | write ${path | upper}"),
        (
            "${a.uppercase()}",
            "5: error: unknown function 'uppercase'"
                + " | transforms follow '|': \(list)"
        ),
    ])
    func `is told what to write here`(_ text: String, _ finding: String) {
        #expect(findings(text) == [finding])
    }

    static let list =
        "upper, lower, trim, truncate, nonempty, text, number, fixed, shift, date, join, length, "
        + "json, parse, hex, map, replace, plus, minus, language, default"

    @Test(arguments: ["a < b", "<3", "< a >", "<a b>", "a<b", "</b>", "<>", "x <é>"])
    func `may use other angle brackets`(_ text: String) {
        #expect(findings(text) == [])
    }

    @Test func `is not shown what an environment variable holds`() {
        let text = MappingSource.scalar(
            text: "<hunter2>", style: .quoted, location: MappingLocation(line: 3, column: 7))
        #expect(problems(minimal.with(["payload": ["aps": ["alert": text]]])) == [])
    }
}
