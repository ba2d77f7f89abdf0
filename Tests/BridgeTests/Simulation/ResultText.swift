import Glibc

/// Reads fields of result records with `memchr`, as the worlds have many of them to read.
extension StringProtocol {
    /// What follows the first occurrence of a text; nil if it does not occur.
    func components(after text: StaticString) -> SubSequence? {
        let length = text.utf8CodeUnitCount
        let found = utf8.withContiguousStorageIfAvailable { all -> Int? in
            guard var location = all.baseAddress else { return nil }
            let end = unsafe location + all.count
            while unsafe end - location >= length,
                let next = unsafe memchr(location, Int32(text.utf8Start.pointee), end - location)
            {
                unsafe location = UnsafePointer(next.assumingMemoryBound(to: UInt8.self))
                guard unsafe end - location >= length else { return nil }
                if unsafe memcmp(location, text.utf8Start, length) == 0 {
                    return unsafe all.count - (end - location) + length
                }
                unsafe location += 1
            }
            return nil
        }
        guard let offset = found ?? nil else { return nil }
        return self[utf8.index(startIndex, offsetBy: offset)...]
    }

    /// The digits at its beginning.
    var digits: Substring {
        let count = utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
        return Substring(self[..<utf8.index(startIndex, offsetBy: count)])
    }

    /// What precedes the next quotation mark.
    var quoted: Substring {
        let count = utf8.prefix { $0 != UInt8(ascii: "\"") }.count
        return Substring(self[..<utf8.index(startIndex, offsetBy: count)])
    }
}
