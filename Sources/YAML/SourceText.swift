/// A text split into lines as libyaml counts them, checked for characters that YAML forbids.
struct SourceText {
    private(set) var bytes: [UInt8]
    private(set) var lines: [String] = []
    /// The same as code points, so that a column is found at once.
    private var codePoints: [ContiguousArray<Unicode.Scalar>] = []
    /// The first invalid byte or character.
    private(set) var problem: (location: SourceLocation, message: String, remedy: String)?

    init(_ bytes: [UInt8]) {
        self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        cut()
    }

    /// A line by its number from 1, without its line break.
    subscript(line number: Int) -> String {
        lines.indices.contains(number - 1) ? lines[number - 1] : ""
    }

    /// The rest of a line from a position on.
    func rest(from location: SourceLocation) -> ArraySlice<Unicode.Scalar> {
        guard codePoints.indices.contains(location.line - 1) else { return [] }
        return codePoints[location.line - 1].dropFirst(location.column - 1)
    }

    private mutating func cut() {
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var line = String.UnicodeScalarView()
        var afterReturn = false
        scan: while true {
            switch parser.parseScalar(from: &iterator) {
            case .emptyInput: break scan
            case .error:
                note(line, "a byte that is not valid UTF-8", "save the file as UTF-8")
                line.append("\u{FFFD}")
                afterReturn = false
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                let completesReturn = afterReturn && scalar == "\n"
                afterReturn = scalar == "\r"
                if completesReturn { continue scan }
                if ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar) {
                    end(&line)
                } else {
                    check(scalar, after: line)
                    line.append(scalar)
                }
            }
        }
        end(&line)
    }

    private mutating func end(_ line: inout String.UnicodeScalarView) {
        lines.append(String(line))
        codePoints.append(ContiguousArray(line))
        line = String.UnicodeScalarView()
    }

    private mutating func check(_ scalar: Unicode.Scalar, after line: String.UnicodeScalarView) {
        switch scalar.value {
        case 0x09:
            note(line, "a tab", "use spaces; inside double quotes write a tab as \\t")
        case 0x20...0x7E, 0xA0...0xFEFE, 0xFF00...0xFFFD, 0x10000...:
            return
        default:
            let code = String(scalar.value, radix: 16, uppercase: true)
            let name = "U+" + String(repeating: "0", count: max(0, 4 - code.count)) + code
            note(line, "the control character \(name)", "remove it, or escape it")
        }
    }

    private mutating func note(
        _ line: String.UnicodeScalarView, _ message: String, _ remedy: String
    ) {
        guard problem == nil else { return }
        let location = SourceLocation(line: lines.count + 1, column: line.count + 1)
        problem = (location, message, remedy)
    }
}
