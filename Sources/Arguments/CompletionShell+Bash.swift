extension CompletionShell {
    /// A function that determines the command on the line so far, then offers its words.
    static func bashScript(
        program: String, function: String, _ places: [CompletionPlace]
    ) -> String {
        let values = CompletionPlace.values(places, opening: "", bashOffer)
        let words = places.map { place in
            let dashes = place.command.named.flatMap(\.spellings)
            let names = place.command.subcommands.map(\.name)
            let offer = place.argument.map(bashOffer) ?? ":"
            return """
                        \(quoted(place.path)))
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
            \(CompletionPlace.steps(places))
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
