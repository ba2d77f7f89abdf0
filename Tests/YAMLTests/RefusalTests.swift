import Testing
import YAML

@Suite struct `A YAML text outside this dialect` {
    @Test func `has an anchor`() {
        let anchor = "an anchor, which is not supported"
        #expect(
            problems("a: &x 1")
                == ["1:4: \(anchor) | write the value out, or quote values that start with '&'"])
    }

    @Test func `has an alias`() {
        let alias = "an alias, which is not supported"
        #expect(
            problems("a: *x")
                == ["1:4: \(alias) | write the value out, or quote values that start with '*'"])
    }

    @Test func `has a merge key`() {
        #expect(problems("<<: {a: 1}") == ["1:1: a merge key '<<' | write the keys out"])
    }

    @Test(arguments: ["a: !!str 1", "a: !mine 1", "a: !"]) func `has a tag`(text: String) {
        #expect(
            problems(text) == [
                "1:4: a tag, which is not supported"
                    + " | remove it, or quote values that start with '!'"
            ])
    }

    @Test func `has a second document`() {
        #expect(
            problems("a: 1\n---\nb: 2") == ["2:1: a second document | move it to its own file"])
    }

    @Test func `has a key twice in one map`() {
        #expect(
            problems("a: 1\nb: {a: 1}\n'a': 2") == [
                "3:1: duplicate key 'a' | remove this one or the one in line 1"
            ])
    }

    @Test(arguments: ["a:\n\tb: 1", "b: 1\n\t# c"]) func `has a tab`(text: String) {
        #expect(
            problems(text) == [
                "2:1: a tab | use spaces; inside double quotes write a tab as \\t"
            ])
    }

    @Test func `has a list as a key`() {
        #expect(
            problems("? [a]\n: b") == [
                "1:3: a key that is a list or a map | quote keys that start with a bracket"
            ])
    }

    @Test func `has more than 64 levels`() {
        let open = String(repeating: "[", count: 64)
        let close = String(repeating: "]", count: 64)
        #expect(problems(open + close).isEmpty)
        #expect(
            problems(open + "[]" + close)
                == ["1:65: more than 64 levels | reduce the nesting"])
    }

    @Test func `is not UTF-8`() {
        #expect(
            problems(bytes: [0x61, 0x3A, 0x20, 0xFF])
                == ["1:4: a byte that is not valid UTF-8 | save the file as UTF-8"])
    }

    @Test func `has a control character`() {
        #expect(
            problems("é: \u{7}") == [
                "1:4: the control character U+0007 | remove it, or escape it"
            ])
    }

    @Test func `is rejected with all its mistakes at once`() {
        #expect(problems("a: &x 1\nb: !t 2\na: 3").count == 3)
    }
}
