/// The memory that this process uses, and how much it may use.
public struct ProcessMemory: Equatable, Sendable {
    /// What it uses, in bytes; nil when unknown.
    public var resident: Int64?
    /// What its control group may use, in bytes; nil for no limit.
    public var limit: Int?

    /// Describes memory.
    public init(resident: Int64?, limit: Int?) {
        self.resident = resident
        self.limit = limit
    }

    /// The memory of this process now.
    public static var current: ProcessMemory {
        ProcessMemory(resident: ProcessUsage.residentBytes, limit: ProcessLimits.current().memory)
    }

    /// How much of the limit is used, in percent; nil without a limit.
    public var percent: Int? {
        guard let resident, let limit, limit > 0 else { return nil }
        return Int(clamping: resident * 100 / Int64(limit))
    }
}
