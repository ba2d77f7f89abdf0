internal import Delivery

/// Finds duplicate device tokens in a block in constant time per token.
struct TokenIndex {
    /// The index of a notification plus 1, at its token's hash or after it; 0 for none.
    private var slots: [UInt16] = []

    /// Removes all tokens; there will be at most `Mapper.tokenLimit`.
    mutating func reset() {
        guard slots.isEmpty else {
            for index in slots.indices { slots[index] = 0 }
            return
        }
        slots = Array(repeating: 0, count: 2048)
    }

    /// True when an earlier notification has the token; otherwise it is added with `location`.
    mutating func contains(
        _ token: [UInt8], adding location: Int, in notifications: [Notification]
    ) -> Bool {
        // FNV-1a.
        var hash: UInt32 = 2_166_136_261
        for byte in token { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        var slot = Int(hash) & (slots.count - 1)
        while slots[slot] != 0 {
            if notifications[Int(slots[slot]) - 1].destination.identifier == token { return true }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = UInt16(location + 1)
        return false
    }
}
