/// Unicode's full case mapping in the root locale, without allocating a string.
///
/// Source: The Unicode Standard, 3.13 *Default Case Algorithms*. Its only context-dependent rule is
/// that of the final sigma.
enum CaseMapping {
    /// Appends a string with the case of every character mapped.
    static func append(_ text: Span<UInt8>, _ upper: Bool, to out: inout [UInt8]) {
        guard let checked = try? UTF8Span(validating: text) else { return }
        var iterator = checked.makeUnicodeScalarIterator()
        var isBehindLetter = false
        while let scalar = iterator.next() {
            let properties = scalar.properties
            if upper {
                for byte in properties.uppercaseMapping.utf8 { out.append(byte) }
                continue
            }
            if scalar == "Σ", isBehindLetter, !isBeforeLetter(iterator) {
                for byte in "ς".utf8 { out.append(byte) }
            } else {
                for byte in properties.lowercaseMapping.utf8 { out.append(byte) }
            }
            if properties.isCased {
                isBehindLetter = true
            } else if !properties.isCaseIgnorable {
                isBehindLetter = false
            }
        }
    }

    /// True when a letter follows, possibly after marks such as an apostrophe.
    private static func isBeforeLetter(_ iterator: UTF8Span.UnicodeScalarIterator) -> Bool {
        var ahead = iterator
        while let scalar = ahead.next() {
            if scalar.properties.isCased { return true }
            if !scalar.properties.isCaseIgnorable { return false }
        }
        return false
    }
}
