internal import CAllocations

/// What one record cost, on average.
struct Cost {
    var nanoseconds: Double
    var allocations: Double
    /// How many notifications one record makes.
    var notifications: Int

    /// Runs `body` `count` times to warm up, and as many times to measure.
    @inline(__always)
    static func of(_ count: Int, _ body: () -> Int) -> Cost {
        var made = 0
        for _ in 0..<count { made += body() }
        let allocations = allocations_of_this_thread()
        let start = processor_time_of_this_thread()
        for _ in 0..<count { made += body() }
        let time = processor_time_of_this_thread() - start
        let extra = allocations_of_this_thread() - allocations
        return Cost(
            nanoseconds: Double(time) / Double(count),
            allocations: Double(extra) / Double(count), notifications: made / (2 * count))
    }
}
