internal import Spelling

extension Suggestion {
    /// The end of a message about an unknown word: a question, or nothing when no word is near.
    static func ending(for word: String, among known: [String]) -> String {
        nearest(to: word, among: known).map { "; did you mean '\($0)'?" } ?? ""
    }
}
