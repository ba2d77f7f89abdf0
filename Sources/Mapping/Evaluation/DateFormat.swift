internal import TimeZones

/// The conversions of `strftime`, with English names in every locale.
///
/// Source: POSIX.1-2024, *strftime*, in the locale `C`; `%-d`, `%P`, `%k`, `%l` and `%:z` as in
/// glibc. Those that only depend on a locale (`%c`, `%x`, `%X`) are not supported.
enum DateFormat {
    static let conversions = Array("aAbBCdDeFgGhHIjklmMnpPrRsStTuUVwWyYzZ%".utf8)

    /// What is wrong with a format, and what to write instead.
    static func fault(in format: String) -> (message: String, remedy: String)? {
        var rest = Array(format.utf8)[...]
        if rest.isEmpty { return ("the format is empty", "write a format such as \"%H:%M\"") }
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else { continue }
            let flag = rest.first
            if flag == UInt8(ascii: "-") || flag == UInt8(ascii: ":") { rest.removeFirst() }
            guard let letter = rest.popFirst() else {
                return ("missing letter after '%'", "write %% for a percent sign")
            }
            let isColon = flag == UInt8(ascii: ":")
            let isKnown = isColon ? letter == UInt8(ascii: "z") : conversions.contains(letter)
            if !isKnown {
                // The complete character if it is not ASCII.
                let character = String(decoding: [letter] + rest, as: UTF8.self).first ?? "?"
                return ("unknown conversion '%\(isColon ? ":" : "")\(character)'", remedy(letter))
            }
        }
        return nil
    }

    private static func remedy(_ letter: UInt8) -> String {
        switch letter {
        case UInt8(ascii: "c"): "write %a %-d %b %Y %H:%M"
        case UInt8(ascii: "x"): "write %F for 2026-01-31, or %d.%m.%Y"
        case UInt8(ascii: "X"): "write %T for 23:59:59"
        case UInt8(ascii: "f"), UInt8(ascii: "L"), UInt8(ascii: "N"):
            "fractions of a second are not available: remove it"
        case UInt8(ascii: "i"): "write %M for minutes"
        default: "the conversions are those of strftime: %Y %m %d %H %M %S %A %B %p %Z; %% for '%'"
        }
    }

    /// Appends a time in a format that was validated.
    static func append(
        _ format: [UInt8], _ start: Int, _ end: Int, _ time: LocalTime, _ seconds: Int64,
        to out: inout [UInt8]
    ) {
        var writer = DateWriter(time: time, seconds: seconds)
        var index = start
        while index < end {
            let byte = format[index]
            index += 1
            guard byte == UInt8(ascii: "%"), index < end else {
                out.append(byte)
                continue
            }
            let flag = format[index]
            let hasFlag = flag == UInt8(ascii: "-") || flag == UInt8(ascii: ":")
            if hasFlag { index += 1 }
            guard index < end else { return }
            writer.isPadded = flag != UInt8(ascii: "-")
            writer.hasColon = flag == UInt8(ascii: ":")
            writer.append(format[index], to: &out)
            index += 1
        }
    }
}
