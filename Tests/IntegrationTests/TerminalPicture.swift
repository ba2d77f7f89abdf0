import Foundation

/// A session in a terminal, as a picture for the documentation.
struct TerminalPicture {
    private static let size = (width: 7.83, height: 20.0)
    private static let margin = 16.0

    var lines: [String]

    /// The picture as SVG: what was typed in one colour, what was printed in another.
    var svg: String {
        let columns = Double(lines.map(\.count).max() ?? 0)
        let width = columns * Self.size.width + 2 * Self.margin
        let height = Double(lines.count) * Self.size.height + 2 * Self.margin
        let texts = lines.enumerated().map { number, line in
            let isTyped = ["$ ", ">>>", "..."].contains { line.hasPrefix($0) }
            let colour = isTyped ? "#9fd0ff" : "#f5f5f7"
            let top = Self.margin + Double(number) * Self.size.height + 14
            return "<text x=\"\(Self.margin)\" y=\"\(top)\" fill=\"\(colour)\">\(Self.escape(line))"
                + "</text>"
        }
        let whole = String(format: "%.0f", width)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(whole)" height="\(Int(height))" \
            font-family="ui-monospace, Menlo, 'DejaVu Sans Mono', monospace" font-size="13">
            <rect width="100%" height="100%" rx="10" fill="#1d1d1f"/>
            \(texts.joined(separator: "\n"))
            </svg>

            """
    }

    /// Leaves it in the folder that `APNS_BRIDGE_PICTURES` names, if it does.
    func write(to name: String) throws {
        guard let folder = ProcessInfo.processInfo.environment["APNS_BRIDGE_PICTURES"] else {
            return
        }
        let file = URL(filePath: folder).appending(path: name)
        try svg.write(to: file, atomically: true, encoding: .utf8)
    }

    private static func escape(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;")
            .replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;")
            .replacingOccurrences(of: " ", with: "&#160;")
    }
}
