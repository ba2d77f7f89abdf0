import Arguments

extension Command {
    /// What this command and those below it understand, one line each.
    ///
    /// There is `send`; `send CONNECTOR` for an argument, and `send [EVENT]` if it may be left out;
    /// `send --yes` for a flag, and `send --key VALUE` for an option; `...` follows what may be
    /// repeated; defaults are as in `send --format = text`, and words as in `send --format: json`.
    func words(below path: String? = nil) -> [String] {
        let own = path.map { $0.isEmpty ? name : "\($0) \(name)" } ?? ""
        let start = own.isEmpty ? "" : "\(own) "
        let flags = flags.map(\.definition.name) + ["help"]
        return (own.isEmpty ? [] : [own])
            + arguments.flatMap { $0.definition.argumentLines(start) }
            + options.flatMap { $0.definition.lines("\(start)--\($0.definition.name)", " VALUE") }
            + flags.map { "\(start)--\($0)" }
            + subcommands.flatMap { $0.words(below: own) }
    }
}

extension Definition {
    fileprivate func argumentLines(_ start: String) -> [String] {
        let label = valueName ?? name
        return lines(start + label, "") + (isRequired ? [] : ["\(start)[\(label)]"])
    }

    fileprivate func lines(_ spelling: String, _ value: String) -> [String] {
        [spelling + value] + (isRepeating ? ["\(spelling)\(value)..."] : [])
            + (defaultText.map { ["\(spelling) = \($0)"] } ?? [])
            + choices.map { "\(spelling): \($0)" }
    }
}
