import Testing

/// Log messages with a field `action`, found in the sources, and the article that lists them.
@Suite struct `The article about log messages` {
    /// Where `action` is no field of a log line: verbs that print, and Apple's push format.
    private static let others = ["Bench/BenchJSON", "Reasons", "DoctorText", "PayloadTarget"]

    /// The first column of the article's tables.
    private func messages() throws -> [String] {
        let text = try Repository.text("Sources/Bridge/Documentation.docc/LogMessages.md")
        return text.matches(of: /(?m)^\| `([^`]+)` \|/).map { String($0.1) }
    }

    /// True for a line with the action of a message, or with the call that takes one.
    private static func hasAction(_ line: String) -> Bool {
        line.contains("\"action\"") || line.contains(/^ +warn\($/)
    }

    /// The source text of each function that logs an action, with the number of its actions.
    private func functions() -> [(location: String, text: String, actions: Int)] {
        var found: [(location: String, text: String, actions: Int)] = []
        for file in Repository.sources where !Self.others.contains(where: file.path.contains) {
            let lines = file.lines.indices.filter { Self.hasAction(file.lines[$0]) }
            let functions = SizeRules.functions(of: file)
            var actions: [Int: Int] = [:]
            for line in lines {
                let inner = functions.indices.last {
                    functions[$0].start <= line
                        && line < functions[$0].start + functions[$0].lines
                }
                actions[inner ?? -1, default: 0] += 1
            }
            for (index, count) in actions.sorted(by: { $0.key < $1.key }) {
                let range =
                    index < 0
                    ? file.lines.indices
                    : functions[index].start..<functions[index].start + functions[index].lines
                // It gets message and action from its callers.
                let head = file.lines[range.lowerBound]
                guard !head.contains("mutating func warn(") else { continue }
                let text = file.lines[range].joined(separator: "\n")
                    .replacing(/"\s*\+\s*"/, with: "")
                found.append((file.offence(range.lowerBound, "logs an action"), text, count))
            }
        }
        return found
    }

    @Test func `has a row for each message with an action`() throws {
        let messages = try messages()
        #expect(messages.count > 15)
        expectNone(
            functions().filter { function in
                messages.count { function.text.contains("\"\($0)\"") } < function.actions
            }.map(\.location))
    }

    @Test func `is about every warning and error: each says what to do`() {
        var silent: [String] = []
        for file in Repository.sources where !Self.others.contains(where: file.path.contains) {
            for function in SizeRules.functions(of: file) {
                let range = function.start..<function.start + function.lines
                let text = file.lines[range].joined(separator: "\n")
                let alarms = text.matches(of: /Self\(\s*(?:[\w >]+ \? )?\.(warning|error)/)
                let lines = text.matches(of: /logger\.(warning|error)\(/).count + alarms.count
                let actions = text.matches(of: /"action"/).count
                // Where the fields come from elsewhere, that place has the action.
                let isPassedOn = text.contains("metadata: metadata")
                guard lines > actions, !isPassedOn else { continue }
                silent.append(file.offence(function.start, "no action"))
            }
        }
        expectNone(silent)
    }

    @Test func `has no row for a message that no longer exists`() throws {
        let all = functions().map(\.text).joined(separator: "\n")
        expectNone(try messages().filter { !all.contains("\"\($0)\"") })
    }
}
