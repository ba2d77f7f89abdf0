internal import Encoding

/// A version such as `5.10.2-beta.1`, as ranges of a text.
struct VersionText {
    /// The numbers, separated by periods.
    private let numbers: Range<Int>
    /// What follows `-`; empty for a release.
    private let preRelease: Range<Int>

    /// Reads a version, with a `v` before it or not, without its build after `+`; nil for anything
    /// else.
    init?(_ text: [UInt8], from start: Int, to end: Int) {
        var index = start
        if index < end, text[index] | 0x20 == UInt8(ascii: "v") { index += 1 }
        let first = index
        var isNumberEmpty = true
        while index < end {
            let byte = text[index]
            if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") { break }
            if byte == UInt8(ascii: ".") {
                guard !isNumberEmpty else { return nil }
                isNumberEmpty = true
            } else {
                guard byte.isDigit else { return nil }
                isNumberEmpty = false
            }
            index += 1
        }
        guard !isNumberEmpty else { return nil }
        numbers = first..<index
        guard index < end, text[index] == UInt8(ascii: "-") else {
            preRelease = index..<index
            return
        }
        let begin = index + 1
        var last = begin
        while last < end, text[last] != UInt8(ascii: "+") { last += 1 }
        guard last > begin else { return nil }
        preRelease = begin..<last
    }

    /// Negative if it is the earlier version, 0 if both are the same.
    func compare(in text: [UInt8], with other: VersionText, in otherText: [UInt8]) -> Int {
        var mine = Parts(text, numbers)
        var theirs = Parts(otherText, other.numbers)
        while true {
            let (left, right) = (mine.next(), theirs.next())
            if left == nil, right == nil { break }
            let order = Self.order(text, left ?? 0..<0, otherText, right ?? 0..<0)
            if order != 0 { return order }
        }
        guard !preRelease.isEmpty, !other.preRelease.isEmpty else {
            return preRelease.isEmpty ? (other.preRelease.isEmpty ? 0 : 1) : -1
        }
        return comparePreRelease(in: text, with: other, in: otherText)
    }

    private func comparePreRelease(
        in text: [UInt8], with other: VersionText, in otherText: [UInt8]
    ) -> Int {
        var mine = Parts(text, preRelease)
        var theirs = Parts(otherText, other.preRelease)
        while true {
            let (left, right) = (mine.next(), theirs.next())
            guard let left else { return right == nil ? 0 : -1 }
            guard let right else { return 1 }
            let isNumber = text[left].allSatisfy(\.isDigit)
            let isOtherNumber = otherText[right].allSatisfy(\.isDigit)
            let order: Int
            switch (isNumber, isOtherNumber) {
            case (true, true): order = Self.order(text, left, otherText, right)
            case (true, false): return -1
            case (false, true): return 1
            case (false, false):
                order =
                    text[left].lexicographicallyPrecedes(otherText[right])
                    ? -1 : otherText[right].lexicographicallyPrecedes(text[left]) ? 1 : 0
            }
            if order != 0 { return order }
        }
    }

    /// Compares digits as numbers of any size.
    private static func order(
        _ text: [UInt8], _ left: Range<Int>, _ otherText: [UInt8], _ right: Range<Int>
    ) -> Int {
        let mine = text[left].drop { $0 == UInt8(ascii: "0") }
        let theirs = otherText[right].drop { $0 == UInt8(ascii: "0") }
        if mine.count != theirs.count { return mine.count < theirs.count ? -1 : 1 }
        if mine.elementsEqual(theirs) { return 0 }
        return mine.lexicographicallyPrecedes(theirs) ? -1 : 1
    }

    /// The parts between periods.
    private struct Parts {
        let text: [UInt8]
        var position: Int
        let end: Int

        init(_ text: [UInt8], _ range: Range<Int>) {
            self.text = text
            position = range.lowerBound
            end = range.upperBound
        }

        mutating func next() -> Range<Int>? {
            guard position < end else { return nil }
            let start = position
            while position < end, text[position] != UInt8(ascii: ".") { position += 1 }
            defer { position += 1 }
            return start..<position
        }
    }
}
