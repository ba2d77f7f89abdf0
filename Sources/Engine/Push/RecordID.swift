/// Identifies a taken record by its slot. A record outlives its pushes, so it needs no generation.
struct RecordID: Hashable, Sendable, BitwiseCopyable {
    private let number: UInt32

    init(_ slot: Int) { number = UInt32(slot) }

    var slot: Int { Int(number) }
}
