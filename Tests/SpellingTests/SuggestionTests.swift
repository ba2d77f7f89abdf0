import Spelling
import Testing

@Suite struct `An unknown word` {
    private let known = ["key", "key_id", "team_id", "environment", "endpoint", "-h"]

    @Test(arguments: [
        ("kye", "key"), ("kez", "key"), ("ke", "key"), ("keyid", "key_id"), ("KEY_ID", "key_id"),
        ("environmnet", "environment"), ("enviroment", "environment"), ("env", "environment"),
        ("endpiont", "endpoint"),
    ])
    func `is corrected to the nearest one`(word: String, meant: String) {
        #expect(Suggestion.nearest(to: word, among: known) == meant)
    }

    @Test(arguments: ["", "x", "-x", "kxz", "en", "bundle", "invironmmmmt"])
    func `is not corrected if none is near`(word: String) {
        #expect(Suggestion.nearest(to: word, among: known) == nil)
    }

    @Test func `is corrected to the first of two that are equally near`() {
        #expect(Suggestion.nearest(to: "bat", among: ["cat", "bar"]) == "cat")
    }

    @Test func `is taken as itself rather than as a longer one that begins like it`() {
        #expect(Suggestion.nearest(to: "Key", among: ["keys", "key"]) == "key")
    }

    @Test func `is not looked up if it is too long`() {
        let endless = String(repeating: "a", count: 1 << 20)
        #expect(Suggestion.nearest(to: endless, among: [endless]) == nil)
    }
}
