/// Names a record that was taken: its slot. A record outlives its pushes, so that no generation is
/// needed to tell it from the next one.
struct RecordID: Hashable, Sendable, BitwiseCopyable {
    private let number: UInt32

    init(_ slot: Int) { number = UInt32(slot) }

    var slot: Int { Int(number) }
}
