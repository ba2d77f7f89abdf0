extension CompletionShell {
    /// A function that determines the command on the line so far, then offers its words.
    static func bashScript(
        program: String, function: String, _ locations: [CompletionPoint]
    ) -> String {
        let values = CompletionPoint.values(locations, opening: "", bashOffer)
        let words = locations.map { location in
            let dashes = location.command.named.flatMap(\.spellings)
            let names = location.command.subcommands.map(\.name)
            let offer = location.argument.map(bashOffer) ?? ":"
            return """
                        \(quoted(location.path)))
                            if [[ $current == -* ]]; then words=\(quoted(dashes))
                            else words=\(quoted(names)); \(offer); fi ;;
                """
        }
        return """
            # bash completion for \(program)
            \(function)() {
                local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
                local at='' next index words=''
                if [[ $current == '=' ]]; then current=''
                elif [[ $before == '=' ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi
                COMPREPLY=()
                for ((index = 1; index < COMP_CWORD; index++)); do
                    next="$at ${COMP_WORDS[index]}"
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
                COMPREPLY+=($(compgen -W "$words" -- "$current"))
            }
            complete -o filenames -F \(function) \(program)

            """
    }

    private static func bashOffer(_ definition: Definition) -> String {
        let kind =
            switch definition.completion {
            case .file: "-f"
            case .directory: "-d"
            case .none: "-W \(quoted(definition.choices))"
            }
        return "COMPREPLY=($(compgen \(kind) -- \"$current\"))"
    }
}
