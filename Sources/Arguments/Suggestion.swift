/// Finds what somebody probably meant.
public enum Suggestion {
    /// The known word that is nearest to what was written; nil when none is near.
    public static func nearest(to word: String, among known: [String]) -> String? {
        let wanted = Array(word.lowercased())
        var best: (word: String, distance: Int)?
        for candidate in known {
            let letters = Array(candidate.lowercased())
            let isBeginning = wanted.count >= 3 && letters.starts(with: wanted)
            let distance = isBeginning ? 1 : distance(wanted, letters)
            guard distance <= min(3, letters.count / 3) else { continue }
            if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
        }
        return best?.word
    }

    /// What to add to a message about a word: a question, or nothing when no word is near.
    static func ending(for word: String, among known: [String]) -> String {
        nearest(to: word, among: known).map { "; did you mean '\($0)'?" } ?? ""
    }

    /// The fewest letters to add, drop, replace or swap with their neighbour.
    static func distance(_ a: [Character], _ b: [Character]) -> Int {
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
        return last[b.count]
    }
}
