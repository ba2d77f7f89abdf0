internal import JSON

/// What a payload makes a device show.
struct PayloadContent {
    private(set) var title: String?
    private(set) var subtitle: String?
    private(set) var body: String?
    private(set) var badge: Int64?
    private(set) var sound: String?
    private(set) var threadID: String?
    private(set) var category: String?
    private(set) var interruptionLevel: String?

    private let strings: LocalizedStrings

    /// Parses a payload; an invalid one shows nothing. The keys of localized texts are looked up in
    /// `strings`.
    init(_ payload: [UInt8], _ strings: LocalizedStrings = LocalizedStrings()) {
        self.strings = strings
        var tape = JSONTape()
        do throws(JSONError) { try tape.read(payload) } catch { return }
        guard let aps = tape.member("aps", of: 0, in: payload) else { return }
        let reader = { (name: String, node: Int, tape: borrowing JSONTape) in
            tape.member(name, of: node, in: payload).flatMap { tape.text(of: $0, in: payload) }
        }
        if let alert = tape.member("alert", of: aps, in: payload) {
            readAlert(alert, tape, payload)
        }
        badge = tape.member("badge", of: aps, in: payload)
            .flatMap { tape.integer(of: $0, in: payload) }
        if let node = tape.member("sound", of: aps, in: payload) {
            sound = tape.text(of: node, in: payload) ?? reader("name", node, tape)
        }
        threadID = reader("thread-id", aps, tape)
        category = reader("category", aps, tape)
        interruptionLevel = reader("interruption-level", aps, tape)
    }

    /// True when there is text to show.
    var hasAlert: Bool { title != nil || subtitle != nil || body != nil }

    /// A string is the body; an object contains the parts.
    private mutating func readAlert(
        _ alert: Int, _ tape: borrowing JSONTape, _ payload: [UInt8]
    ) {
        if let text = tape.text(of: alert, in: payload) {
            body = text
            return
        }
        title = part("title", of: alert, tape, payload)
        subtitle = part("subtitle", of: alert, tape, payload)
        body = part("body", "loc", of: alert, tape, payload)
    }

    /// Part of an alert: as it is, or the key of a localized string with its arguments.
    private func part(
        _ name: String, _ prefix: String? = nil, of alert: Int, _ tape: borrowing JSONTape,
        _ payload: [UInt8]
    ) -> String? {
        let text = { (name: String, tape: borrowing JSONTape) in
            tape.member(name, of: alert, in: payload).flatMap { tape.text(of: $0, in: payload) }
        }
        if let literal = text(name, tape) { return literal }
        let keys = prefix ?? "\(name)-loc"
        guard let key = text("\(keys)-key", tape) else { return nil }
        var arguments: [String] = []
        if let list = tape.member("\(keys)-args", of: alert, in: payload) {
            var (node, end) = tape.children(of: list)
            while node < end {
                arguments.append(tape.text(of: node, in: payload) ?? "")
                node = tape.next(after: node)
            }
        }
        if let text = strings.text(key, arguments) { return text }
        return arguments.isEmpty ? key : "\(key) (\(arguments.joined(separator: ", ")))"
    }
}
