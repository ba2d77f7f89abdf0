extension CompletionShell {
    /// A function that finds the command in the line so far, then offers its words.
    static func bashScript(
        program: String, function: String, _ places: [CompletionPlace]
    ) -> String {
        let steps = places.dropFirst().map { "            \(quoted($0.path))) at=$next ;;" }
        let values = places.flatMap { place in
            place.valued.map { value in
                let names = value.spellings.map { quoted("\(place.path) \($0)") }
                return "        \(names.joined(separator: "|"))) \(bashOffer(value)); return ;;"
            }
        }
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
            \(steps.joined(separator: "\n"))
                    esac
                done
                case "$at $before" in
            \(values.joined(separator: "\n"))
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
