internal import EventLoop

extension BridgeStatus.Reading {
    /// How much of the memory limit may be used before that is a problem, in percent; the alert has
    /// the same number.
    static let memoryShare: Int64 = 90

    /// The memory in use and its limit, in MiB, if little is left; else nil.
    var scarceMemory: (used: Int, limit: Int)? {
        guard let resident = memory.resident, let limit = memory.limit,
            resident * 100 > Int64(limit) * Self.memoryShare
        else { return nil }
        return (Int(resident >> 20), limit >> 20)
    }

    /// What is wrong with the process as a whole.
    var processProblems: [StatusProblem] {
        var found: [StatusProblem] = []
        if let scarceMemory {
            found.append(
                StatusProblem(
                    kind: .memoryLimit,
                    message: "\(scarceMemory.used) of \(scarceMemory.limit) MiB of memory are used",
                    remedy: "Raise the limit, or lower delivery.max_in_flight_bytes or workers:"
                        + " 'apns-bridge doctor' says what the settings need. A process that is"
                        + " killed loses nothing; what was in flight may be sent again."))
        }
        if isLastReloadRefused {
            found.append(
                StatusProblem(
                    kind: .reloadRefused, message: "the last reload was refused",
                    remedy: "The log says which file is wrong, or which changed connector cannot be"
                        + " started. Correct it and reload again; what ran before continues."))
        }
        return found
    }
}
