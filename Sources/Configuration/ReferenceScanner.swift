internal import Encoding

/// Splits a string into plain text, escapes, references, and other holes.
struct ReferenceScanner {
    /// `${env:NAME}` or `${file:PATH}`, with or without a default.
    struct Reference: Equatable {
        enum Source: Equatable {
            case environment(String)
            case file(String)
        }

        var source: Source
        var fallback: String?
        /// Its length in Unicode scalars.
        var length: Int

        var isFile: Bool {
            if case .file = source { true } else { false }
        }

        /// The reference as a file contains it, without its default.
        var written: String {
            switch source {
            case .environment(let name): "${env:\(name)}"
            case .file(let path): "${file:\(path)}"
            }
        }
    }

    enum Part: Equatable {
        case text(String)
        /// `$${`
        case escape
        case reference(Reference, offset: Int)
        /// It starts like a reference but is not valid.
        case malformed(String, offset: Int, remedy: String)
        /// Any other `${…}`, complete, or up to the end of the string if it is not closed.
        case other(String, offset: Int, isClosed: Bool)
    }

    private let scalars: [Unicode.Scalar]
    private var position = 0

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    mutating func next() -> Part? {
        guard position < scalars.count else { return nil }
        if starts("$${") {
            position += 3
            return .escape
        }
        if starts("${") { return hole() }
        let start = position
        while position < scalars.count, !starts("$${"), !starts("${") { position += 1 }
        return .text(text(start..<position))
    }

    private mutating func hole() -> Part {
        let start = position
        guard let end = endOfHole() else {
            position = scalars.count
            return .other(text(start..<position), offset: start, isClosed: false)
        }
        let whole = text(start..<end)
        var inner = text((start + 2)..<(end - 1)).trimmed
        position = end
        let isFile = inner.hasPrefix("file:")
        guard isFile || inner.hasPrefix("env:") else {
            return .other(whole, offset: start, isClosed: true)
        }
        inner = String(inner.dropFirst(isFile ? 5 : 4)).trimmed
        var fallback: String?
        if let mark = inner.firstRange(of: "??") {
            fallback = String(inner[mark.upperBound...]).trimmed.unquoted
            guard fallback != nil else {
                return .malformed(
                    whole, offset: start, remedy: "quote the default: ${env:NAME ?? \"text\"}")
            }
            inner = String(inner[..<mark.lowerBound]).trimmed
        }
        let name = inner.unquoted ?? inner
        guard isFile ? !name.isEmpty : name.isVariableName else {
            return .malformed(
                whole, offset: start,
                remedy: isFile
                    ? "write ${file:PATH}" : "write ${env:NAME} or ${env:NAME ?? \"…\"}")
        }
        let reference = Reference(
            source: isFile ? .file(name) : .environment(name), fallback: fallback,
            length: end - start)
        return .reference(reference, offset: start)
    }

    /// The position after the brace that closes a hole; quoted braces do not count.
    private func endOfHole() -> Int? {
        var index = position + 2
        var quote: Unicode.Scalar?
        while index < scalars.count {
            let scalar = scalars[index]
            if let open = quote {
                if scalar == "\\" { index += 1 } else if scalar == open { quote = nil }
            } else if scalar == "\"" || scalar == "'" {
                quote = scalar
            } else if scalar == "}" {
                return index + 1
            }
            index += 1
        }
        return nil
    }

    private func starts(_ text: String) -> Bool {
        scalars[position...].starts(with: text.unicodeScalars)
    }

    private func text(_ range: Range<Int>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars[range])
        return String(view)
    }
}

extension String {
    /// The string between quotation marks, with `\"`, `\'` and `\\` unescaped; nil without them.
    fileprivate var unquoted: String? {
        guard count >= 2, let quote = first, quote == last, quote == "\"" || quote == "'" else {
            return nil
        }
        var result = ""
        var isEscaped = false
        for character in dropFirst().dropLast() {
            if !isEscaped, character == "\\" {
                isEscaped = true
                continue
            }
            if !isEscaped, character == quote { return nil }
            result.append(character)
            isEscaped = false
        }
        return isEscaped ? nil : result
    }

    /// Whether it is a valid name of an environment variable.
    fileprivate var isVariableName: Bool {
        let isNumber = first.map { $0.isNumber } ?? true
        return !isNumber
            && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }
}
