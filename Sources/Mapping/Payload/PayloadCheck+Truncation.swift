internal import JSON

extension PayloadCheck {
    /// Cuts the text at a path of a payload, so that the whole has at most `limit` bytes.
    ///
    /// What a reader sees as one character stays whole, the end is `…`, and what JSON must escape
    /// counts as it is written. False when the path leads to no text, or nothing of it would stay.
    mutating func truncate(
        _ payload: inout [UInt8], at path: Int32, of table: borrowing JSONPathTable, to limit: Int
    ) -> Bool {
        do throws(JSONError) {
            try tape.read(payload)
        } catch {
            return false
        }
        guard let node = tape.find(Int(path), of: table, in: payload),
            let text = tape.text(of: node, in: payload)
        else { return false }
        let inside = Int(tape[node].start)..<Int(tape[node].end)
        let room = inside.count - (payload.count - limit) - Self.ellipsis.count
        var kept: [UInt8] = []
        for character in text {
            let mark = kept.count
            kept.appendJSONText(String(character))
            guard kept.count > room else { continue }
            kept.removeLast(kept.count - mark)
            break
        }
        guard !kept.isEmpty else { return false }
        payload.replaceSubrange(inside, with: kept + Self.ellipsis)
        return true
    }

    private static let ellipsis = Array("…".utf8)
}
