import Spelling
import Testing

@Suite struct `A word that is unknown` {
    private let known = ["key", "key_id", "team_id", "environment", "endpoint", "-h"]

    @Test(arguments: [
        ("kye", "key"), ("kez", "key"), ("ke", "key"), ("keyid", "key_id"), ("KEY_ID", "key_id"),
        ("environmnet", "environment"), ("enviroment", "environment"), ("env", "environment"),
        ("endpiont", "endpoint"),
    ])
    func `is taken for the nearest one`(word: String, meant: String) {
        #expect(Suggestion.nearest(to: word, among: known) == meant)
    }

    @Test(arguments: ["", "x", "-x", "kxz", "en", "bundle", "invironmmmmt"])
    func `is taken for none when none is near`(word: String) {
        #expect(Suggestion.nearest(to: word, among: known) == nil)
    }

    @Test func `is taken for the first of two that are as near`() {
        #expect(Suggestion.nearest(to: "bat", among: ["cat", "bar"]) == "cat")
    }

    @Test func `is taken for the word itself before a longer one that begins like it`() {
        #expect(Suggestion.nearest(to: "Key", among: ["keys", "key"]) == "key")
    }

    @Test func `is not looked for when it is endless`() {
        let endless = String(repeating: "a", count: 1 << 20)
        #expect(Suggestion.nearest(to: endless, among: [endless]) == nil)
    }
}
