/// The language that a device's or a browser's locale stands for, as keys of texts name it.
///
/// Source: RFC 5646; the scripts of Chinese regions: Unicode CLDR, *likely subtags*.
enum LanguageTag {
    /// Appends language and script of a locale: `de` for `de_AT.UTF-8`, `zh-Hant` for `zh-TW`.
    static func append(
        of text: [UInt8], from start: Int, to end: Int, to output: inout [UInt8]
    ) {
        var tags = Subtags(text: text, position: start, end: end)
        guard let language = tags.next() else { return }
        let first = output.count
        for index in language { output.append(text[index].inLowerCase) }
        let isChinese = output[first...].elementsEqual("zh".utf8)
        var region = tags.next()
        if let script = region, script.count == 4, script.allSatisfy({ isLetter(text[$0]) }) {
            output.append(UInt8(ascii: "-"))
            for index in script {
                let isFirst = index == script.lowerBound
                output.append(isFirst ? text[index].inLowerCase & 0xDF : text[index].inLowerCase)
            }
            return
        }
        while isChinese, let subtag = region {
            if let script = script(ofRegion: text[subtag].map { $0.inLowerCase & 0xDF }) {
                output.append(contentsOf: script.utf8)
                return
            }
            region = tags.next()
        }
    }

    private static func script(ofRegion region: [UInt8]) -> String? {
        for (name, script) in [
            ("TW", "-Hant"), ("HK", "-Hant"), ("MO", "-Hant"), ("CN", "-Hans"), ("SG", "-Hans"),
        ] where region.elementsEqual(name.utf8) {
            return script
        }
        return nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte.inLowerCase &- UInt8(ascii: "a") < 26
    }

    /// The parts between `-` or `_`, up to a character set or a modifier.
    private struct Subtags {
        let text: [UInt8]
        var position: Int
        let end: Int

        mutating func next() -> Range<Int>? {
            guard position < end, !isEnd(text[position]) else { return nil }
            let start = position
            while position < end, !isEnd(text[position]), !isSeparator(text[position]) {
                position += 1
            }
            let range = start..<position
            if position < end, isSeparator(text[position]) { position += 1 }
            return range
        }

        private func isSeparator(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }

        private func isEnd(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: ".") || byte == UInt8(ascii: "@")
        }
    }
}
