extension CompletionShell {
    /// One line per word, on the condition that its command is being entered.
    static func fishScript(
        program: String, function: String, _ locations: [CompletionPoint]
    ) -> String {
        let at = "_\(function)_at"
        let steps = locations.dropFirst().map {
            "            case \(quoted($0.path)); set at $next"
        }
        let lines = locations.flatMap { location in
            let start = "complete -c \(program) -n \(quoted("\(at) \(quoted(location.path))"))"
            let below = location.command.subcommands.map {
                "\(start) -f -a \(quoted($0.name)) -d \(quoted($0.abstract))"
            }
            let named = location.command.named.map { "\(start) \(fishOption($0))" }
            return below + named + ["\(start) \(location.argument.map(fishOffer) ?? "-f")"]
        }
        return """
            # fish completion for \(program)
            function \(at)
                set -l at ''
                for word in (commandline -opc)[2..-1]
                    set -l next "$at $word"
                    switch $next
            \(steps.joined(separator: "\n"))
                    end
                end
                test "$at" = "$argv[1]"
            end
            \(lines.joined(separator: "\n"))

            """
    }

    private static func fishOption(_ definition: Definition) -> String {
        let short = definition.short.map { " -s \($0)" } ?? ""
        let value = definition.valueName == nil ? "" : " -r \(fishOffer(definition))"
        return "-l \(definition.name)\(short)\(value) -d \(quoted(definition.help))"
    }

    private static func fishOffer(_ definition: Definition) -> String {
        switch definition.completion {
        case .file: "-F"
        case .directory: "-f -a '(__fish_complete_directories)'"
        case .none: "-f -a \(quoted(definition.choices))"
        }
    }
}
