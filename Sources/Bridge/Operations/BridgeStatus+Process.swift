extension BridgeStatus.Reading {
    /// The memory in use and its limit if little is left; else nil.
    var scarceMemory: MemoryPressure? { MemoryPressure(memory) }

    /// What is wrong with the process as a whole.
    var processProblems: [StatusProblem] {
        var found = [scarceMemory?.problem].compactMap(\.self)
        if isLastReloadRefused {
            found.append(
                StatusProblem(
                    kind: .reloadRefused, message: "the last reload was refused",
                    remedy: "The log says which file is wrong, or which changed connector cannot be"
                        + " started. Correct it and reload again; what ran before continues, and a"
                        + " restart would fail as the reload did."))
        }
        return found
    }
}
