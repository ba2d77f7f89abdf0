/// Finds what somebody probably meant who wrote a word that is unknown.
public enum Suggestion {
    /// Longer words are not examined: nobody mistypes that much, and a peer must not keep us busy.
    private static let longestWord = 64
    /// More letters than this are another word.
    private static let mostChanges = 3

    /// The known word that is nearest to what was written; nil when none is near.
    ///
    /// Near is a third of the known word's letters, three at most, whatever their case. The first
    /// three or more letters of a word are near it, too. Among equals it is the first.
    public static func nearest(to word: String, among known: [String]) -> String? {
        let wanted = letters(word)
        guard wanted.count <= longestWord else { return nil }
        var best: (word: String, distance: Int)?
        for candidate in known {
            let name = letters(candidate)
            let limit = min(mostChanges, name.count / 3)
            let isBeginning = wanted.count >= 3 && name.starts(with: wanted)
            let beginning = isBeginning ? min(1, name.count - wanted.count) : nil
            guard let distance = beginning ?? distance(wanted, name, limit: limit) else {
                continue
            }
            if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
        }
        return best?.word
    }

    private static func letters(_ word: String) -> [Character] { Array(word.lowercased()) }

    /// The fewest letters to add, drop, replace or swap with their neighbour; nil above a limit.
    ///
    /// Source: the optimal string alignment distance of Damerau and Levenshtein.
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
