import Testing
import YAML

@Suite struct `libyaml's words become a remedy` {
    @Test(arguments: [
        ("t: ${name}: hi", "1:11", "\"${name}: hi\""),
        ("t: ${a ?? \"x: y\"}", "1:13", "'${a ?? \"x: y\"}'"),
        ("a:\n  - t: ${name}: hi", "2:15", "\"${name}: hi\""),
    ])
    func `for a colon in unquoted text`(text: String, location: String, quoted: String) {
        #expect(
            problems(text)
                == ["\(location): ': ' inside an unquoted value | quote the whole text: \(quoted)"])
    }

    @Test(arguments: [
        ("{x: ${a}}", "1:5", "\"${a}\""), ("[${a}]", "1:2", "\"${a}\""),
        ("a: {x: ${a ?? 'b'}, y: 1}", "1:8", "\"${a ?? 'b'}\""),
        ("a: [1,\n  ${b}]", "2:3", "\"${b}\""),
    ])
    func `for an unquoted template in brackets`(text: String, location: String, quoted: String) {
        let message = "unquoted '${' inside { } or [ ]"
        #expect(problems(text) == ["\(location): \(message) | quote \(quoted) inside { } and [ ]"])
    }

    @Test(arguments: [
        ("a: \"${x ?? \"y\"}\"", "1:12", "${a ?? 'b'}"),
        ("{a: \"${x ?? \"y\"}\"}", "1:13", "${a ?? 'b'}"),
        ("a: '${x ?? 'y'}'", "1:12", "${a ?? \"b\"}"),
    ])
    func `for quotes inside the same quotes`(text: String, location: String, example: String) {
        let message = "this quote inside '${' ends the string around it"
        let remedy = "use the other kind of quotes inside: \(example)"
        #expect(problems(text) == ["\(location): \(message) | \(remedy)"])
    }

    @Test(arguments: [
        ("a:\n  t: Order #${id}", "2:12", "#${id}", "\"Order #${id}\""),
        ("t: #${id}", "1:4", "#${id}", "\"#${id}\""),
        ("- say \"hi\" #${y}\n- 1", "1:12", "#${y}", "'say \"hi\" #${y}'"),
    ])
    func `for a comment that holds a template`(
        text: String, location: String, comment: String, quoted: String
    ) {
        #expect(
            problems(text) == [
                "\(location): '\(comment)' is a YAML comment, not text | quote the text: \(quoted)"
            ])
    }

    @Test(arguments: [
        "# ${own}\na: 1", "a: x # fine", "a: 'x' # ${y}", "a: \"#${x}\"", "a: |\n  # ${x}\n",
        "a: # ${y}\n  b: 1", "a: x#${y}",
    ])
    func `but not for a comment that was meant as one`(text: String) {
        #expect(problems(text).isEmpty)
    }

    @Test(arguments: [
        ("a: @key", "1:4: '@' cannot start an unquoted value | quote the value: \"@…\""),
        (
            "b: 1\na: 'x\nb: 2",
            "2:4: the quotes are not closed | end the value with the same quote that starts it"
        ),
        ("a: {b: 1", "1:4: the bracket is not closed | close it with '}'"),
        (
            "a: {b: 1 c: 2}",
            "1:11: missing ',' or '}' before this"
                + " | close the bracket in line 1, or quote the value"
        ),
        (
            "a:\n  b: 1\n c: 2",
            "3:2: the indentation matches no block above | start all keys of a block in the same"
                + " column"
        ),
        (
            "a: \"x\" y",
            "1:8: unexpected content after the end of the value | put the whole value inside the"
                + " quotes"
        ),
        (
            "a: \"\\q\"",
            "1:5: an unknown YAML escape"
                + " | write \\\\ for a backslash, or use single quotes"
        ),
        (
            "a: 1\nb",
            "2:1: a key without ':'"
                + " | write 'key: value', or quote values that span several lines"
        ),
    ])
    func `for every common slip`(text: String, problem: String) {
        #expect(problems(text) == [problem])
    }
}
