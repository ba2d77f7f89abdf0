/// Finds the word that was probably meant by an unknown one.
public enum Suggestion {
    /// Longer words are not compared: they are not typing errors, and a peer must not cause much
    /// work.
    private static let maxWord = 64
    /// With more changes than this it is a different word.
    private static let maxChanges = 3

    /// The known word nearest to the given one; nil when none is near.
    ///
    /// A word is near if at most a third of the known word's letters differ, and at most three,
    /// ignoring case; or if it consists of the first three or more letters. Among equals the first
    /// one wins.
    public static func nearest(to word: String, among known: [String]) -> String? {
        let wanted = letters(word)
        guard wanted.count <= maxWord else { return nil }
        var best: (word: String, distance: Int)?
        for candidate in known {
            let name = letters(candidate)
            let limit = min(maxChanges, name.count / 3)
            let isBeginning = wanted.count >= 3 && name.starts(with: wanted)
            let beginning = isBeginning ? min(1, name.count - wanted.count) : nil
            guard let distance = beginning ?? distance(wanted, name, limit: limit) else {
                continue
            }
            if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
        }
        return best?.word
    }

    /// Asks whether the nearest known word was meant; nil when none is near.
    public static func question(about word: String, among known: [String]) -> String? {
        nearest(to: word, among: known).map { "did you mean '\($0)'?" }
    }

    private static func letters(_ word: String) -> [Character] { Array(word.lowercased()) }

    /// The fewest letters to insert, delete, replace or swap with a neighbour; nil above a limit.
    ///
    /// Source: the optimal string alignment variant of the Damerau–Levenshtein distance.
    private static func distance(_ a: [Character], _ b: [Character], limit: Int) -> Int? {
        guard abs(a.count - b.count) <= limit else { return nil }
        var older: [Int] = []
        var last = Array(0...b.count)
        for i in 0..<a.count {
            var row = [i + 1]
            for j in 0..<b.count {
                var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    cost = min(cost, older[j - 1] + 1)
                }
                row.append(cost)
            }
            (older, last) = (last, row)
        }
        return last[b.count] <= limit ? last[b.count] : nil
    }
}
