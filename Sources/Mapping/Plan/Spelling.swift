/// Finds the word that somebody meant.
enum Spelling {
    /// The nearest of `words`, if it is near enough to be meant.
    static func suggestion(for word: String, among words: [String]) -> String? {
        let ranked = words.map { (word: $0, distance: distance(Array(word), Array($0))) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }),
            best.distance <= max(1, word.count / 3)
        else { return nil }
        return best.word
    }

    /// How many letters must be changed, added, removed or swapped with their neighbour.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var rows = [Array(0...right.count)]
        for (i, a) in left.enumerated() {
            var row = [i + 1]
            for (j, b) in right.enumerated() {
                var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a == b ? 0 : 1))
                if i > 0, j > 0, a == right[j - 1], left[i - 1] == b {
                    best = min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }
}
