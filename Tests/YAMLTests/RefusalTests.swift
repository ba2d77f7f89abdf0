import Testing
import YAML

@Suite struct `A YAML text that this dialect does not have` {
    @Test func `has an anchor`() {
        let anchor = "an anchor: values are not shared in this file"
        #expect(
            problems("a: &x 1")
                == ["1:4: \(anchor) | write the value out, or quote text that starts with '&'"])
    }

    @Test func `has an alias`() {
        let alias = "an alias: values are not shared in this file"
        #expect(
            problems("a: *x")
                == ["1:4: \(alias) | write the value out, or quote text that starts with '*'"])
    }

    @Test func `has a merge key`() {
        #expect(problems("<<: {a: 1}") == ["1:1: a merge key '<<' | write the keys out"])
    }

    @Test(arguments: ["a: !!str 1", "a: !mine 1", "a: !"]) func `has a tag`(text: String) {
        #expect(
            problems(text) == [
                "1:4: a tag: types are not named in this file"
                    + " | remove it, or quote text that starts with '!'"
            ])
    }

    @Test func `has a second document`() {
        #expect(
            problems("a: 1\n---\nb: 2") == ["2:1: a second document | make it a file of its own"])
    }

    @Test func `has a key twice in one map`() {
        #expect(
            problems("a: 1\nb: {a: 1}\n'a': 2") == [
                "3:1: the key 'a' stands here twice | remove this one or the one in line 1"
            ])
    }

    @Test(arguments: ["a:\n\tb: 1", "b: 1\n\t# c"]) func `has a tab`(text: String) {
        #expect(
            problems(text) == [
                "2:1: a tab | write spaces; inside double quotes a tab is \\t"
            ])
    }

    @Test func `has a list as a key`() {
        #expect(
            problems("? [a]\n: b") == [
                "1:3: a key that is a list or a map | quote a key that starts so"
            ])
    }

    @Test func `has more than 64 levels`() {
        let open = String(repeating: "[", count: 64)
        let close = String(repeating: "]", count: 64)
        #expect(problems(open + close).isEmpty)
        #expect(
            problems(open + "[]" + close)
                == ["1:65: more than 64 levels | nest the values less deep"])
    }

    @Test func `is not UTF-8`() {
        #expect(
            problems(bytes: [0x61, 0x3A, 0x20, 0xFF])
                == ["1:4: a byte that is no UTF-8 text | save the file as UTF-8"])
    }

    @Test func `has a control character`() {
        #expect(
            problems("é: \u{7}") == [
                "1:4: the control character U+0007 | remove it, or write it as an escape"
            ])
    }

    @Test func `is told with all its mistakes at once`() {
        #expect(problems("a: &x 1\nb: !t 2\na: 3").count == 3)
    }
}
