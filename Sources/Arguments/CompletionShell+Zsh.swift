extension CompletionShell {
    /// A function a command, each in the terms of zsh's own `_arguments`.
    static func zshScript(program: String, _ places: [CompletionPlace]) -> String {
        let functions = places.map { place in
            """
            \(zshFunction(program, place.path))() {
                local context state state_descr line
                typeset -A opt_args
            \(zshBody(program, place))
            }
            """
        }
        let name = zshFunction(program, "")
        return """
            #compdef \(program)
            \(functions.joined(separator: "\n\n"))

            if [ "$funcstack[1]" = "\(name)" ]; then \(name) "$@"; else compdef \(name) \(program); fi

            """
    }

    private static func zshBody(_ program: String, _ place: CompletionPlace) -> String {
        let below = place.command.subcommands
        var specs = place.command.named.flatMap { definition in
            CompletionPlace.spellings(definition).map { spelling in
                let star = definition.isRepeating ? "*" : ""
                let value = definition.valueName.map { ":\($0):\(zshAction(definition))" } ?? ""
                return quoted("\(star)\(spelling)[\(zshText(definition.help))]\(value)")
            }
        }
        if !below.isEmpty {
            specs += ["'1: :->command'", "'*:: :->rest'"]
        } else if let argument = place.argument {
            let star = argument.isRepeating ? "*" : "1"
            specs.append(quoted("\(star):\(argument.name):\(zshAction(argument))"))
        }
        let call = "    _arguments -C \\\n        " + specs.joined(separator: " \\\n        ")
        guard !below.isEmpty else { return call }
        let names = below.map { quoted("\($0.name):\($0.abstract)") }
        let cases = below.map {
            "            \($0.name)) \(zshFunction(program, "\(place.path) \($0.name)")) ;;"
        }
        return """
            \(call)
                case $state in
                    command) local -a commands=(\(names.joined(separator: " ")))
                        _describe command commands ;;
                    rest) case $words[1] in
            \(cases.joined(separator: "\n"))
                    esac ;;
                esac
            """
    }

    private static func zshFunction(_ program: String, _ path: String) -> String {
        function(program) + path.map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
    }

    private static func zshAction(_ definition: Definition) -> String {
        switch definition.completion {
        case .file: "_files"
        case .directory: "_files -/"
        case .none: definition.choices.isEmpty ? " " : "(\(definition.choices.joined(separator: " ")))"
        }
    }

    /// A description without the characters that `_arguments` reads.
    private static func zshText(_ text: String) -> String {
        String(text.filter { $0 != "[" && $0 != "]" && $0 != ":" && $0 != "\\" })
    }
}
