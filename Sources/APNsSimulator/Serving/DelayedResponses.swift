internal import Delivery

/// Delayed responses, the next one first.
struct DelayedResponses {
    struct Response {
        var deadline: Instant
        var stream: Int32
        var identifier: [UInt8]
        var outcome: ScriptedResponse.Outcome
        var judgement: Judgement
    }

    /// Sorted with the next one last.
    private var waiting: [Response] = []

    var count: Int { waiting.count }
    var nextDeadline: Instant? { waiting.last?.deadline }

    mutating func add(_ response: Response) {
        var low = 0
        var high = waiting.count
        while low < high {
            let middle = (low + high) / 2
            if waiting[middle].deadline > response.deadline {
                low = middle + 1
            } else {
                high = middle
            }
        }
        waiting.insert(response, at: low)
    }

    /// Removes and returns the next response that is due.
    mutating func takeDue(at now: Instant) -> Response? {
        guard let next = waiting.last, next.deadline <= now else { return nil }
        return waiting.removeLast()
    }

    /// Removes the response to a closed stream; false when there is none.
    mutating func remove(stream: Int32) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.stream == stream }) else { return false }
        waiting.remove(at: index)
        return true
    }
}
