extension UInt8 {
    /// A letter of ASCII in lower case; any other byte as it is.
    var inLowerCase: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }
}

extension [UInt8] {
    /// Appends a UTF-8 string, case-folded for any language.
    ///
    /// Lower, upper and lower case again: so `ß`, `ẞ` and `SS` become `ss`, and `Σ` and `ς` become
    /// `σ`. A dotless `ı` is not distinguished from `i`.
    mutating func appendFolded(_ text: [UInt8]) {
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte < 0x80 {
                append(byte.inLowerCase)
                index += 1
                continue
            }
            let length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
            var value = UInt32(byte & (0xFF >> UInt8(length + 1)))
            for next in index + 1..<Swift.min(index + length, text.count) {
                value = value << 6 | UInt32(text[next] & 0x3F)
            }
            index += length
            if let scalar = Unicode.Scalar(value) { appendFolded(scalar) }
        }
    }

    private mutating func appendFolded(_ scalar: Unicode.Scalar) {
        for small in scalar.properties.lowercaseMapping.unicodeScalars {
            for large in small.properties.uppercaseMapping.unicodeScalars {
                append(contentsOf: large.properties.lowercaseMapping.utf8)
            }
        }
    }
}
