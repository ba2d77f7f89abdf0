/// The time of the last record below an offset of a partition, while records finish in any order.
///
/// Times of a log hardly ever fall. Where they fall by more than a minute they say nothing about
/// the order of its records, until they are back where they were: meanwhile there is no time.
/// Times are known to about a second, and are never later than those of the records.
public struct RecordTimes: Sendable {
    private struct Mark {
        /// From the record after this one on, the time holds.
        var offset: Int64
        var time: Int64?
    }

    /// The times between which nothing is noted, in milliseconds.
    private static let step: Int64 = 1000
    /// Times that fall by more say nothing, in milliseconds.
    private static let tolerance = PositionReset.margin
    private static let maxMarks = 256

    /// In the order of their offsets.
    private var marks: [Mark] = []
    /// The latest time of a record that was noted; negative without any.
    private var latest: Int64 = -1
    private var isBackwards = false

    /// Starts at a group's position, below which the last record has this time.
    public init(committed: Int64?, time: Int64?) {
        guard let committed, let time else { return }
        marks = [Mark(offset: committed - 1, time: time)]
        latest = time
    }

    /// Notes the time of a record; offsets ascend.
    public mutating func note(_ offset: Int64, _ time: Int64?) {
        guard let time, time > 0 else { return }
        guard isBackwards || time >= latest + Self.step || time < latest - Self.tolerance else {
            return
        }
        change(offset, time)
    }

    private mutating func change(_ offset: Int64, _ time: Int64) {
        if time < latest {
            guard !isBackwards, time < latest - Self.tolerance else { return }
            isBackwards = true
            marks.append(Mark(offset: offset, time: nil))
        } else {
            isBackwards = false
            latest = time
            marks.append(Mark(offset: offset, time: time))
        }
        if marks.count > Self.maxMarks { thin() }
    }

    /// Removes every second mark; never one without a time, as an earlier time would hold instead.
    private mutating func thin() {
        var kept: [Mark] = []
        for index in stride(from: 0, to: marks.count, by: 2) {
            var mark = marks[index]
            if index + 1 < marks.count, marks[index + 1].time == nil { mark.time = nil }
            kept.append(mark)
        }
        marks = kept
    }

    /// The time of the last record below an offset, below which the next call never asks; nil
    /// without one.
    public mutating func time(below next: Int64) -> Int64? {
        guard let last = marks.lastIndex(where: { $0.offset < next }) else { return nil }
        marks.removeFirst(last)
        return marks[0].time
    }
}
