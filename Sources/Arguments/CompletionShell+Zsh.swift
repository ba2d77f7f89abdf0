extension CompletionShell {
    /// The same approach as in bash; zsh also shows what each word does.
    static func zshScript(
        program: String, function: String, _ locations: [CompletionPoint]
    ) -> String {
        let values = CompletionPoint.values(locations, opening: "(", zshOffer)
        let words = locations.map { location in
            let below = location.command.subcommands.map { quoted("\($0.name):\($0.abstract)") }
            let named = location.command.named.flatMap { definition in
                definition.spellings.map { quoted("\($0):\(definition.help)") }
            }
            let offers = (below + named).joined(separator: " ")
            let values = location.argument.map { "; \(zshOffer($0))" } ?? ""
            return "        (\(quoted(location.path))) offers=(\(offers))\(values) ;;"
        }
        return """
            #compdef \(program)
            \(function)() {
                local at='' next word before=$words[CURRENT-1]
                local -a offers
                if compset -P '--*='; then before=${IPREFIX%=}; fi
                for word in ${words[2,CURRENT-1]}; do
                    next="$at $word"
                    case $next in
            \(CompletionPoint.steps(locations))
                    esac
                done
                case "$at $before" in
            \(values)
                esac
                case $at in
            \(words.joined(separator: "\n"))
                esac
                _describe word offers
            }
            if [ "$funcstack[1]" = \(function) ]; then \(function) "$@"
            else compdef \(function) \(program); fi

            """
    }

    private static func zshOffer(_ definition: Definition) -> String {
        switch definition.completion {
        case .file: "_files"
        case .directory: "_files -/"
        case .none: "compadd -- \(definition.choices.map { quoted($0) }.joined(separator: " "))"
        }
    }
}
