/// Finds what somebody meant who wrote a word that is unknown.
public enum Suggestion {
    /// The nearest of the known words; nil when none is near.
    public static func nearest(to word: String, of known: [String]) -> String? {
        let wanted = Array(word.lowercased().unicodeScalars)
        guard wanted.count <= 64 else { return nil }
        let limit = max(1, wanted.count / 3)
        let ranked = known.map { candidate in
            (candidate, distance(wanted, Array(candidate.lowercased().unicodeScalars)))
        }
        guard let best = ranked.min(by: { $0.1 < $1.1 }), best.1 <= limit else { return nil }
        return best.0
    }

    /// Insertions, deletions, replacements and swaps of neighbours from one word to the other.
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for i in left.indices {
            var row = [i + 1]
            for j in right.indices {
                let replaced = last[j] + (left[i] == right[j] ? 0 : 1)
                var best = min(replaced, last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    best = min(best, beforeLast[j - 1] + 1)
                }
                row.append(best)
            }
            beforeLast = last
            last = row
        }
        return last[right.count]
    }
}
