extension SourceText {
    /// Finds a quotation mark inside `${…}` that ends the string around it, as in `"${a ?? "b"}"`.
    ///
    /// Only used after libyaml has rejected the text.
    func brokenQuote(inLine number: Int) -> (location: SourceLocation, mark: Unicode.Scalar)? {
        var around: Unicode.Scalar?
        var isInHole = false
        var last: Unicode.Scalar = ":"
        var isEscaped = false
        for (index, scalar) in self[line: number].unicodeScalars.enumerated() {
            if let quote = around {
                if isEscaped {
                    isEscaped = false
                } else if scalar == "\\" && quote == "\"" {
                    isEscaped = true
                } else if scalar == quote {
                    if isInHole { return (SourceLocation(line: number, column: index + 1), quote) }
                    around = nil
                } else if scalar == "{" && last == "$" {
                    isInHole = true
                } else if scalar == "}" {
                    isInHole = false
                }
                last = scalar
            } else if scalar == "\"" || scalar == "'", ":,[{-".unicodeScalars.contains(last) {
                around = scalar
                isInHole = false
                last = scalar
            } else if scalar != " " {
                last = scalar
            }
        }
        return nil
    }
}
