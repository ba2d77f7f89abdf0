internal import JSON

extension JSONTape {
    /// Truncates the string at a path in a payload, so that the whole has at most `limit` bytes.
    ///
    /// User-perceived characters stay whole, the string ends in `…`, and characters count as
    /// escaped in JSON. Returns the string's bytes before and after; nil if the path leads to no
    /// string, or nothing of it would remain.
    mutating func truncate(
        _ payload: inout [UInt8], at path: Int32, of table: borrowing JSONPathTable, to limit: Int
    ) -> (before: Int, after: Int)? {
        do throws(JSONError) {
            try read(payload)
        } catch {
            return nil
        }
        guard let node = find(Int(path), of: table, in: payload),
            let text = text(of: node, in: payload)
        else { return nil }
        let inside = Int(self[node].start)..<Int(self[node].end)
        let room = inside.count - (payload.count - limit) - Self.ellipsis.count
        var kept: [UInt8] = []
        for character in text {
            let mark = kept.count
            kept.appendJSONText(String(character))
            guard kept.count > room else { continue }
            kept.removeLast(kept.count - mark)
            break
        }
        guard !kept.isEmpty else { return nil }
        payload.replaceSubrange(inside, with: kept + Self.ellipsis)
        return (inside.count, kept.count + Self.ellipsis.count)
    }

    private static let ellipsis = Array("…".utf8)
}
