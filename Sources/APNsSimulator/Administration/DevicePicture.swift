internal import Encoding

/// The lock screen of a device as a picture: `GET /devices/TOKEN/screen.svg`.
struct DevicePicture {
    private static let width = 300
    private static let margin = 14
    /// About so many characters fit into a line of a card.
    private static let columns = 36
    /// At most so many cards are drawn.
    private static let maximum = 12

    private let device: Device
    private let now: Int64

    /// A picture of a device at a time in milliseconds since 1970.
    init(_ device: Device, at now: Int64) {
        self.device = device
        self.now = now
    }

    var svg: String {
        let screen = device.lockScreen
        var top = 132
        var cards = ""
        let shown =
            screen.activities.compactMap { Self.lines($0, at: now) }
            + screen.notifications.map(Self.lines)
        for lines in shown.prefix(Self.maximum) {
            let (card, height) = Self.card(lines, top: top)
            cards += card
            top += height + 8
        }
        let more = shown.count - Self.maximum
        if more > 0 {
            cards += Self.text("and \(more) more", x: Self.width / 2, y: top + 12, "note")
            top += 24
        }
        let height = max(560, top + 40)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.width)" height="\(height)" \
            viewBox="0 0 \(Self.width) \(height)" role="img" font-family="system-ui, sans-serif">
            <title>\(Self.escaped("Lock screen of \(device.token.prefix(8))…"))</title>
            <style>.note{font-size:12px;text-anchor:middle;fill:#3b3b45}\
            .time{font-size:52px;text-anchor:middle;fill:#17171c}\
            .title{font-size:13px;font-weight:600;fill:#17171c}\
            .text{font-size:12px;fill:#17171c}.app{font-size:10px;fill:#6e6e78}</style>
            <rect x="3" y="3" width="\(Self.width - 6)" height="\(height - 6)" rx="40" \
            fill="#dfe6f5" stroke="#17171b" stroke-width="6"/>
            \(header(screen))\(cards)</svg>

            """
    }

    private func header(_ screen: LockScreen) -> String {
        let newest = screen.notifications.first?.shownAt
        // Hours and minutes of `2026-01-01T10:00:00.123Z`.
        let time = newest.map {
            String(Timestamp.text(milliseconds: $0).dropFirst(11).prefix(5))
        }
        var notes: [String] = []
        if !device.isOnline { notes.append("offline") }
        if device.standing != .registered { notes.append("unregistered") }
        notes += screen.badges.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return Self.text(time ?? "--:--", x: Self.width / 2, y: 82, "time")
            + Self.text(notes.joined(separator: " · "), x: Self.width / 2, y: 108, "note")
    }

    /// A line of a card, and its style.
    private typealias Line = (text: String, style: String)

    private static func lines(_ shown: ShownNotification) -> [Line] {
        card(shown.app, [(shown.title, "title"), (shown.subtitle, "title"), (shown.body, "text")])
    }

    /// The lines of a Live Activity; nil when it is no longer shown.
    ///
    /// The app draws it in its own way: here is what it received.
    private static func lines(_ activity: LiveActivity, at now: Int64) -> [Line]? {
        let state = activity.state(at: now)
        guard state != .dismissed else { return nil }
        let mark = state == .active ? "" : " · \(state.rawValue)"
        return card(
            "\(activity.app) · Live Activity\(mark)",
            [
                (activity.attributesType, "title"), (activity.attributes, "text"),
                (activity.contentState, "text"),
            ])
    }

    private static func card(_ name: String, _ texts: [(text: String?, style: String)]) -> [Line] {
        [(name, "app")]
            + texts.flatMap { text, style in
                wrapped(text ?? "").prefix(4).map { ($0, style) }
            }
    }

    private static func card(_ lines: [Line], top: Int) -> (svg: String, height: Int) {
        let height = 16 * lines.count + 16
        var svg =
            "<rect x=\"\(margin)\" y=\"\(top)\" width=\"\(width - 2 * margin)\" "
            + "height=\"\(height)\" rx=\"14\" fill=\"#ffffff\" fill-opacity=\".86\"/>\n"
        for (index, line) in lines.enumerated() {
            svg += text(line.text, x: margin + 12, y: top + 20 + 16 * index, line.style)
        }
        return (svg, height)
    }

    private static func text(_ message: String, x: Int, y: Int, _ style: String) -> String {
        "<text x=\"\(x)\" y=\"\(y)\" class=\"\(style)\">\(escaped(message))</text>\n"
    }

    /// Lines of about ``columns`` characters, broken between words.
    static func wrapped(_ text: String) -> [String] {
        var lines: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: true) {
            var line = ""
            for word in paragraph.split(separator: " ") {
                var word = word[...]
                if !line.isEmpty, line.count + 1 + word.count > columns {
                    lines.append(line)
                    line = ""
                }
                while word.count > columns {
                    lines.append(String(word.prefix(columns)))
                    word = word.dropFirst(columns)
                }
                line += (line.isEmpty ? "" : " ") + word
            }
            if !line.isEmpty { lines.append(line) }
        }
        return lines
    }

    /// Text that XML accepts and reads as text.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "&": result += "&amp;"
            case "\"": result += "&quot;"
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
                result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
