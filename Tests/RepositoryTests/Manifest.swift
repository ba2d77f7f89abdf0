/// What `Package.swift` says about its targets, read as text.
enum Manifest {
    struct Target: Equatable {
        var name: String
        var kind: Kind
        /// The folder of its files, from the root.
        var path: String
        var dependencies: Set<String>
    }

    enum Kind: String, CaseIterable {
        case module, tests, system, target, executableTarget, systemLibrary
    }

    /// Every target, in the order of the file.
    static func targets(in text: String) -> [Target] {
        let code = text.split(separator: "\n")
            .filter { !$0.drop { $0 == " " }.hasPrefix("//") && !$0.hasPrefix("func ") }
            .joined(separator: "\n")
        var targets: [Target] = []
        for match in code.matches(of: /(\w+)\((?=\s*(?:name: )?")/) {
            guard let kind = Kind(rawValue: String(match.1)) else { continue }
            let arguments = arguments(code[match.range.upperBound...])
            guard let target = target(kind, arguments) else { continue }
            targets.append(target)
        }
        return targets
    }

    private static func target(_ kind: Kind, _ arguments: [String]) -> Target? {
        guard let name = arguments.first.flatMap({ strings($0).first }) else { return nil }
        let list = arguments.dropFirst().first {
            $0.hasPrefix("[") || $0.hasPrefix("dependencies:")
        }
        let folder =
            switch kind {
            case .tests: "Tests"
            case .system: "Sources/System"
            default: "Sources"
            }
        let path = arguments.first { $0.hasPrefix("path:") }.flatMap { strings($0).first }
        return Target(
            name: name, kind: kind, path: path ?? "\(folder)/\(name)",
            dependencies: Set(list.map(strings) ?? []))
    }

    /// The arguments of a call, up to its closing parenthesis.
    private static func arguments(_ code: Substring) -> [String] {
        var arguments = [""]
        var depth = 0
        for character in code {
            switch character {
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            case "," where depth == 0:
                arguments.append("")
                continue
            default: break
            }
            if depth < 0 { break }
            if arguments.last != "" || !character.isWhitespace {
                arguments[arguments.count - 1].append(character)
            }
        }
        return arguments
    }

    private static func strings(_ text: String) -> [String] {
        text.matches(of: /"([^"]*)"/).map { String($0.1) }
    }
}
