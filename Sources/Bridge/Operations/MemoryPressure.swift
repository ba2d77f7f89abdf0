internal import EventLoop

/// The memory of a process that is close to its limit.
struct MemoryPressure: Equatable {
    /// How much of the limit may be used before that is a problem, in percent; the alert has the
    /// same number.
    static let share: Int64 = 90

    /// What to do, as the field of a log line.
    static let action =
        "raise the limit, or lower delivery.max_in_flight_bytes or workers; 'apns-bridge doctor'"
        + " says what the settings need"

    /// The memory in use, in MiB.
    let used: Int
    /// The limit of the control group, in MiB.
    let limit: Int

    /// Nil unless little is left.
    init?(_ memory: ProcessMemory) {
        guard let resident = memory.resident, let limit = memory.limit,
            resident * 100 > Int64(limit) * Self.share
        else { return nil }
        (used, self.limit) = (Int(resident >> 20), limit >> 20)
    }

    /// What is wrong, and what to do.
    var problem: StatusProblem {
        StatusProblem(
            kind: .memoryLimit, message: "\(used) of \(limit) MiB of memory in use",
            remedy: StatusProblem.sentence(Self.action)
                + " A process that is killed loses nothing; what was in flight may be sent again.")
    }
}
