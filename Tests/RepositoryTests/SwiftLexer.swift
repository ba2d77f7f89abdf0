/// Separates code from comments, strings and raw identifiers, as far as the house rules need it.
///
/// What is between the parentheses of an interpolation is code. Everything else inside a string
/// or a comment becomes blanks; line ends stay where they are.
struct SwiftLexer {
    private let source: [UInt8]
    private var location = 0
    private var output: [UInt8] = []

    static func code(of text: String) -> String {
        var lexer = SwiftLexer(source: Array(text.utf8))
        lexer.readCode(untilParenthesis: false)
        return String(decoding: lexer.output, as: UTF8.self)
    }

    private init(source: [UInt8]) {
        self.source = source
        output.reserveCapacity(source.count)
    }

    private mutating func readCode(untilParenthesis: Bool) {
        var depth = 0
        while location < source.count {
            if isNext("//") {
                while location < source.count, !isNext("\n") { blank() }
            } else if isNext("/*") {
                readComment()
            } else if isNext("\"") || isRawText {
                readText()
            } else if isNext("`") {
                keep()
                while location < source.count, !isNext("`") { blank(with: UInt8(ascii: "x")) }
                if location < source.count { keep() }
            } else {
                if isNext("(") { depth += 1 }
                if isNext(")") {
                    depth -= 1
                    if untilParenthesis, depth < 0 { return }
                }
                keep()
            }
        }
    }

    private mutating func readComment() {
        var depth = 0
        repeat {
            if isNext("/*") {
                depth += 1
                blank(2)
            } else if isNext("*/") {
                depth -= 1
                blank(2)
            } else {
                blank()
            }
        } while depth > 0 && location < source.count
    }

    private mutating func readText() {
        var marks = 0
        while isNext("#") {
            marks += 1
            keep()
        }
        let hashes = String(repeating: "#", count: marks)
        let quote = isNext("\"\"\"") ? "\"\"\"" : "\""
        keep(quote.count)
        while location < source.count, !isNext(quote + hashes) {
            if isNext("\\\(hashes)(") {
                blank(marks + 1)
                keep()
                readCode(untilParenthesis: true)
                if location < source.count { keep() }
            } else if isNext("\\\(hashes)") {
                blank(marks + 2)
            } else if quote.count == 1, isNext("\n") {
                return
            } else {
                blank()
            }
        }
        keep(quote.count + marks)
    }

    /// A number sign that begins a raw string, not a directive.
    private var isRawText: Bool {
        var end = location
        while end < source.count, source[end] == UInt8(ascii: "#") { end += 1 }
        return end > location && end < source.count && source[end] == UInt8(ascii: "\"")
    }

    private func isNext(_ text: String) -> Bool {
        source[location...].starts(with: text.utf8)
    }

    private mutating func keep(_ count: Int = 1) {
        let end = min(source.count, location + count)
        output += source[location..<end]
        location = end
    }

    private mutating func blank(_ count: Int = 1, with filler: UInt8 = UInt8(ascii: " ")) {
        for byte in source[location..<min(source.count, location + count)] {
            output.append(byte == UInt8(ascii: "\n") ? byte : filler)
        }
        location = min(source.count, location + count)
    }
}
