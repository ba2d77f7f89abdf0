internal import Delivery

/// The open requests of one connection, oldest first.
///
/// Each has a small number that is reused, so that responses find their request without a search
/// and nothing is allocated once the table has grown.
struct RequestTable {
    /// One open request.
    struct Entry {
        /// The tag that the owner gave it.
        var tag: UInt64
        /// The value of `apns-id`, which the response repeats.
        var id: NotificationID
        /// When it was handed to HTTP/2.
        var sentAt: Instant
        /// How often the connection had taken bytes from HTTP/2 when it was submitted.
        var pull: UInt64
        fileprivate var isOpen = true
        fileprivate var older = -1
        fileprivate var newer = -1
    }

    private var entries: [Entry] = []
    private var free: [Int] = []
    private var newest = -1
    /// The number of the oldest request, or -1.
    private(set) var oldest = -1
    private(set) var count = 0

    /// The request with a number; nil when none is open.
    subscript(number: Int) -> Entry? {
        guard entries.indices.contains(number), entries[number].isOpen else { return nil }
        return entries[number]
    }

    /// When the oldest request was handed to HTTP/2.
    var oldestSentAt: Instant? { oldest < 0 ? nil : entries[oldest].sentAt }

    /// Adds a request, whose time must not precede any other, and returns its number.
    mutating func open(
        tag: UInt64, id: NotificationID, sentAt: Instant, pull: UInt64
    ) -> Int {
        var entry = Entry(tag: tag, id: id, sentAt: sentAt, pull: pull)
        entry.older = newest
        let number: Int
        if let reused = free.popLast() {
            number = reused
            entries[number] = entry
        } else {
            number = entries.count
            entries.append(entry)
        }
        if newest < 0 { oldest = number } else { entries[newest].newer = number }
        newest = number
        count += 1
        return number
    }

    /// Removes a request and returns its tag; nil when it is not open.
    mutating func close(_ number: Int) -> UInt64? {
        guard let entry = self[number] else { return nil }
        if entry.older < 0 {
            oldest = entry.newer
        } else {
            entries[entry.older].newer = entry.newer
        }
        if entry.newer < 0 {
            newest = entry.older
        } else {
            entries[entry.newer].older = entry.older
        }
        entries[number].isOpen = false
        free.append(number)
        count -= 1
        return entry.tag
    }
}
